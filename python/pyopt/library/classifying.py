"""What numbers are: real, infinite, scalars; and positions of what isn't NaN."""

import numpy as np

from pyopt.library import implements, intrinsics, literal
from pyopt.library.axes import reduced, reduction_axis, reduction_lanes
from pyopt.library.lane_threads import by_columns
from pyopt.library.scans import cumprod, cumsum
from pyopt.library.searching import argmax, argmin
from pyopt.library.shapes import as_array, flat


@implements("numpy.iscomplex")
def iscomplex(x):
    """Say which elements have an imaginary part."""
    return np.imag(x) != 0


@implements("numpy.isreal")
def isreal(x):
    """Say which elements have no imaginary part."""
    return np.imag(x) == 0


@implements("numpy.isposinf")
def isposinf(x):
    """Say which elements are infinity."""
    if as_array(x).dtype.kind == "c":
        intrinsics.unsupported("complex numbers have no order")
    return x == np.inf


@implements("numpy.isneginf")
def isneginf(x):
    """Say which elements are negative infinity."""
    if as_array(x).dtype.kind == "c":
        intrinsics.unsupported("complex numbers have no order")
    return x == -np.inf


@implements("numpy.isscalar")
def isscalar(element):
    """Say whether a value is a number or a text."""
    return element is not None and not isinstance(element, (np.ndarray, tuple, list, slice, range))


@implements("numpy.fix")
def fix(x):
    """Round toward zero."""
    return np.trunc(x)


@implements("numpy.asarray_chkfinite")
def asarray_chkfinite(a):
    """Make an array of numbers that are all finite."""
    v = flat(a)
    for i in range(v.size):
        if not np.isfinite(v[i]):
            raise ValueError("array must not contain infs or NaNs")
    if isinstance(a, np.ndarray):
        return a
    return as_array(a)


def first_best(v, i, j, is_better):
    """Find the position of the element of a lane that none is better than, NaN apart."""
    best = -1
    for k in range(v.shape[1]):
        x = v[i, k, j]
        if x == x and (best < 0 or is_better(x, v[i, best, j])):
            best = k
    if best < 0:
        raise ValueError("All-NaN slice encountered")
    if v.dtype.kind == "f":
        # As in NumPy, NaN is as good as the worst number: the first of them is found.
        x = v[i, best, j]
        if np.isinf(x) and not is_better(x, -x):
            return 0
    return best


def search_numbers(v, out, other, number, is_better, i, start, stop):
    """Search columns for elements that aren't NaN."""
    for j in range(start, stop):
        out[i, j] = first_best(v, i, j, is_better)


def nan_positions(a, axis, keepdims: literal, is_better, search):
    """Search each lane along an axis for an element that isn't NaN; NaT is found first, as in NumPy."""
    c = as_array(a)
    if c.dtype.kind == "m" or c.dtype.kind == "M":
        return search(c, axis, keepdims)
    at = reduction_axis(c, axis)
    v = reduction_lanes(c, at)
    if v.shape[1] == 0:
        raise ValueError("attempt to get argmin or argmax of an empty sequence")
    if not keepdims and (at is None or c.ndim == 1):
        return first_best(v, 0, 0, is_better)
    out = np.empty((v.shape[0], v.shape[2]), np.int64)
    by_columns(search_numbers, v, out, 0, 0, is_better)
    return reduced(out, c.shape, at, keepdims)


@implements("numpy.nanargmin")
def nanargmin(a, axis=None, keepdims: literal = False):
    """Find the positions of the least elements along an axis that aren't NaN."""
    return nan_positions(a, axis, keepdims, np.less, argmin)


@implements("numpy.nanargmax")
def nanargmax(a, axis=None, keepdims: literal = False):
    """Find the positions of the greatest elements along an axis that aren't NaN."""
    return nan_positions(a, axis, keepdims, np.greater, argmax)


def without_nans(c, other):
    """Replace NaN by a number, in a copy."""
    if c.dtype.kind == "f" or c.dtype.kind == "c":
        return np.where(np.isnan(c), c.dtype.type(other), c)
    return c


@implements("numpy.nancumsum")
def nancumsum(a, axis=None, dtype: literal = None):
    """Sum the elements up to each one, NaN as 0."""
    return cumsum(without_nans(as_array(a), 0), axis, dtype)


@implements("numpy.nancumprod")
def nancumprod(a, axis=None, dtype: literal = None):
    """Multiply the elements up to each one, NaN as 1."""
    return cumprod(without_nans(as_array(a), 1), axis, dtype)
