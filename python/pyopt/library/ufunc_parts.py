"""The method ``at`` of universal functions, NumPy's and the program's own."""

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.selection import broadcast_shape, check_mask, checked_places, rest, row, spread, wrapped
from pyopt.library.shapes import as_array, flat, product


@implements("ufunc.at")
def update(ufunc, identity, a, indices, b=None):
    """Apply in place to the elements at positions, with others if given, as often as a position comes up."""
    if isinstance(indices, slice):
        start, stop, step = indices.indices(a.shape[0])
        update_parts(ufunc, a, (np.arange(start, stop, step),), b)
    elif isinstance(indices, tuple):
        update_parts(ufunc, a, as_positions(indices), b)
    elif as_array(indices).dtype.kind == "b":
        check_mask(a, indices)
        update_parts(ufunc, a, np.nonzero(indices), b)
    elif a.ndim == 1 and b is not None:
        # Copies: they may be parts of what is changed.
        update_vector(ufunc, a, flat(position_array(indices).copy()), flat(as_array(b).copy()))
    else:
        update_parts(ufunc, a, (position_array(indices),), b)


def position_array(index):
    """Make an array of positions along one dimension."""
    if isinstance(index, slice):
        intrinsics.unsupported("'at' of universal functions takes a slice alone, not in a tuple")
    c = as_array(index)
    if c.dtype.kind == "b":
        intrinsics.unsupported("'at' of universal functions takes a mask alone, not in a tuple")
    if c.dtype.kind != "i" and c.dtype.kind != "u":
        intrinsics.unsupported("arrays used as indices must be of integer (or boolean) type")
    return c


def as_positions(indices):
    """Make arrays of positions in the first dimensions of a tuple."""
    if len(indices) == 0:
        return ()
    return (position_array(indices[0]),) + as_positions(indices[1:])


def update_vector(ufunc, a, places, values):
    """Combine elements of a vector with others."""
    if values.size != 1 and values.size != places.size:
        raise ValueError("array is not broadcastable to correct shape")
    kind = a.dtype
    for i in range(places.size):
        at = wrapped(places[i], a.size)
        a[at] = kind.type(ufunc(a[at], values[i % values.size]))


def first_axes(arrays, first=0):
    """Number the axes that arrays of positions index."""
    if len(arrays) == 0:
        return ()
    return (first,) + first_axes(arrays[1:], first + 1)


def update_parts(ufunc, a, arrays, b):
    """Apply to parts of an array, with parts of another if given."""
    shape = broadcast_shape(arrays)
    places = checked_places(spread(arrays, shape), a.shape, first_axes(arrays))
    inner = rest(a.shape, arrays)
    if b is None:
        for i in range(product(shape)):
            update_part(ufunc, a, row(places, i), inner, None)
    else:
        # A copy: it may be a part of what is changed.
        full = np.empty(shape + inner, as_array(b).dtype)
        full[...] = b
        rows = intrinsics.reshape(full, (product(shape), product(inner)))
        for i in range(rows.shape[0]):
            update_part(ufunc, a, row(places, i), inner, rows[i])


def update_part(ufunc, a, at, inner, values):
    """Apply to the element, or to all elements, at a position in the first dimensions."""
    kind = a.dtype
    if len(inner) == 0:
        a[at] = kind.type(ufunc(a[at]) if values is None else ufunc(a[at], values[0]))
    else:
        part = a[at]
        new = np.empty(part.shape, kind)
        new[...] = part
        elements = flat(new)
        for j in range(elements.size):
            elements[j] = kind.type(ufunc(elements[j]) if values is None else ufunc(elements[j], values[j]))
        part[...] = new
