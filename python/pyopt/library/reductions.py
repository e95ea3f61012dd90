"""Reductions along an axis, and those that NumPy's names say more of."""

import numpy as np

from pyopt.library import implements, intrinsics, literal
from pyopt.library.axes import reduced, reduction_axis, reduction_lanes
from pyopt.library.folding import extremes, fold, means, size_kind, sums, variances
from pyopt.library.lane_threads import by_columns
from pyopt.library.scans import accumulator, multiplied
from pyopt.library.several_axes import checked_axes, count_over, over_axes, variance_over, without_axes
from pyopt.library.shapes import as_array, flat


def sum_kept(a, axis):
    """Sum along an axis, which keeps its place."""
    return sum_along(a, axis, None, True)


@implements("numpy.sum")
def sum_along(a, axis=None, dtype: literal = None, keepdims: literal = False):
    """Sum the elements along an axis."""
    c = as_array(a)
    if isinstance(axis, tuple):
        return over_axes(c.astype(accumulator(c, dtype)), axis, keepdims, sum_kept)
    at = reduction_axis(c, axis)
    return reduced(sums(reduction_lanes(c, at), accumulator(c, dtype)), c.shape, at, keepdims)


def product_kept(a, axis):
    """Multiply along an axis, which keeps its place."""
    return prod_along(a, axis, None, True)


@implements("numpy.prod")
def prod_along(a, axis=None, dtype: literal = None, keepdims: literal = False):
    """Multiply the elements along an axis."""
    c = as_array(a)
    if isinstance(axis, tuple):
        return over_axes(c.astype(accumulator(c, dtype)), axis, keepdims, product_kept)
    at = reduction_axis(c, axis)
    v = reduction_lanes(c, at)
    out = np.ones((v.shape[0], v.shape[2]), accumulator(c, dtype))
    fold(v, out, 0, multiplied)
    return reduced(out, c.shape, at, keepdims)


def least_kept(a, axis):
    """Find the least elements along an axis, which keeps its place."""
    return min_along(a, axis, True)


@implements("numpy.min", "numpy.amin")
def min_along(a, axis=None, keepdims: literal = False):
    """Find the least elements along an axis; NaN if there is one."""
    c = as_array(a)
    if isinstance(axis, tuple):
        return over_axes(c, axis, keepdims, least_kept)
    at = reduction_axis(c, axis)
    v = reduction_lanes(c, at)
    if v.shape[1] == 0:
        raise ValueError("zero-size array to reduction operation minimum which has no identity")
    return reduced(extremes(v, np.minimum, np.min), c.shape, at, keepdims)


def greatest_kept(a, axis):
    """Find the greatest elements along an axis, which keeps its place."""
    return max_along(a, axis, True)


@implements("numpy.max", "numpy.amax")
def max_along(a, axis=None, keepdims: literal = False):
    """Find the greatest elements along an axis; NaN if there is one."""
    c = as_array(a)
    if isinstance(axis, tuple):
        return over_axes(c, axis, keepdims, greatest_kept)
    at = reduction_axis(c, axis)
    v = reduction_lanes(c, at)
    if v.shape[1] == 0:
        raise ValueError("zero-size array to reduction operation maximum which has no identity")
    return reduced(extremes(v, np.maximum, np.max), c.shape, at, keepdims)


@implements("numpy.ptp")
def ptp(a, axis=None, keepdims: literal = False):
    """Find the distance of the greatest and least elements along an axis."""
    if as_array(a).dtype.kind == "b":
        intrinsics.unsupported("truth values aren't subtracted")
    return max_along(a, axis, keepdims) - min_along(a, axis, keepdims)


def either(x, y):
    """Say whether one of two values is true."""
    return bool(x) or bool(y)


def both(x, y):
    """Say whether two values are true."""
    return bool(x) and bool(y)


def any_kept(a, axis):
    """Say whether an element along an axis is true; it keeps its place."""
    return any_along(a, axis, True)


@implements("numpy.any")
def any_along(a, axis=None, keepdims: literal = False):
    """Say whether an element along an axis is true."""
    c = as_array(a)
    if isinstance(axis, tuple):
        return over_axes(c, axis, keepdims, any_kept)
    at = reduction_axis(c, axis)
    v = reduction_lanes(c, at)
    out = np.zeros((v.shape[0], v.shape[2]), np.bool_)
    fold(v, out, 0, either)
    return reduced(out, c.shape, at, keepdims)


def all_kept(a, axis):
    """Say whether all elements along an axis are true; it keeps its place."""
    return all_along(a, axis, True)


@implements("numpy.all")
def all_along(a, axis=None, keepdims: literal = False):
    """Say whether all elements along an axis are true."""
    c = as_array(a)
    if isinstance(axis, tuple):
        return over_axes(c, axis, keepdims, all_kept)
    at = reduction_axis(c, axis)
    v = reduction_lanes(c, at)
    out = np.ones((v.shape[0], v.shape[2]), np.bool_)
    fold(v, out, 0, both)
    return reduced(out, c.shape, at, keepdims)


@implements("numpy.count_nonzero")
def count_nonzero(a, axis=None, keepdims: literal = False):
    """Count the elements along an axis that are true."""
    return sum_along(as_array(a).astype(np.bool_), axis, np.int64, keepdims)


def float_kind(c):
    """Choose the type of a mean."""
    if c.dtype.kind == "f" or c.dtype.kind == "c":
        return c.dtype
    return np.result_type(np.float64)


def wide_kind(c):
    """Choose the type in which a mean is computed: halves would overflow soon."""
    if c.dtype.kind == "f" and c.dtype.itemsize == 2:
        return np.result_type(np.float32)
    return float_kind(c)


@implements("numpy.mean")
def mean_along(a, axis=None, keepdims: literal = False):
    """Average the elements along an axis."""
    c = as_array(a)
    if isinstance(axis, tuple):
        total = over_axes(c.astype(wide_kind(c)), axis, True, sum_kept)
        axes = checked_axes(axis, c.ndim)
        mean = total / wide_kind(c).type(count_over(c.shape, axes))
        return without_axes(mean.astype(float_kind(c)), axes, keepdims)
    at = reduction_axis(c, axis)
    out = means(reduction_lanes(c, at), wide_kind(c)).astype(float_kind(c))
    return reduced(out, c.shape, at, keepdims)


@implements("numpy.var")
def var_along(a, axis=None, ddof=0, keepdims: literal = False):
    """Find the variance of the elements along an axis."""
    c = as_array(a)
    if isinstance(axis, tuple):
        if c.dtype.kind == "c":
            intrinsics.unsupported("the variance of complex numbers is along one axis, or of all")
        return variance_over(c, axis, ddof, keepdims, wide_kind(c), sum_kept)
    at = reduction_axis(c, axis)
    out = variances(reduction_lanes(c, at), wide_kind(c), ddof).astype(size_kind(float_kind(c)))
    return reduced(out, c.shape, at, keepdims)


@implements("numpy.std")
def std_along(a, axis=None, ddof=0, keepdims: literal = False):
    """Find the standard deviation of the elements along an axis."""
    return np.sqrt(var_along(a, axis, ddof, keepdims))


@implements("numpy.trace", "array.trace")
def trace(a, offset=0):
    """Sum a diagonal of a matrix."""
    if a.ndim != 2:
        intrinsics.unsupported("trace takes matrices")
    kind = accumulator(a, None)
    total = kind.type(0)
    row = max(-offset, 0)
    column = max(offset, 0)
    for i in range(max(min(a.shape[0] - row, a.shape[1] - column), 0)):
        total = total + kind.type(a[row + i, column + i])
    return total


def each_lane(v, out, argument, number, function, i, start, stop):
    """Apply a function of a vector to lanes."""
    for j in range(start, stop):
        out[i, j] = function(v[i, :, j], argument)


def along(a, axis, keepdims: literal, kind, function, argument):
    """Apply a function of a vector to each lane along an axis."""
    c = as_array(a)
    at = reduction_axis(c, axis)
    if not keepdims and (at is None or c.ndim == 1):
        found = function(flat(c), argument)
        if kind.kind == "m" or kind.kind == "M":
            return found
        return kind.type(found)
    v = reduction_lanes(c, at)
    out = np.empty((v.shape[0], v.shape[2]), kind)
    by_columns(each_lane, v, out, argument, 0, function)
    return reduced(out, c.shape, at, keepdims)
