"""Methods of universal functions on parts of arrays: ``reduceat``, and ``at``."""

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.scans import accumulator
from pyopt.library.selection import broadcast_shape, checked_places, rest, row, spread, wrapped
from pyopt.library.shapes import as_array, checked_axis, flat, lanes, product


def reduced_parts(c, indices, axis, kind, combine):
    """Combine the elements along an axis from each position up to the next one."""
    if c.ndim == 0:
        intrinsics.unsupported("cannot reduceat on a scalar")
    starts = flat(indices)
    at = checked_axis(axis, c.ndim)
    v = lanes(c, at)
    out = np.empty(intrinsics.replace(c.shape, at, starts.size), kind)
    to = lanes(out, at)
    for k in range(starts.size):
        first = np.int64(starts[k])
        if first < 0 or first >= v.shape[1]:
            raise IndexError("index out-of-bounds in reduceat")
        last = np.int64(starts[k + 1]) if k + 1 < starts.size else v.shape[1]
        for i in range(v.shape[0]):
            for j in range(v.shape[2]):
                total = kind.type(v[i, first, j])
                for m in range(first + 1, last):
                    total = kind.type(combine(total, kind.type(v[i, m, j])))
                to[i, k, j] = total
    return out


@implements("numpy.add.reduceat")
def add_reduceat(array, indices, axis=0):
    """Sum the elements along an axis from each position up to the next one."""
    c = as_array(array)
    return reduced_parts(c, indices, axis, accumulator(c, None), np.add)


@implements("numpy.multiply.reduceat")
def multiply_reduceat(array, indices, axis=0):
    """Multiply the elements along an axis from each position up to the next one."""
    c = as_array(array)
    return reduced_parts(c, indices, axis, accumulator(c, None), np.multiply)


@implements("numpy.maximum.reduceat")
def maximum_reduceat(array, indices, axis=0):
    """Find the greatest elements along an axis from each position up to the next one."""
    c = as_array(array)
    return reduced_parts(c, indices, axis, c.dtype, np.maximum)


@implements("numpy.minimum.reduceat")
def minimum_reduceat(array, indices, axis=0):
    """Find the least elements along an axis from each position up to the next one."""
    c = as_array(array)
    return reduced_parts(c, indices, axis, c.dtype, np.minimum)


def as_positions(indices):
    """Make arrays of positions in the first dimensions of what ``at`` is given."""
    if isinstance(indices, tuple):
        if len(indices) == 0:
            return ()
        return (as_array(indices[0]),) + as_positions(indices[1:])
    if isinstance(indices, slice):
        intrinsics.unsupported("'at' of universal functions takes positions, not slices")
    return (as_array(indices),)


def update(a, indices, b, combine):
    """Combine the elements at positions with others; what comes up again is combined once more."""
    if a.ndim == 1 and not isinstance(indices, (tuple, slice)):
        update_vector(a, flat(indices), flat(b), combine)
    else:
        update_parts(a, indices, b, combine)


def update_vector(a, places, values, combine):
    """Combine elements of a vector with others."""
    if values.size != 1 and values.size != places.size:
        raise ValueError("array is not broadcastable to correct shape")
    kind = a.dtype
    for i in range(places.size):
        at = wrapped(places[i], a.size)
        a[at] = kind.type(combine(a[at], kind.type(values[i % values.size])))


def update_parts(a, indices, b, combine):
    """Combine parts of an array with others."""
    arrays = as_positions(indices)
    shape = broadcast_shape(arrays)
    places = checked_places(spread(arrays, shape), a.shape)
    inner = rest(a.shape, arrays)
    kind = a.dtype
    # A copy: it may be a part of what is changed.
    full = np.empty(shape + inner, kind)
    full[...] = b
    rows = intrinsics.reshape(full, (product(shape), product(inner)))
    for i in range(rows.shape[0]):
        if len(inner) == 0:
            at = row(places, i)
            a[at] = kind.type(combine(a[at], rows[i, 0]))
        else:
            part = a[row(places, i)]
            new = np.empty(part.shape, kind)
            new[...] = part
            values = flat(new)
            for j in range(values.size):
                values[j] = kind.type(combine(values[j], rows[i, j]))
            part[...] = new


@implements("numpy.add.at")
def add_at(a, indices, b):
    """Add to the elements at positions."""
    update(a, indices, b, np.add)


@implements("numpy.subtract.at")
def subtract_at(a, indices, b):
    """Subtract from the elements at positions."""
    update(a, indices, b, np.subtract)


@implements("numpy.multiply.at")
def multiply_at(a, indices, b):
    """Multiply the elements at positions."""
    update(a, indices, b, np.multiply)


@implements("numpy.maximum.at")
def maximum_at(a, indices, b):
    """Raise the elements at positions to numbers at least."""
    update(a, indices, b, np.maximum)


@implements("numpy.minimum.at")
def minimum_at(a, indices, b):
    """Lower the elements at positions to numbers at most."""
    update(a, indices, b, np.minimum)
