"""What code generators call to make and index arrays: of Numba's functions those for integers as indices.

Views, and indices that are slices or arrays, are refused with what they are; compiled code writes them.
"""

from collections import namedtuple

import numpy as np

from pyopt import types
from pyopt.intrinsics import boundary, calls, cgutils

__all__ = [
    *("_empty_nd_impl", "basic_indexing", "get_array_index_type", "get_itemsize", "load_item", "make_array"),
    *("normalize_index", "normalize_indices", "populate_array", "store_item"),
]

Indexing = namedtuple("Indexing", ("index", "result", "advanced"))

populate_array = cgutils.populate_array


def make_array(type):
    """Give what makes or opens an array."""
    return lambda context, builder, value=None, ref=None: cgutils.array_proxy(builder, type, value, ref)


def _empty_nd_impl(context, builder, arrtype, shapes):
    """Make an array of a type and of sizes, and open it; the intrinsic is to return it."""
    from pyopt.numba.numpy_support import as_dtype

    sizes = [f"size{at}" for at in range(arrtype.ndim)]
    scope = {"empty": np.empty, "dtype": as_dtype(arrtype.dtype), "__name__": __name__}
    is_turned = arrtype.layout == "F" and arrtype.ndim > 1
    shape = "".join(f"{one}, " for one in (reversed(sizes) if is_turned else sizes))
    made = f"empty(({shape}), dtype){'.T' if is_turned else ''}"
    exec(f"def make({', '.join(sizes)}):\n    return {made}\n", scope)
    signature = arrtype(*[types.intp] * arrtype.ndim)
    made = calls.call(builder, scope["make"], signature, list(shapes))
    return make_array(arrtype)(context, builder, value=made)


def get_itemsize(context, array_type):
    """Give the bytes of an element of arrays of a type."""
    return boundary.element_size(array_type.dtype)


def load_item(context, builder, arrayty, ptr):
    """Read an element of an array of a type."""
    return context.unpack_value(builder, arrayty.dtype, ptr)


def store_item(context, builder, arrayty, val, ptr):
    """Write an element of an array of a type."""
    context.pack_value(builder, arrayty.dtype, val, ptr)


def normalize_index(context, builder, type, index):
    """Give an index as wide as an address, with its type."""
    if not isinstance(type, types.Integer):
        raise NotImplementedError(f"an array that is indexed with {type} in an intrinsic")
    wide = types.intp if type.signed else types.uintp
    return wide, context.cast(builder, index, type, wide)


def normalize_indices(context, builder, index_types, indices):
    """Give indices as wide as addresses, with their types."""
    pairs = [
        normalize_index(context, builder, type, index)
        for type, index in zip(index_types, indices, strict=True)
    ]
    return tuple(type for type, _ in pairs), [index for _, index in pairs]


def basic_indexing(context, builder, aryty, ary, index_types, indices, boundscheck=None):
    """Give the address of an element of an opened array, and that it has no dimensions."""
    if len(indices) != aryty.ndim:
        raise NotImplementedError(f"{len(indices)} indices of {aryty} in an intrinsic: a view")
    wraps = [type.signed for type in index_types]
    pointer = cgutils.get_item_pointer(context, builder, aryty, ary, indices, wraps, bool(boundscheck))
    return pointer, [], []


def get_array_index_type(ary, idx):
    """Give the type of ``ary[idx]`` and the type that the index is used as; None for other indices."""
    parts = idx.types if isinstance(idx, types.BaseTuple) else (idx,)
    if not all(isinstance(one, types.Integer) for one in parts) or len(parts) > ary.ndim:
        return None
    wide = [types.intp if one.signed else types.uintp for one in parts]
    index = types.Tuple(wide) if isinstance(idx, types.BaseTuple) else wide[0]
    left = ary.ndim - len(parts)
    result = ary.dtype if left == 0 else ary.copy(ndim=left, layout="C" if ary.layout == "C" else "A")
    return Indexing(index, result, False)
