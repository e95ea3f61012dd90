"""The positions of the least and the greatest elements: the first ones, or the first NaN."""

import numpy as np

from pyopt.library import implements, intrinsics, literal
from pyopt.library.axes import reduced, reduction_axis, reduction_lanes
from pyopt.library.folding import by_columns, by_rows
from pyopt.library.shapes import as_array


def wins_low(x, y):
    """Say whether a number is before another one."""
    return np.less(x, y) or (x != x and y == y)


def wins_high(x, y):
    """Say whether a number is behind another one."""
    return np.greater(x, y) or (x != x and y == y)


def search_columns(v, out, best, number, better, i, start, stop):
    """Search columns, whose best elements so far are those of the first row."""
    for k in range(1, v.shape[1]):
        for j in range(start, stop):
            wins = better(v[i, k, j], best[i, j])
            best[i, j] = v[i, k, j] if wins else best[i, j]
            out[i, j] = k if wins else out[i, j]


def position_of(v, i, start, x):
    """Find an element of a row, which is in the stretch that begins at a position."""
    stop = min(start + 4096, v.shape[1])
    first = stop
    for k in range(start, stop):
        y = v[i, k, 0]
        if y == x or y != y:
            first = min(first, k)
    return first


def search_row(v, out, reduce, number, better, i):
    """Search a row: find the first stretch that has the best element, then that."""
    best = v[i, 0, 0]
    start = 0
    for k in range(0, v.shape[1], 4096):
        x = reduce(v[i, k : k + 4096, 0])
        if better(x, best):
            best = x
            start = k
    out[i, 0] = position_of(v, i, start, best)


def search_stretches(v, out, reduce, better):
    """Search the only row: find the best element of each stretch, then the first such stretch."""
    count = (v.shape[1] + 4095) // 4096
    best = np.empty(count, v.dtype)
    parts = intrinsics.parts(count, 4096)
    for part in intrinsics.prange("reduction", parts):
        for k in range(count * part // parts, count * (part + 1) // parts):
            best[k] = reduce(v[0, k * 4096 : (k + 1) * 4096, 0])
    first = 0
    for k in range(1, count):
        if better(best[k], best[first]):
            first = k
    out[0, 0] = position_of(v, 0, first * 4096, best[first])


def positions(a, axis, keepdims: literal, reduce, better):
    """Search each lane along an axis."""
    c = as_array(a)
    at = reduction_axis(c, axis)
    v = reduction_lanes(c, at)
    if v.shape[1] == 0:
        raise ValueError("attempt to get argmin or argmax of an empty sequence")
    out = np.zeros((v.shape[0], v.shape[2]), np.int64)
    if c.dtype.kind == "f" or c.dtype.kind == "i" or c.dtype.kind == "u":
        if at is None or c.ndim == 1:
            if intrinsics.is_parallel():
                search_stretches(v, out, reduce, better)
            else:
                search_row(v, out, reduce, 0, better, 0)
        elif v.shape[2] == 1:
            by_rows(search_row, v, out, reduce, 0, better)
        else:
            by_columns(search_columns, v, out, v[:, 0, :].copy(), 0, better)
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
