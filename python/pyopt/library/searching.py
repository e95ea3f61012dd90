"""The positions of the least and the greatest elements: the first ones, or the first NaN."""

import numpy as np

from pyopt.library import implements, intrinsics, literal
from pyopt.library.axes import reduced, reduction_axis, reduction_lanes
from pyopt.library.lane_threads import by_columns, by_rows
from pyopt.library.shapes import as_array, as_it_is, flat


def wins_low(x, y):
    """Say whether a number is before another one, or the first NaN."""
    if np.result_type(x).kind == "c":
        return np.less(x, y) or (x != x and y == y)
    # What isn't greater or equal is less or NaN: most elements need one comparison.
    return not np.greater_equal(x, y) and y == y


def wins_high(x, y):
    """Say whether a number is behind another one, or the first NaN."""
    if np.result_type(x).kind == "c":
        return np.greater(x, y) or (x != x and y == y)
    return not np.less_equal(x, y) and y == y


def search_columns(v, out, best, number, better, i, start, stop):
    """Search columns, whose best elements so far are those of the first row."""
    for k in range(1, v.shape[1]):
        for j in range(start, stop):
            wins = better(v[i, k, j], best[i, j])
            best[i, j] = v[i, k, j] if wins else best[i, j]
            out[i, j] = k if wins else out[i, j]


def first_extreme(v, better):
    """Search a vector from its first element to its last, or to its first NaN.

    Tests for NaN are hardly ever true, so they cost little; behind them comparisons are of numbers
    alone, and the best element is chosen without a branch that nobody can predict.
    """
    best = v[0]
    first = 0
    if v.dtype.kind == "f" and best != best:
        return first
    for k in range(1, v.size):
        x = v[k]
        if v.dtype.kind == "f" and x != x:
            return k
        if better(x, best):
            best = x
            first = k
    return first


def position_of(v, start, x):
    """Find an element of a vector, which is in the stretch that begins at a position.

    Blocks are looked at as a whole, which takes vectors, until one has it.
    """
    stop = min(start + 4096, v.size)
    for block in range(start, stop, 64):
        end = min(block + 64, stop)
        hits = 0
        for k in range(block, end):
            hits |= np.int64(v[k] == x) | np.int64(v[k] != v[k])
        if hits != 0:
            for k in range(block, end):
                if v[k] == x or v[k] != v[k]:
                    return k
    return stop


def search_vector(v, reduce, better):
    """Search a vector: find the first stretch that has the best element, then that.

    A short one, or one whose elements aren't side by side, is searched faster element by element.
    """
    if v.size <= 128 or v.strides[0] != v.itemsize:
        return first_extreme(v, better)
    best = v[0]
    start = 0
    for k in range(0, v.size, 4096):
        x = reduce(v[k : k + 4096])
        if better(x, best):
            best = x
            start = k
    return position_of(v, start, best)


def search_row(rows, out, reduce, number, better, i):
    """Search a row of a matrix."""
    out[i, 0] = search_vector(rows[i], reduce, better)


def search_stretches(v, reduce, better):
    """Search a vector: find the best element of each stretch, then the first such stretch."""
    count = (v.size + 4095) // 4096
    best = np.empty(count, v.dtype)
    parts = intrinsics.parts(count, 4096)
    for part in intrinsics.prange("reduction", parts):
        for k in range(count * part // parts, count * (part + 1) // parts):
            best[k] = reduce(v[k * 4096 : (k + 1) * 4096])
    first = 0
    for k in range(1, count):
        if better(best[k], best[first]):
            first = k
    return position_of(v, first * 4096, best[first])


def extreme_position(v, reduce, better):
    """Search a vector, in stretches if its elements are compared in a vector."""
    if v.dtype.kind == "f" or v.dtype.kind == "i" or v.dtype.kind == "u":
        if intrinsics.is_parallel() and v.size > 4096:
            return search_stretches(v, reduce, better)
        return search_vector(v, reduce, better)
    return first_extreme(v, better)


def check_not_empty(size):
    """Refuse to search nothing."""
    if size == 0:
        raise ValueError("attempt to get argmin or argmax of an empty sequence")


def positions(a, axis, keepdims: literal, reduce, better):
    """Search each lane along an axis."""
    given = as_it_is(a)
    at = reduction_axis(given, axis)
    if at is None or given.ndim == 1:
        check_not_empty(given.size)
        # Of a vector whose elements aren't side by side no copy is made.
        found = extreme_position(given if given.ndim == 1 else flat(given), reduce, better)
        if not keepdims:
            return found
        return intrinsics.reshape(np.full((1,), found), intrinsics.fill(1, given.ndim))
    c = as_array(given)
    v = reduction_lanes(c, at)
    check_not_empty(v.shape[1])
    out = np.zeros((v.shape[0], v.shape[2]), np.int64)
    if v.shape[2] == 1 and (c.dtype.kind == "f" or c.dtype.kind == "i" or c.dtype.kind == "u"):
        rows = intrinsics.reshape(v, (v.shape[0], v.shape[1]))
        by_rows(search_row, rows, out, reduce, 0, better)
    else:
        by_columns(search_columns, v, out, v[:, 0, :].copy(), 0, better)
    return reduced(out, c.shape, at, keepdims)


@implements("numpy.argmin", "array.argmin")
def argmin(a, axis=None, keepdims: literal = False):
    """Find the positions of the least elements along an axis."""
    return positions(a, axis, keepdims, np.min, wins_low)


@implements("numpy.argmax", "array.argmax")
def argmax(a, axis=None, keepdims: literal = False):
    """Find the positions of the greatest elements along an axis."""
    return positions(a, axis, keepdims, np.max, wins_high)
