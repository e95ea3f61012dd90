"""float16: arrays, scalars, conversions both ways, arithmetic and reductions, as NumPy has them.

Numba compiles no float16 for the CPU. Here scalars that are computed with each other stay halves, each result
rounded once; functions are computed in float32 and rounded, sums of arrays in float32 and rounded at the end.
"""

import numpy as np
import pytest
from compare import check as compare

from pyopt import njit

VALUES = np.array([0.0, -0.0, 1.0, -2.5, 6e-8, 65504.0, 1e-4, 1024.5, np.inf, -np.inf, np.nan], np.float16)
LAYOUTS = [VALUES, VALUES[::-1], VALUES[::2], VALUES.reshape(11, 1).T, np.zeros(0, np.float16)]


def same(got, expected):
    if isinstance(expected, tuple):
        return all(map(same, got, expected))
    got, expected = np.asarray(got), np.asarray(expected)
    return got.dtype == expected.dtype and np.array_equal(got, expected, equal_nan=True)


@pytest.mark.parametrize("a", LAYOUTS)
def test_arrays(a):
    def views(a):
        return a, a[::-1], a.copy(), a.T

    def converted(a):
        return a.astype(np.float32), a.astype(np.float64), a.astype(np.complex64), a.astype(np.bool_)

    def computed(a):
        return a + a, a * a, a - np.float16(1), a / 2.0, -a, abs(a), np.maximum(a, 1), a < 1, a == a

    with np.errstate(all="ignore"):
        for function in (views, converted, computed):
            assert same(njit(function)(a), function(a))


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "u8", "?"])
def test_stores_round_to_the_nearest_even(dtype):
    exact = [1 + 2.0**-11, 1 + 3 * 2.0**-11, 65519.0, 65520.0, 2.0**-25, 3 * 2.0**-26, 2049.0, 2051.0, -1.5]
    numbers = np.array(exact if dtype[0] == "f" else [0, 1, 2049, 2051, 65519], dtype)

    def stored(a, out):
        for i in range(a.size):
            out[i] = a[i]
        return out, a.astype(np.float16)

    with np.errstate(all="ignore"):
        expected = numbers.astype(np.float16)
    halves, converted = njit(stored)(numbers, np.zeros(numbers.size, np.float16))
    assert same(halves, expected)
    assert same(converted, expected)


def test_scalars():
    def through(x):
        return x

    def made(x):
        return np.float32(np.float16(x))

    for value in VALUES:
        got = njit(through)(value)
        assert got == value or (np.isnan(got) and np.isnan(value))
    for value in (1 + 2.0**-11, 1e9, 0.1):
        with np.errstate(all="ignore"):
            assert njit(made)(value) == made(value)


def test_elements():
    def total(a):
        s = np.float32(0)
        for x in a:
            s += x
        return s

    def scaled(a):
        a *= 2
        a[1:] += a[:-1]
        a[0] = 0.1
        return a

    finite = VALUES[np.isfinite(VALUES)]
    compare(total, finite)
    with np.errstate(all="ignore"):
        assert same(njit(scaled)(finite.copy()), scaled(finite.copy()))


def test_reductions():
    def reductions(a):
        return a.min(), a.max(), a.argmin(), a.argmax(), a.any(), a.all()

    def sums(a):
        return a.sum(), a.mean(), a.prod()

    a = np.array([1.5, -2.25, 3.0, 0.5], np.float16)
    for got, expected in zip(njit(reductions)(a), reductions(a), strict=True):
        assert got == expected
    for got, expected in zip(njit(sums)(a), sums(a), strict=True):
        assert abs(got - expected) <= 4 * np.spacing(abs(expected))
    many = np.full(10_000, 1.0, np.float16)
    assert njit(lambda a: a.sum())(many) == many.sum()
    assert njit(lambda a: a.mean())(many) == 1


def test_library():
    def library(a):
        return np.sort(a), np.concatenate((a, a)), np.where(a > 0, a, 0), np.unique(a), np.clip(a, -1, 1)

    a = np.array([1.5, -2.25, 3.0, 0.5, 1.5], np.float16)
    assert same(njit(library)(a), library(a))

    def fresh(n):
        return (
            np.zeros(n, np.float16),
            np.full(n, 0.1, np.float16),
            np.ones((n, 2), "f2"),
            np.arange(n, dtype="f2"),
        )

    assert same(njit(fresh)(3), fresh(3))
