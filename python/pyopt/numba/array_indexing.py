"""What code generators call to index arrays: of Numba's functions those for indices that are integers.

Views, and indices that are slices or arrays, are refused with what they are; compiled code writes them.
"""

from collections import namedtuple

from pyopt import types
from pyopt.intrinsics import cgutils

__all__ = ["basic_indexing", "get_array_index_type", "make_array", "normalize_index", "normalize_indices"]

Indexing = namedtuple("Indexing", ("index", "result", "advanced"))


def make_array(type):
    """Give what makes or opens an array."""
    return lambda context, builder, value=None, ref=None: cgutils.array_proxy(builder, type, value, ref)


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
