"""Arrays with elements left out, put in, or set by position."""

import numpy as np

from pyopt.library import implements, intrinsics, known
from pyopt.library.joining import concatenate, tri
from pyopt.library.selection import flatnonzero, nonzero, take_lanes, wrapped
from pyopt.library.shapes import as_array, checked_axis, flat


@implements("numpy.delete")
def delete(arr, obj, axis=None):
    """Leave out positions along an axis, or of all elements."""
    if axis is None:
        return delete(flat(arr), obj, 0)
    c = as_array(arr)
    at = checked_axis(axis, c.ndim)
    kept = np.ones(c.shape[at], np.bool_)
    if isinstance(obj, slice):
        kept[obj] = False
    elif isinstance(obj, np.ndarray):
        kept[obj] = False
    elif isinstance(obj, list) or isinstance(obj, tuple):
        for position in obj:
            kept[wrapped(position, kept.size)] = False
    else:
        kept[wrapped(obj, kept.size)] = False
    return take_lanes(c, flatnonzero(kept), at)


@implements("numpy.insert")
def insert(arr, obj, values):
    """Put a number or a vector before a position of all elements, or a number before each of several."""
    v = flat(arr)
    if isinstance(obj, list) or isinstance(obj, tuple) or isinstance(obj, np.ndarray):
        return insert_each(v, flat(obj), flat(values))
    if not isinstance(obj, int):
        intrinsics.unsupported("insert takes positions")
    position = obj + v.size if obj < 0 else obj
    inside = (position >= 0) & (position <= v.size)
    intrinsics.check(inside, "IndexError", "index {} is out of bounds for axis 0 with size {}", obj, v.size)
    new = flat(values).astype(v.dtype)
    return concatenate((v[:position], new, v[position:]), 0)


def insert_each(v, positions, values):
    """Put a number, or each of as many, before several positions of a vector."""
    if positions.size == 1:
        return insert(v, int(positions[0]), values)
    if values.size != 1 and values.size != positions.size:
        raise ValueError("insert needs a value for each position")
    places = np.empty(positions.size, np.int64)
    for i in range(positions.size):
        position = int(positions[i])
        inside = -v.size <= position <= v.size
        intrinsics.check(
            inside, "IndexError", "index {} is out of bounds for axis 0 with size {}", position, v.size
        )
        places[i] = position + v.size if position < 0 else position
    out = np.empty(v.size + places.size, v.dtype)
    is_new = np.zeros(out.size, np.bool_)
    order = np.argsort(places, kind="mergesort")
    for i in range(order.size):
        place = places[order[i]] + i
        out[place] = values[0 if values.size == 1 else order[i]]
        is_new[place] = True
    taken = 0
    for i in range(out.size):
        if not is_new[i]:
            out[i] = v[taken]
            taken += 1
    return out


@implements("numpy.fill_diagonal")
def fill_diagonal(a, val, wrap=False):
    """Assign numbers to the main diagonal, in a tall matrix on request again and again."""
    if a.ndim < 2:
        intrinsics.unsupported("fill_diagonal takes arrays of at least two dimensions")
    values = flat(val)
    if values.size == 0:
        raise ValueError("fill_diagonal needs a value")
    if a.ndim == 2:
        columns = a.shape[1]
        count = min(a.shape[0], columns)
        for i in range(count):
            a[i, i] = values[i % values.size]
        if wrap:
            # A row is left out between two diagonals.
            for i in range(columns + 1, a.shape[0]):
                column = i % (columns + 1)
                if column < columns:
                    a[i, column] = values[(i - i // (columns + 1)) % values.size]
    else:
        for i in range(1, a.ndim):
            if a.shape[i] != a.shape[0]:
                raise ValueError("All dimensions of input must be of equal length")
        for i in range(a.shape[0]):
            a[intrinsics.fill(i, a.ndim)] = values[i % values.size]


@implements("numpy.tril_indices")
def tril_indices(n, k=0, m=None):
    """Find the positions of a matrix up to a diagonal."""
    return nonzero(tri(n, n if m is None else m, k))


@implements("numpy.triu_indices")
def triu_indices(n, k=0, m=None):
    """Find the positions of a matrix from a diagonal on."""
    return nonzero(tri(n, n if m is None else m, k - 1) == 0)


@implements("numpy.rot90")
def rot90(m, k: known = 1):
    """Turn a matrix, or each of many behind its first two axes, by right angles, counterclockwise."""
    if m.ndim < 2:
        intrinsics.unsupported("rot90 takes matrices")
    if k % 4 == 0:
        return m[:, :]
    if k % 4 == 1:
        return np.swapaxes(m, 0, 1)[::-1]
    if k % 4 == 2:
        return m[::-1, ::-1]
    return np.swapaxes(m[::-1], 0, 1)


@implements("numpy.ediff1d")
def ediff1d(ary):
    """Find the differences of neighbours among all elements."""
    v = flat(ary)
    return v[1:] - v[: max(v.size - 1, 0)]


@implements("numpy.vander")
def vander(x, N=None, increasing=False):
    """Make a matrix of powers of a vector's elements."""
    if x.ndim != 1:
        intrinsics.unsupported("vander takes vectors")
    columns = x.size if N is None else N
    out = np.empty((x.size, columns), np.result_type(x, np.int64))
    for i in range(x.size):
        power = out.dtype.type(1)
        for j in range(columns):
            out[i, j if increasing else columns - 1 - j] = power
            # 1 times a complex infinity has NaN in it.
            power = power * x[i] if j else out.dtype.type(x[i])
    return out
