"""Window functions, and phases without jumps."""

import math

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.shapes import as_array, checked_axis, lanes


def around_center(count):
    """Count in steps of 2 so that 0 is in the middle."""
    return np.arange(1 - count, count, 2)


@implements("numpy.bartlett")
def bartlett(M):
    """Make a window that rises and falls in straight lines, from 0 on."""
    if M < 1:
        return np.zeros(0)
    if M == 1:
        return np.ones(1)
    n = around_center(M)
    return np.where(n <= 0, 1 + n / (M - 1), 1 - n / (M - 1))


@implements("numpy.blackman")
def blackman(M):
    """Make a window of two cosines."""
    if M < 1:
        return np.zeros(0)
    if M == 1:
        return np.ones(1)
    n = around_center(M)
    return 0.42 + 0.5 * np.cos(math.pi * n / (M - 1)) + 0.08 * np.cos(2.0 * math.pi * n / (M - 1))


@implements("numpy.hamming")
def hamming(M):
    """Make a window of a cosine that doesn't end at 0."""
    if M < 1:
        return np.zeros(0)
    if M == 1:
        return np.ones(1)
    return 0.54 + 0.46 * np.cos(math.pi * around_center(M) / (M - 1))


@implements("numpy.hanning")
def hanning(M):
    """Make a window of a cosine."""
    if M < 1:
        return np.zeros(0)
    if M == 1:
        return np.ones(1)
    return 0.5 + 0.5 * np.cos(math.pi * around_center(M) / (M - 1))


def bessel_zero(x):
    """Compute the modified Bessel function of order 0 by its power series, whose terms are all positive."""
    square = x * x / 4
    term = 1.0
    total = 1.0
    k = 1
    while term > total * 1e-18 and k < 2000:
        term *= square / (k * k)
        total += term
        k += 1
    return total


@implements("numpy.kaiser")
def kaiser(M, beta):
    """Make a window by a Bessel function; the larger ``beta``, the narrower."""
    if M == 1:
        return np.ones(1)
    out = np.empty(max(M, 0))
    center = (M - 1) / 2.0
    for i in range(out.size):
        offset = (i - center) / center
        out[i] = bessel_zero(beta * math.sqrt(1 - offset * offset)) / bessel_zero(float(beta))
    return out


@implements("numpy.unwrap")
def unwrap(p, discont=None, axis=-1, period=6.283185307179586):
    """Add multiples of a period to numbers so that neighbours along an axis differ by half of one at most."""
    c = as_array(p)
    if c.dtype.kind != "f" and c.dtype.kind != "i" and c.dtype.kind != "u":
        intrinsics.unsupported("phases to unwrap are ints or floats")
    if c.dtype.kind != "f" and isinstance(period, int):
        intrinsics.unsupported("the period of ints is a float here")
    if c.ndim == 0:
        intrinsics.unsupported("unwrap takes arrays of at least one dimension")
    kind = c.dtype if c.dtype.kind == "f" else np.result_type(np.float64)
    out = c.astype(kind)
    v = lanes(out, checked_axis(axis, c.ndim))
    given = lanes(c, checked_axis(axis, c.ndim))
    whole = kind.type(period)
    half = kind.type(period / 2)
    least = half if discont is None else max(half, kind.type(discont))
    for i in range(v.shape[0]):
        for j in range(v.shape[2]):
            correction = kind.type(0)
            for k in range(1, v.shape[1]):
                # The differences of ints wrap around.
                step = kind.type(c.dtype.type(given[i, k, j] - given[i, k - 1, j]))
                folded = kind.type((step + half) % whole - half)
                if folded == -half and step > 0:
                    folded = half
                if not (abs(step) < least):
                    correction = kind.type(correction + (folded - step))
                v[i, k, j] = v[i, k, j] + correction
    return out
