"""Putting arrays together and taking them apart."""

import numpy as np

from pyopt.library import implements, intrinsics, literal
from pyopt.library.arrays_of_lists import concatenate_list, stack_list
from pyopt.library.lane_threads import copy_rows, repeat_evenly, repeat_lanes_to
from pyopt.library.shapes import (
    as_array,
    as_planes,
    as_rows,
    as_vector,
    checked_axis,
    each,
    flat,
    lanes,
    times,
)


def joined_size(arrays, axis):
    """Add up the sizes of arrays along an axis."""
    if len(arrays) == 0:
        return 0
    return arrays[0].shape[axis] + joined_size(arrays[1:], axis)


def long_rows(c, axis):
    """View a C-contiguous array as a matrix whose columns are those of an axis and all behind it."""
    v = lanes(c, axis)
    return intrinsics.reshape(v, (v.shape[0], v.shape[1] * v.shape[2]))


def copy_parts(out, start, arrays, axis, shape):
    """Copy arrays behind each other to the long rows of their axis, from a position on."""
    if len(arrays) > 0:
        part = np.ascontiguousarray(arrays[0])
        if part.ndim != len(shape):
            intrinsics.unsupported("all the input arrays must have same number of dimensions")
        for i in range(part.ndim):
            if i != axis and part.shape[i] != shape[i]:
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must match exactly"
                )
        v = long_rows(part, axis)
        copy_rows(v, out, start)
        copy_parts(out, start + v.shape[1], arrays[1:], axis, shape)


def flattened(arrays):
    """View each array of a tuple as a vector."""
    if len(arrays) == 0:
        return ()
    return (flat(arrays[0]),) + flattened(arrays[1:])


@implements("numpy.concatenate", "numpy.concat")
def concatenate(arrays, axis=0):
    """Join a tuple of arrays along an axis."""
    if isinstance(arrays, list):
        return concatenate_list(arrays, axis)
    if not isinstance(arrays, tuple):
        intrinsics.unsupported("a tuple or list of arrays is joined")
    if axis is None:
        return concatenate(flattened(arrays), 0)
    at = checked_axis(axis, arrays[0].ndim)
    shape = intrinsics.replace(arrays[0].shape, at, joined_size(arrays, at))
    out = np.empty(shape, np.result_type(*arrays))
    copy_parts(long_rows(out, at), 0, arrays, at, shape)
    return out


def as_columns(a):
    """Make a column of a vector."""
    c = as_array(a)
    if c.ndim < 2:
        return intrinsics.reshape(c, (c.size, 1))
    return c


@implements("numpy.vstack", "numpy.row_stack")
def vstack(tup):
    """Join arrays as rows."""
    return concatenate(each(tup, as_rows), 0)


@implements("numpy.dstack")
def dstack(tup):
    """Join arrays along their third axis."""
    return concatenate(each(tup, as_planes), 2)


@implements("numpy.column_stack")
def column_stack(tup):
    """Join vectors as columns."""
    return concatenate(each(tup, as_columns), 1)


@implements("numpy.hstack")
def hstack(tup):
    """Join vectors, or arrays along their second axis."""
    arrays = each(tup, as_vector)
    if arrays[0].ndim == 1:
        return concatenate(arrays, 0)
    return concatenate(arrays, 1)


def with_axis(arrays, axis):
    """Insert an axis of size 1 into each array of a tuple."""
    if len(arrays) == 0:
        return ()
    c = as_array(arrays[0])
    return (intrinsics.reshape(c, intrinsics.insert(c.shape, axis, 1)),) + with_axis(arrays[1:], axis)


@implements("numpy.stack")
def stack(arrays, axis=0):
    """Join arrays along a new axis."""
    if isinstance(arrays, list):
        return stack_list(arrays, axis)
    at = checked_axis(axis, as_array(arrays[0]).ndim + 1)
    return concatenate(with_axis(arrays, at), at)


@implements("numpy.append")
def append(arr, values, axis=None):
    """Join two arrays, as vectors or along an axis."""
    if axis is None:
        return concatenate((flat(arr), flat(values)), 0)
    return concatenate((arr, values), axis)


@implements("numpy.repeat", "array.repeat")
def repeat(a, repeats, axis=None):
    """Repeat each element, all as often or each as often as an array says."""
    if axis is None:
        c = flat(a)
        return repeat_lanes(c, repeats, 0)
    c = as_array(a)
    return repeat_lanes(c, repeats, checked_axis(axis, c.ndim))


def repeat_lanes(c, repeats, axis):
    """Repeat the elements along an axis."""
    v = lanes(c, axis)
    if isinstance(repeats, np.ndarray):
        return repeat_unevenly(c, flat(repeats), axis)
    if repeats < 0:
        raise ValueError("repeats may not contain negative values.")
    out = np.empty((v.shape[0] * v.shape[1], repeats, v.shape[2]), c.dtype)
    repeat_evenly(intrinsics.reshape(v, (v.shape[0] * v.shape[1], v.shape[2])), out)
    return intrinsics.reshape(out, intrinsics.replace(c.shape, axis, v.shape[1] * repeats))


def repeat_unevenly(c, given, axis):
    """Repeat the elements along an axis, each as often as a vector says."""
    v = lanes(c, axis)
    # Where the items of each begin in the result, and where the last ones end.
    starts = np.empty(v.shape[1] + 1, np.int64)
    starts[0] = 0
    if given.size != 1 and given.size != v.shape[1]:
        raise ValueError("operands could not be broadcast together: a count for each element is needed")
    for i in range(v.shape[1]):
        starts[i + 1] = given[0] if given.size == 1 else given[i]
    for i in range(v.shape[1]):
        if starts[i + 1] < 0:
            raise ValueError("repeats may not contain negative values.")
        if starts[i + 1] > 9223372036854775807 - starts[i]:
            raise MemoryError("unable to allocate an array")
        starts[i + 1] += starts[i]
    total = starts[v.shape[1]]
    out = np.empty((v.shape[0], total, v.shape[2]), c.dtype)
    repeat_lanes_to(v, starts, out)
    return intrinsics.reshape(out, intrinsics.replace(c.shape, axis, total))


@implements("numpy.tile")
def tile(A, reps):
    """Repeat a whole array, along its last axis or as a tuple says."""
    c = as_array(A)
    if isinstance(reps, tuple):
        if c.ndim < len(reps):
            return tile(intrinsics.reshape(c, (1,) + c.shape), reps)
        if c.ndim > len(reps):
            return tile(c, (1,) + reps)
        out = c
        for axis in range(c.ndim):
            out = tile_axis(out, reps[axis], axis)
        return out
    return tile(c, (reps,))


def tile_axis(c, count, axis):
    """Repeat a whole array along an axis."""
    v = long_rows(c, axis)
    copies = max(count, 0)
    out = np.empty((v.shape[0], times(v.shape[1], copies)), c.dtype)
    if out.size > 0:
        for k in range(copies):
            copy_rows(v, out, k * v.shape[1])
    return intrinsics.reshape(out, intrinsics.replace(c.shape, axis, times(c.shape[axis], copies)))


@implements("numpy.roll")
def roll(a, shift, axis=None):
    """Rotate the elements, all of them or along an axis."""
    c = as_array(a)
    if axis is None:
        size = c.size
        v = intrinsics.reshape(c, (1, c.size))
    else:
        at = checked_axis(axis, c.ndim)
        size = c.shape[at]
        v = long_rows(c, at)
    out = np.empty(v.shape, c.dtype)
    if size > 0:
        by = shift % size * (v.shape[1] // size)
        copy_rows(v[:, : v.shape[1] - by], out, by)
        copy_rows(v[:, v.shape[1] - by :], out, 0)
    return intrinsics.reshape(out, c.shape)


def diagonal_within(k, rows, columns):
    """Give a diagonal's number; of one that is beyond a matrix the next one beyond it."""
    return min(max(k, -rows - 1), columns + 1)


@implements("numpy.tril")
def tril(m, k=0):
    """Copy a matrix with zeros above a diagonal."""
    if m.ndim != 2:
        intrinsics.unsupported("tril takes matrices")
    offset = diagonal_within(k, m.shape[0], m.shape[1])
    out = np.zeros(m.shape, m.dtype)
    for i in range(m.shape[0]):
        for j in range(min(max(i + offset + 1, 0), m.shape[1])):
            out[i, j] = m[i, j]
    return out


@implements("numpy.triu")
def triu(m, k=0):
    """Copy a matrix with zeros below a diagonal."""
    if m.ndim != 2:
        intrinsics.unsupported("triu takes matrices")
    offset = diagonal_within(k, m.shape[0], m.shape[1])
    out = np.zeros(m.shape, m.dtype)
    for i in range(m.shape[0]):
        for j in range(max(i + offset, 0), m.shape[1]):
            out[i, j] = m[i, j]
    return out


@implements("numpy.tri")
def tri(N, M=None, k=0, dtype: literal = "float64"):
    """Make a matrix with ones up to a diagonal."""
    columns = N if M is None else M
    out = np.zeros((N, columns), dtype)
    offset = diagonal_within(k, N, columns)
    for i in range(N):
        for j in range(min(max(i + offset + 1, 0), columns)):
            out[i, j] = 1
    return out


@implements("numpy.diag")
def diag(v, k=0):
    """Take a diagonal of a matrix, or make a matrix of one."""
    if v.ndim == 2:
        row = max(-k, 0)
        column = max(k, 0)
        out = np.empty(max(min(v.shape[0] - row, v.shape[1] - column), 0), v.dtype)
        for i in range(out.size):
            out[i] = v[row + i, column + i]
        return out
    if v.ndim != 1:
        intrinsics.unsupported("diag takes vectors and matrices")
    size = v.size + abs(k)
    matrix = np.zeros((size, size), v.dtype)
    for i in range(v.size):
        matrix[i + max(-k, 0), i + max(k, 0)] = v[i]
    return matrix


@implements("numpy.meshgrid")
def meshgrid(x, y, indexing: literal = "xy"):
    """Make the coordinates of a grid's points from those of its lines."""
    a = flat(x)
    b = flat(y)
    if indexing == "xy":
        rows = np.empty((b.size, a.size), a.dtype)
        columns = np.empty((b.size, a.size), b.dtype)
        for i in range(b.size):
            for j in range(a.size):
                rows[i, j] = a[j]
                columns[i, j] = b[i]
        return rows, columns
    if indexing != "ij":
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    first = np.empty((a.size, b.size), a.dtype)
    second = np.empty((a.size, b.size), b.dtype)
    for i in range(a.size):
        for j in range(b.size):
            first[i, j] = a[i]
            second[i, j] = b[j]
    return first, second
