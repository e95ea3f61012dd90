"""Products, convolutions, interpolation, spaced numbers and comparisons of whole arrays."""

import math

import numpy as np

from pyopt.library import implements, intrinsics, literal
from pyopt.library.shapes import as_array, flat
from pyopt.library.sorting import bisect_right


@implements("numpy.kron")
def kron(a, b):
    """Multiply each element of one matrix or vector with all of another."""
    if a.ndim == 1 and b.ndim == 1:
        out = kron(as_array(a[None, :]), as_array(b[None, :]))
        return flat(out)
    if a.ndim != 2 or b.ndim != 2:
        intrinsics.unsupported("kron takes two matrices or two vectors")
    kind = np.result_type(a, b)
    out = np.empty((a.shape[0] * b.shape[0], a.shape[1] * b.shape[1]), kind)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(b.shape[0]):
                for m in range(b.shape[1]):
                    out[i * b.shape[0] + k, j * b.shape[1] + m] = kind.type(a[i, j]) * kind.type(b[k, m])
    return out


@implements("numpy.cross")
def cross(a, b):
    """Find vectors at right angles to those of two arrays, which have three parts."""
    x = as_array(a)
    y = as_array(b)
    if x.ndim == 1 and y.ndim == 1:
        out = cross_rows(intrinsics.reshape(x, (1, x.size)), intrinsics.reshape(y, (1, y.size)))
        return flat(out)
    if x.ndim != 2 or y.ndim != 2:
        intrinsics.unsupported("cross takes two vectors or two matrices")
    return cross_rows(x, y)


def cross_rows(x, y):
    """Find the cross products of the rows of two matrices."""
    if x.shape[1] != 3 or y.shape[1] != 3:
        raise ValueError("incompatible dimensions for cross product: vectors of three parts are needed")
    if x.shape[0] != y.shape[0]:
        raise ValueError("operands could not be broadcast together: they have different numbers of rows")
    kind = np.result_type(x, y)
    if kind.kind == "b":
        intrinsics.unsupported("truth values aren't subtracted")
    out = np.empty(x.shape, kind)
    for i in range(x.shape[0]):
        for j in range(3):
            k = (j + 1) % 3
            m = (j + 2) % 3
            out[i, j] = kind.type(x[i, k]) * kind.type(y[i, m]) - kind.type(x[i, m]) * kind.type(y[i, k])
    return out


def slide(a, v, first, count, kind):
    """Sum the products of a vector with parts of another one, from an offset on."""
    out = np.zeros(count, kind)
    for i in range(count):
        start = first + i
        total = kind.type(0)
        for k in range(max(0, -start), min(v.size, a.size - start)):
            total += kind.type(a[start + k]) * kind.type(v[k])
        out[i] = total
    return out


def window(a, v, mode: literal):
    """Choose the first offset and the count of a mode for vectors of which the first is not shorter."""
    if mode == "full":
        return 1 - v.size, a.size + v.size - 1
    if mode == "same":
        return -(v.size // 2), a.size
    if mode == "valid":
        return 0, a.size - v.size + 1
    raise ValueError("mode must be 'full', 'same' or 'valid'")


@implements("numpy.convolve")
def convolve(a, v, mode: literal = "full"):
    """Sum the products of a vector with another one that is moved over it backwards."""
    if as_array(a).ndim > 1 or as_array(v).ndim > 1:
        raise ValueError("object too deep for desired array")
    x = flat(a)
    y = flat(v)
    if x.size == 0 or y.size == 0:
        raise ValueError("a and v cannot be empty")
    kind = np.result_type(x, y)
    if y.size > x.size:
        first, count = window(y, x, mode)
        return slide(y, x[::-1], first, count, kind)
    first, count = window(x, y, mode)
    return slide(x, y[::-1], first, count, kind)


@implements("numpy.correlate")
def correlate(a, v, mode: literal = "valid"):
    """Sum the products of a vector with another one that is moved over it."""
    if as_array(a).ndim == 0 or as_array(v).ndim == 0:
        raise ValueError("object of too small depth for desired array")
    if as_array(a).ndim > 1 or as_array(v).ndim > 1:
        raise ValueError("object too deep for desired array")
    x = flat(a)
    kind = np.result_type(x, flat(v))
    y = np.conj(flat(v))
    if x.size == 0 or y.size == 0:
        raise ValueError("a and v cannot be empty")
    if y.size > x.size:
        # The shorter one moves, and the results come in the other order.
        first, count = window(y, x, mode)
        return slide(y, x, first, count, kind)[::-1].copy()
    first, count = window(x, y, mode)
    return slide(x, y, first, count, kind)


@implements("numpy.interp")
def interp(x, xp, fp, left=None, right=None):
    """Interpolate linearly between points whose first parts increase."""
    places = flat(xp).astype(np.float64)
    values = flat(fp).astype(np.float64)
    if places.size == 0:
        raise ValueError("array of sample points is empty")
    if places.size != values.size:
        raise ValueError("fp and xp are not of the same length.")
    low = values[0] if left is None else float(left)
    high = values[values.size - 1] if right is None else float(right)
    if isinstance(x, np.ndarray):
        wanted = flat(x)
        out = np.empty(wanted.size, np.float64)
        for i in range(wanted.size):
            out[i] = interp_one(float(wanted[i]), places, values, low, high)
        return intrinsics.reshape(out, x.shape)
    return interp_one(float(x), places, values, low, high)


def interp_one(x, places, values, low, high):
    """Interpolate at one place."""
    if x != x:
        return x
    if x < places[0]:
        return low
    last = places.size - 1
    if x > places[last]:
        return high
    if x == places[last]:
        return values[last]
    j = bisect_right(places, x) - 1
    if x == places[j]:
        return values[j]
    slope = (values[j + 1] - values[j]) / (places[j + 1] - places[j])
    result = slope * (x - places[j]) + values[j]
    if result != result:
        result = slope * (x - places[j + 1]) + values[j + 1]
        if result != result and values[j] == values[j + 1]:
            result = values[j]
    return result


@implements("numpy.logspace")
def logspace(start, stop, num=50, endpoint=True, base=10.0):
    """Make powers of a base with evenly spaced exponents."""
    if endpoint:
        return np.power(base, np.linspace(start, stop, num))
    step = (stop - start) / num if num > 0 else 0.0
    return np.power(base, start + np.arange(num) * step)


@implements("numpy.geomspace")
def geomspace(start, stop, num=50):
    """Make numbers of which each is the same multiple of the one before."""
    if start == 0 or stop == 0:
        raise ValueError("Geometric sequence cannot include zero")
    if num < 0:
        raise ValueError("Number of samples must be non-negative.")
    low = float(start)
    high = float(stop)
    sign = 1.0
    if low < 0 and high < 0:
        low, high, sign = -low, -high, -1.0
    out = np.power(10.0, np.linspace(math.log10(low), math.log10(high), num)) * sign
    if num > 0:
        out[0] = start
        if num > 1:
            out[num - 1] = stop
    return out


@implements("numpy.array_equal")
def array_equal(a1, a2):
    """Say whether two arrays have the same shape and elements."""
    a = as_array(a1)
    b = as_array(a2)
    if a.ndim != b.ndim:
        return False
    if a.shape != b.shape:
        return False
    x = flat(a)
    y = flat(b)
    for i in range(x.size):
        if x[i] != y[i]:
            return False
    return True


@implements("numpy.isclose")
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Say of numbers, or of the elements of arrays, whether they nearly equal others."""
    if as_array(b).dtype.kind == "b" or as_array(b).dtype.kind == "i" or as_array(b).dtype.kind == "u":
        # Differences of unsigned ints would wrap around.
        return isclose(a, b * 1.0, rtol, atol, equal_nan)
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        within = np.abs(a - b) <= atol + rtol * np.abs(b)
        close = np.where(np.isfinite(b), within & np.isfinite(a), a == b)
        return close | (np.isnan(a) & np.isnan(b) & equal_nan)
    if a != a or b != b:
        return equal_nan and a != a and b != b
    if not (np.isfinite(a) and np.isfinite(b)):
        return a == b
    return abs(a - b) <= atol + rtol * abs(b)


@implements("numpy.allclose")
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Say whether all elements of arrays nearly equal others."""
    close = isclose(a, b, rtol, atol, equal_nan)
    if isinstance(close, np.ndarray):
        return np.all(close)
    return close


@implements("numpy.vdot")
def vdot(a, b):
    """Sum the products of all elements, those of the first array conjugated."""
    x = flat(a)
    y = flat(b)
    if x.size != y.size:
        raise ValueError("cannot multiply arrays of different sizes")
    if x.dtype.kind == "b" and y.dtype.kind == "b":
        return np.any(x & y)
    return np.result_type(x, y).type(np.sum(np.conj(x) * y))


@implements("numpy.inner")
def inner(a, b):
    """Sum the products along the last dimensions of two vectors or matrices."""
    if a.ndim == 1 and b.ndim == 1:
        intrinsics.check(a.size == b.size, "ValueError", "shapes {} and {} not aligned", a.shape, b.shape)
        if a.dtype.kind == "b" and b.dtype.kind == "b":
            return np.any(a & b)
        return np.result_type(a, b).type(np.sum(a * b))
    if a.ndim != 2 or b.ndim != 2:
        intrinsics.unsupported("inner takes two vectors or two matrices")
    if a.dtype.kind == "b" and b.dtype.kind == "b":
        return np.dot(a.astype(np.int64), b.T.astype(np.int64)) != 0
    return np.dot(a, b.T)


@implements("numpy.gradient")
def gradient(f, dx=1.0):
    """Find the slopes of a vector, from both neighbours where there are two."""
    if f.ndim != 1:
        intrinsics.unsupported("gradient takes vectors")
    if f.size < 2:
        raise ValueError("Shape of array too small to calculate a numerical gradient")
    if f.dtype.kind == "m" or f.dtype.kind == "M":
        return gradient_of_times(f, dx)
    if f.dtype.kind == "b":
        intrinsics.unsupported("truth values aren't subtracted")
    kind = f.dtype if f.dtype.kind == "f" or f.dtype.kind == "c" else np.result_type(np.float64)
    v = f.astype(kind)
    step = kind.type(dx)
    out = np.empty(v.size, kind)
    out[0] = (v[1] - v[0]) / step
    last = v.size - 1
    out[last] = (v[last] - v[last - 1]) / step
    for i in range(1, last):
        out[i] = (v[i + 1] - v[i - 1]) / (kind.type(2) * step)
    return out


def gradient_of_times(f, dx):
    """Find the slopes of a vector of times, in their unit."""
    if f.size < 2:
        raise ValueError("Shape of array too small to calculate a numerical gradient")
    out = np.empty(f.size, (f[1] - f[0]).dtype)
    last = f.size - 1
    out[0] = (f[1] - f[0]) / dx
    out[last] = (f[last] - f[last - 1]) / dx
    for i in range(1, last):
        out[i] = (f[i + 1] - f[i - 1]) / (2.0 * dx)
    return out


@implements("numpy.average")
def average(a, axis=None, weights=None):
    """Average elements, each counted as often as its weight says."""
    if weights is None:
        means = np.mean(a, axis)
        if as_array(means).size == 0:
            raise ZeroDivisionError("division by zero")
        return means
    if axis is not None:
        intrinsics.unsupported("weights along an axis are not supported")
    # Ints are multiplied and summed as floats: their products would wrap around.
    own = np.result_type(as_array(a), as_array(weights))
    if own.kind == "M" or own.kind == "m":
        intrinsics.unsupported("numbers are weighted, not times")
    kind = own if own.kind == "f" or own.kind == "c" else np.result_type(np.float64)
    counts = as_array(weights).astype(kind)
    total = np.sum(counts)
    if total == 0:
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return np.sum(as_array(a).astype(kind) * counts) / total
