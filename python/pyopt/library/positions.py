"""Arrays of positions, and elements at positions along an axis."""

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.broadcasting import as_tuple, broadcast_to, common_shape
from pyopt.library.editing import tril_indices, triu_indices
from pyopt.library.selection import unraveled, wrapped
from pyopt.library.shapes import as_array, checked_axis, flat, lanes, product


@implements("numpy.indices")
def indices(dimensions):
    """Give for each axis of a shape the positions along it of all elements."""
    shape = as_tuple(dimensions)
    out = np.empty((len(shape),) + shape, np.int64)
    rows = intrinsics.reshape(out, (len(shape), product(shape)))
    inner = product(shape)
    for axis in range(len(shape)):
        size = shape[axis]
        inner = inner // size if size > 0 else 0
        at = 0
        for position in range(rows.shape[1] // inner if inner > 0 else 0):
            for _ in range(inner):
                rows[axis, at] = position % size
                at += 1
    return out


@implements("numpy.tril_indices_from")
def tril_indices_from(arr, k=0):
    """Give the positions on and below a diagonal of a matrix."""
    if arr.ndim != 2:
        intrinsics.unsupported("input array must be 2-d")
    return tril_indices(arr.shape[0], k, arr.shape[1])


@implements("numpy.triu_indices_from")
def triu_indices_from(arr, k=0):
    """Give the positions on and above a diagonal of a matrix."""
    if arr.ndim != 2:
        intrinsics.unsupported("input array must be 2-d")
    return triu_indices(arr.shape[0], k, arr.shape[1])


@implements("numpy.diagflat")
def diagflat(v, k=0):
    """Make a matrix of zeros with numbers on a diagonal."""
    values = flat(v)
    size = values.size + abs(k)
    out = np.zeros((size, size), values.dtype)
    for i in range(values.size):
        out[i + max(-k, 0), i + max(k, 0)] = values[i]
    return out


@implements("numpy.take_along_axis")
def take_along_axis(arr, indices, axis=-1):
    """Take the elements at positions along an axis, each among those of its lane."""
    c = as_array(arr)
    places = as_array(indices)
    if places.dtype.kind != "i" and places.dtype.kind != "u":
        intrinsics.unsupported("`indices` must be an integer array")
    if axis is None:
        if places.ndim != 1:
            intrinsics.unsupported("when axis=None, `indices` must have a single dimension.")
        return along_lanes(flat(c), places, 0)
    if places.ndim != c.ndim:
        intrinsics.unsupported("`indices` and `arr` must have the same number of dimensions")
    return along_lanes(c, places, checked_axis(axis, c.ndim))


def along_lanes(c, places, axis):
    """Take the elements at positions of each lane; the other axes are broadcast."""
    shape = common_shape(intrinsics.replace(c.shape, axis, 1), intrinsics.replace(places.shape, axis, 1))
    all_places = broadcast_to(places, intrinsics.replace(shape, axis, places.shape[axis]))
    at = lanes(np.ascontiguousarray(all_places), axis)
    v = lanes(np.ascontiguousarray(broadcast_to(c, intrinsics.replace(shape, axis, c.shape[axis]))), axis)
    out = np.empty(all_places.shape, c.dtype)
    to = lanes(out, axis)
    for i in range(at.shape[0]):
        for k in range(at.shape[1]):
            for j in range(at.shape[2]):
                to[i, k, j] = v[i, wrapped(at[i, k, j], v.shape[1]), j]
    return out


@implements("numpy.unravel_index")
def unravel_index(indices, shape):
    """Split positions in C order among all elements into those of each dimension."""
    sizes = as_tuple(shape)
    positions = as_array(indices)
    if positions.dtype.kind != "i" and positions.dtype.kind != "u":
        intrinsics.unsupported("only int indices permitted")
    count = product(sizes)
    for position in positions.flat:
        intrinsics.check(
            0 <= position < count,
            "ValueError",
            "index {} is out of bounds for array with size {}",
            position,
            count,
        )
    if positions.ndim == 0:
        return unraveled(np.int64(positions.item()), sizes)
    return unraveled(positions.astype(np.int64), sizes)


@implements("numpy.ravel_multi_index")
def ravel_multi_index(multi_index, dims):
    """Join positions in each dimension to positions in C order among all elements."""
    sizes = as_tuple(dims)
    if len(multi_index) != len(sizes):
        intrinsics.unsupported("parameter multi_index must be a sequence of as many items as there are dims")
    return joined(multi_index, sizes)


def joined(positions, sizes):
    """Join the last of so many positions to those before it."""
    last = len(sizes) - 1
    position = positions[last]
    for one in as_array(position).flat:
        intrinsics.check(0 <= one < sizes[last], "ValueError", "invalid entry in coordinates array")
    if last == 0:
        return position + 0
    return joined(positions[:-1], sizes[:-1]) * sizes[last] + position
