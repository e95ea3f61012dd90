"""Running sums and products, differences, integrals."""

import numpy as np

from pyopt.library import implements, intrinsics, literal
from pyopt.library.lane_threads import by_columns
from pyopt.library.shapes import as_array, checked_axis, flat, lanes


def accumulator(c, dtype: literal):
    """Choose the type in which the elements of an array are summed: integers have 64 bits."""
    if dtype is None:
        if c.dtype.kind == "b" or c.dtype.kind == "i":
            return np.result_type(np.int64)
        if c.dtype.kind == "u":
            return np.result_type(np.uint64)
        return c.dtype
    kind = np.result_type(dtype)
    if c.dtype.kind == "c" and kind.kind != "c":
        intrinsics.unsupported("complex numbers are not added up in a type without imaginary parts")
    return kind


def scan_columns(v, out, kind, number, combine, i, start, stop):
    """Combine the elements of columns up to each one."""
    for j in range(start, stop):
        if v.shape[1] > 0:
            out[i, 0, j] = v[i, 0, j]
    for k in range(1, v.shape[1]):
        for j in range(start, stop):
            out[i, k, j] = combine(out[i, k - 1, j], kind.type(v[i, k, j]))


def scan(v, kind, combine):
    """Combine the elements up to each one along the second of three axes."""
    out = np.empty(v.shape, kind)
    by_columns(scan_columns, v, out, kind, 0, combine)
    return out


def scan_vector(v, kind, combine):
    """Combine the elements of a vector up to each one."""
    out = np.empty(v.size, kind)
    if v.size > 0:
        total = kind.type(v[0])
        out[0] = total
        for i in range(1, v.size):
            total = combine(total, kind.type(v[i]))
            out[i] = total
    return out


def added(x, y):
    """Add two numbers of one type."""
    return x + y


def multiplied(x, y):
    """Multiply two numbers of one type."""
    return x * y


@implements("numpy.cumsum", "array.cumsum")
def cumsum(a, axis=None, dtype: literal = None):
    """Sum the elements up to each one."""
    c = as_array(a)
    kind = accumulator(c, dtype)
    if axis is None:
        return scan_vector(flat(c), kind, added)
    out = scan(lanes(c, checked_axis(axis, c.ndim)), kind, added)
    return intrinsics.reshape(out, c.shape)


@implements("numpy.cumprod", "array.cumprod")
def cumprod(a, axis=None, dtype: literal = None):
    """Multiply the elements up to each one."""
    c = as_array(a)
    kind = accumulator(c, dtype)
    if axis is None:
        return scan_vector(flat(c), kind, multiplied)
    out = scan(lanes(c, checked_axis(axis, c.ndim)), kind, multiplied)
    return intrinsics.reshape(out, c.shape)


@implements("numpy.diff")
def diff(a, n=1, axis=-1):
    """Subtract neighbours along an axis, ``n`` times."""
    if n < 0:
        raise ValueError("order must be non-negative but got a negative number")
    c = as_array(a)
    if c.ndim == 0:
        intrinsics.unsupported("diff takes arrays of at least one dimension")
    at = checked_axis(axis, c.ndim)
    if c.dtype.kind == "M":
        if n == 0:
            raise ValueError("datetimes are subtracted once at least: what they give has another type")
        return diff(differences(c, at), n - 1, axis)
    for _ in range(n):
        c = differences(c, at)
    return c


def subtract_columns(v, out, kind, number, combine, i, start, stop):
    """Subtract neighbours in columns."""
    for k in range(out.shape[1]):
        for j in range(start, stop):
            if kind.kind == "b":
                out[i, k, j] = v[i, k + 1, j] != v[i, k, j]
            elif kind.kind == "m":
                out[i, k, j] = v[i, k + 1, j] - v[i, k, j]
            else:
                out[i, k, j] = kind.type(v[i, k + 1, j] - v[i, k, j])


def differences(c, axis):
    """Subtract neighbours along an axis; of truth values, say whether they differ."""
    v = lanes(c, axis)
    size = max(v.shape[1] - 1, 0)
    kind = (np.empty(0, c.dtype) - np.empty(0, c.dtype)).dtype if c.dtype.kind == "M" else c.dtype
    out = np.empty((v.shape[0], size, v.shape[2]), kind)
    by_columns(subtract_columns, v, out, kind, 0, None)
    return intrinsics.reshape(out, intrinsics.replace(c.shape, axis, size))


@implements("numpy.trapezoid", "numpy.trapz")
def trapezoid(y, x=None, dx=1.0):
    """Integrate a sampled function by the trapezoidal rule."""
    c = as_array(y)
    if x is None:
        return (dx * (c[..., 1:] + c[..., :-1]) / 2.0).sum(-1)
    return (diff(as_array(x)) * (c[..., 1:] + c[..., :-1]) / 2.0).sum(-1)
