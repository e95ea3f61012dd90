"""Selecting elements by masks and by arrays of positions."""

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.shapes import as_array, checked_axis, flat, lanes, product


def check_mask(a, mask):
    """Compare the sizes of a mask with those of the dimensions it selects from."""
    if mask.ndim > a.ndim:
        intrinsics.unsupported("too many indices: the mask has more dimensions than the array")
    for i in range(mask.ndim):
        if mask.shape[i] != a.shape[i]:
            raise IndexError("boolean index did not match indexed array: their sizes differ")


def masked_rows(c, mask):
    """View an array as one row for each element of a mask of its first dimensions."""
    inner = 1
    for i in range(mask.ndim, c.ndim):
        inner *= c.shape[i]
    return intrinsics.reshape(c, (mask.size, inner))


def rest(shape, count):
    """Leave out the first items of a tuple; the count is a tuple as long."""
    if len(count) == 0:
        return shape
    return rest(shape[1:], count[1:])


def select_masked(a, mask):
    """Select what a mask of the first dimensions says."""
    check_mask(a, mask)
    chosen = flat(mask)
    rows = masked_rows(np.ascontiguousarray(a), mask)
    count = 0
    for i in range(chosen.size):
        count += chosen[i]
    out = np.empty((count, rows.shape[1]), a.dtype)
    at = 0
    for i in range(chosen.size):
        if chosen[i]:
            for j in range(rows.shape[1]):
                out[at, j] = rows[i, j]
            at += 1
    return intrinsics.reshape(out, (count,) + rest(a.shape, mask.shape))


def wrapped(index, size):
    """Count a position from the front."""
    position = np.int64(index)
    if position < 0:
        position += size
    if position < 0 or position >= size:
        raise IndexError("index is out of bounds for the axis")
    return position


@implements("numpy.take", "array.take")
def take(a, indices, axis=None):
    """Select positions along an axis, or among all elements."""
    c = as_array(a)
    if axis is None:
        return take_lanes(flat(c), indices, 0)
    return take_lanes(c, indices, checked_axis(axis, c.ndim))


def take_lanes(c, indices, axis):
    """Select positions along an axis."""
    v = lanes(c, axis)
    if isinstance(indices, np.ndarray):
        chosen = flat(indices)
        out = np.empty((v.shape[0], chosen.size, v.shape[2]), c.dtype)
        for i in range(v.shape[0]):
            for k in range(chosen.size):
                position = wrapped(chosen[k], v.shape[1])
                for j in range(v.shape[2]):
                    out[i, k, j] = v[i, position, j]
        return intrinsics.reshape(out, replaced(c.shape, axis, indices.shape))
    position = wrapped(indices, v.shape[1])
    if c.ndim == 1:
        return c[position]
    return intrinsics.reshape(v[:, position, :].copy(), intrinsics.drop(c.shape, axis))


def replaced(shape, axis, items):
    """Put items in place of one item of a tuple."""
    if len(items) == 0:
        return intrinsics.drop(shape, axis)
    if len(items) == 1:
        return intrinsics.replace(shape, axis, items[0])
    return replaced(intrinsics.insert(shape, axis + 1, items[len(items) - 1]), axis, items[:-1])


def select_pairs(a, rows, columns):
    """Select the elements that two arrays of positions name together."""
    first, second = np.int64(0) * columns + rows, np.int64(0) * rows + columns
    i = flat(first)
    j = flat(second)
    c = np.ascontiguousarray(a)
    v = intrinsics.reshape(c, (c.shape[0], c.shape[1], product(c.shape[2:])))
    out = np.empty((i.size, v.shape[2]), a.dtype)
    for at in range(i.size):
        x = wrapped(i[at], v.shape[0])
        y = wrapped(j[at], v.shape[1])
        for k in range(v.shape[2]):
            out[at, k] = v[x, y, k]
    return intrinsics.reshape(out, first.shape + c.shape[2:])


def is_positions(index):
    """Say whether an index is an array of ints."""
    if isinstance(index, np.ndarray):
        return index.dtype.kind == "i" or index.dtype.kind == "u"
    return False


@implements("array.__getitem__")
def select(a, index):
    """Select by a mask, by positions, or by a pair of which one is an array."""
    if isinstance(index, tuple):
        if len(index) == 1:
            return select(a, index[0])
        if len(index) != 2:
            intrinsics.unsupported("an array is only supported among one or two indices")
        first, second = index
        if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
            if first.dtype.kind == "b" or second.dtype.kind == "b":
                intrinsics.unsupported("a mask is not supported beside another array")
            return select_pairs(a, first, second)
        if isinstance(first, np.ndarray):
            return select(a[:, second], first)
        if isinstance(first, slice):
            if second.dtype.kind == "b":
                return take(a[first], nonzero(second)[0], 1)
            return take(a[first], second, 1)
        return select(a[first], second)
    if index.dtype.kind == "b":
        return select_masked(a, index)
    if index.dtype.kind == "i" or index.dtype.kind == "u":
        return take(a, index, 0)
    intrinsics.unsupported("arrays used as indices must be of integer (or boolean) type")


@implements("array.__setitem__")
def assign(a, index, value):
    """Assign to what a mask or positions of the first dimension select."""
    if isinstance(index, tuple):
        intrinsics.unsupported("assignment by an array among several indices is not supported")
    if index.dtype.kind == "b":
        check_mask(a, index)
        assign_rows(a, nonzero(index), value)
    elif index.dtype.kind == "i" or index.dtype.kind == "u":
        assign_positions(a, index, value)
    else:
        intrinsics.unsupported("arrays used as indices must be of integer (or boolean) type")


def assign_rows(a, positions, value):
    """Assign to the parts of an array that a position in each of its first dimensions names."""
    count = positions[0].size
    if isinstance(value, np.ndarray):
        if len(positions) == a.ndim and value.ndim == 1:
            if value.size != count and value.size != 1:
                raise ValueError("NumPy boolean array indexing assignment: the number of values differs")
            for i in range(count):
                a[row(positions, i)] = value[i] if value.size == count else value[0]
        else:
            intrinsics.unsupported("through a mask, numbers or a vector of them are assigned")
    else:
        for i in range(count):
            a[row(positions, i)] = value


def row(positions, i):
    """Take one position of each of a tuple of vectors."""
    if len(positions) == 0:
        return ()
    return (positions[0][i],) + row(positions[1:], i)


def assign_positions(a, index, value):
    """Assign to positions of the first dimension, one after the other."""
    chosen = flat(index)
    if isinstance(value, np.ndarray):
        if a.ndim == 1:
            if value.ndim != 1 or index.ndim != 1:
                intrinsics.unsupported("to positions, numbers or vectors of them are assigned")
            if value.size != chosen.size and value.size != 1:
                raise ValueError("shape mismatch: value array could not be broadcast to indexing result")
            for i in range(chosen.size):
                a[wrapped(chosen[i], a.shape[0])] = value[i] if value.size == chosen.size else value[0]
        elif value.ndim == a.ndim:
            if value.shape[0] != chosen.size:
                raise ValueError("shape mismatch: value array could not be broadcast to indexing result")
            for i in range(chosen.size):
                a[wrapped(chosen[i], a.shape[0])] = value[i]
        else:
            for i in range(chosen.size):
                a[wrapped(chosen[i], a.shape[0])] = value
    else:
        for i in range(chosen.size):
            a[wrapped(chosen[i], a.shape[0])] = value


def unraveled(positions, shape):
    """Split positions among all elements into those of each dimension."""
    if len(shape) == 1:
        return (positions,)
    size = shape[len(shape) - 1]
    return unraveled(positions // size, shape[:-1]) + (positions % size,)


@implements("numpy.flatnonzero")
def flatnonzero(a):
    """Find the positions of elements that are true, in C order."""
    v = flat(a)
    out = np.empty(v.size, np.int64)
    count = 0
    for i in range(v.size):
        if v[i] != 0:
            out[count] = i
            count += 1
    return out[:count].copy()


@implements("numpy.nonzero", "array.nonzero")
def nonzero(a):
    """Find the positions of elements that are true, for each dimension."""
    c = as_array(a)
    if c.ndim == 0:
        intrinsics.unsupported("nonzero takes arrays of at least one dimension")
    return unraveled(flatnonzero(c), c.shape)


@implements("numpy.argwhere")
def argwhere(a):
    """Find the positions of elements that are true, as rows."""
    c = as_array(a)
    positions = flatnonzero(c)
    out = np.empty((positions.size, c.ndim), np.int64)
    for i in range(positions.size):
        at = positions[i]
        for k in range(c.ndim):
            axis = c.ndim - 1 - k
            out[i, axis] = at % c.shape[axis]
            at //= c.shape[axis]
    return out


@implements("numpy.extract")
def extract(condition, arr):
    """Select the elements for which a condition holds."""
    return select_masked(flat(arr), flat(condition).astype(np.bool_))


@implements("numpy.compress")
def compress(condition, a):
    """Select the elements of a vector for which a condition holds."""
    return select_masked(flat(a), flat(condition).astype(np.bool_))


@implements("numpy.where")
def where(condition):
    """Find the positions of elements that are true, for each dimension."""
    return nonzero(condition)
