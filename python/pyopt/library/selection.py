"""Selecting elements by masks and by arrays of positions."""

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.shapes import as_array, checked_axis, flat, lanes, product


def check_mask(a, mask):
    """Compare the sizes of a mask with those of the dimensions it selects from."""
    if mask.ndim > a.ndim:
        intrinsics.unsupported("too many indices: the mask has more dimensions than the array")
    for i in range(mask.ndim):
        intrinsics.check(
            mask.shape[i] == a.shape[i],
            "IndexError",
            "boolean index did not match indexed array along axis {}; size of axis is {} but size of "
            "corresponding boolean axis is {}",
            i,
            a.shape[i],
            mask.shape[i],
        )


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


def wrapped(index, size, axis=0):
    """Count a position along an axis from the front."""
    position = np.int64(index)
    if position < 0:
        position += size
    inside = (position >= 0) & (position < size)
    intrinsics.check(
        inside, "IndexError", "index {} is out of bounds for axis {} with size {}", index, axis, size
    )
    return position


@implements("numpy.take", "array.take")
def take(a, indices, axis=None):
    """Select positions along an axis, or among all elements."""
    c = as_array(a)
    if axis is None:
        return take_lanes(flat(c), indices, 0)
    return take_lanes(c, indices, checked_axis(axis, c.ndim))


def take_lanes(c, indices, axis, told=None):
    """Select positions along an axis, which may be another one to the user."""
    named = axis if told is None else told
    v = lanes(c, axis)
    if isinstance(indices, tuple):
        return take_lanes(c, np.array(indices), axis, told)
    if isinstance(indices, np.ndarray):
        chosen = flat(indices)
        if c.ndim == 1:
            return intrinsics.reshape(take_numbers(c, chosen, named), indices.shape)
        out = np.empty((v.shape[0], chosen.size, v.shape[2]), c.dtype)
        for i in range(v.shape[0]):
            for k in range(chosen.size):
                position = wrapped(chosen[k], v.shape[1], named)
                for j in range(v.shape[2]):
                    out[i, k, j] = v[i, position, j]
        return intrinsics.reshape(out, replaced(c.shape, axis, indices.shape))
    position = wrapped(indices, v.shape[1], named)
    if c.ndim == 1:
        return c[position]
    return intrinsics.reshape(v[:, position, :].copy(), intrinsics.drop(c.shape, axis))


def take_numbers(v, chosen, axis):
    """Select positions of a vector that is an axis to the user."""
    out = np.empty(chosen.size, v.dtype)
    for k in range(chosen.size):
        out[k] = v[wrapped(chosen[k], v.size, axis)]
    return out


def replaced(shape, axis, items):
    """Put items in place of one item of a tuple."""
    if len(items) == 0:
        return intrinsics.drop(shape, axis)
    if len(items) == 1:
        return intrinsics.replace(shape, axis, items[0])
    return replaced(intrinsics.insert(shape, axis + 1, items[len(items) - 1]), axis, items[:-1])


@implements("array.__getitem__", role="selection")
def select(a, index):
    """Select by a mask, or by positions of the first dimension."""
    if index.dtype.kind == "b":
        return select_masked(a, index)
    if index.dtype.kind == "i" or index.dtype.kind == "u":
        return take(a, index, 0)
    intrinsics.unsupported("arrays used as indices must be of integer (or boolean) type")


@implements("array.__gather__")
def gather(a, indices, axes):
    """Select the parts of an array that arrays of positions in its first dimensions name together.

    ``axes`` says which axes these dimensions are to the user.
    """
    if len(indices) == 1:
        return take_lanes(as_array(a), indices[0], 0, axes[0])
    shape = broadcast_shape(indices)
    places = places_in_rows(spread(indices, shape), a.shape, axes)
    c = np.ascontiguousarray(a)
    inner = rest(c.shape, indices)
    v = intrinsics.reshape(c, (product(leading(c.shape, indices)), product(inner)))
    out = np.empty((places.size, v.shape[1]), a.dtype)
    for at in range(places.size):
        for k in range(v.shape[1]):
            out[at, k] = v[places[at], k]
    return intrinsics.reshape(out, shape + inner)


@implements("array.__scatter__")
def scatter(a, indices, axes, value):
    """Assign to the parts of an array that positions in its first dimensions name, one after the other."""
    shape = broadcast_shape(indices)
    places = checked_places(spread(indices, shape), a.shape, axes)
    if isinstance(value, np.ndarray):
        # A copy: what is assigned may be a part of what is assigned to.
        inner = rest(a.shape, indices)
        full = np.empty(shape + inner, a.dtype)
        full[...] = value
        rows = intrinsics.reshape(full, (product(shape),) + inner)
        for i in range(rows.shape[0]):
            a[row(places, i)] = rows[i]
    else:
        for i in range(product(shape)):
            a[row(places, i)] = value


def leading(shape, count):
    """Take as many items of a tuple as another one has."""
    if len(count) == 0:
        return ()
    return (shape[0],) + leading(shape[1:], count[1:])


def broadcast_shape(arrays):
    """Find the sizes of arrays that are broadcast together."""
    if len(arrays) == 1:
        return arrays[0].shape
    return common_sizes(arrays[0].shape, broadcast_shape(arrays[1:]))


def common_sizes(a, b):
    """Find the sizes that two shapes of index arrays are broadcast to."""
    if len(a) < len(b):
        return (b[0],) + common_sizes(a, b[1:])
    if len(a) > len(b):
        return (a[0],) + common_sizes(a[1:], b)
    if len(a) == 0:
        return ()
    if a[0] != b[0] and a[0] != 1 and b[0] != 1:
        raise IndexError("shape mismatch: indexing arrays could not be broadcast together")
    return (b[0] if a[0] == 1 else a[0],) + common_sizes(a[1:], b[1:])


def spread(arrays, shape):
    """Broadcast each array of a tuple, as a vector of int64."""
    if len(arrays) == 0:
        return ()
    full = np.empty(shape, np.int64)
    full[...] = arrays[0]
    return (flat(full),) + spread(arrays[1:], shape)


def checked_places(positions, shape, axes):
    """Count the positions of each of a tuple of vectors from the front."""
    if len(positions) == 0:
        return ()
    first = positions[0]
    for i in range(first.size):
        first[i] = wrapped(first[i], shape[0], axes[0])
    return (first,) + checked_places(positions[1:], shape[1:], axes[1:])


def places_in_rows(positions, shape, axes):
    """Join positions in each of the first dimensions to positions in C order."""
    first = positions[0]
    out = np.empty(first.size, np.int64)
    for i in range(first.size):
        out[i] = wrapped(first[i], shape[0], axes[0])
    if len(positions) == 1:
        return out
    inner = places_in_rows(positions[1:], shape[1:], axes[1:])
    return out * product(leading(shape[1:], positions[1:])) + inner


def row(positions, i):
    """Take one position of each of a tuple of vectors."""
    if len(positions) == 0:
        return ()
    return (positions[0][i],) + row(positions[1:], i)


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
        if bool(v[i]):
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
    return take_lanes(flat(arr), flatnonzero(condition), 0)


@implements("numpy.compress")
def compress(condition, a):
    """Select the elements for which a condition holds, of which there may be more or fewer."""
    chosen = as_array(condition)
    if chosen.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    return take_lanes(flat(a), flatnonzero(chosen), 0)


@implements("numpy.where")
def where(condition, x=None, y=None):
    """Find the positions of elements that are true, for each dimension, or select from lists and tuples."""
    if x is None and y is None:
        return nonzero(condition)
    if isinstance(condition, (list, tuple)):
        return np.where(np.array(condition), x, y)
    if isinstance(x, (list, tuple)):
        return np.where(condition, np.array(x), y)
    if not isinstance(y, (list, tuple)):
        intrinsics.unsupported("a condition and two values of one kind of number select")
    return np.where(condition, x, np.array(y))
