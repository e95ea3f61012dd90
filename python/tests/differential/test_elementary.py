"""exp and log in loops: their error against extended precision, and what happens at the edges."""

import math

import numpy as np
import pytest

from pyopt import njit

POINTS = 200_000


@njit
def exp(a):
    return np.exp(a)


@njit
def log(a):
    return np.log(a)


@njit(fastmath=True)
def fast_exp(a):
    return np.exp(a)


@njit
def exp_in_a_loop(a, out):
    for i in range(len(a)):
        if a[i] > 0.0:
            out[i] = math.exp(-a[i])
        else:
            out[i] = math.log(1.0 - a[i])


def ulps(got, exact):
    """The largest distance from the exact value in units of the last place of the result's type."""
    nearest = exact.astype(got.dtype)
    unit = np.spacing(np.abs(nearest)).astype(np.longdouble)
    return float(np.max(np.abs(got.astype(np.longdouble) - exact) / unit))


def arguments_of_exp(dtype):
    random = np.random.default_rng(1)
    top = np.log(np.finfo(dtype).max)
    low = np.log(np.finfo(dtype).smallest_subnormal) if dtype == np.float64 else -100
    wide = random.uniform(low, top * 0.9999, POINTS)
    near_zero = np.ldexp(random.uniform(-1, 1, POINTS), -random.integers(0, 60, POINTS))
    return np.concatenate([wide, near_zero]).astype(dtype)


def arguments_of_log(dtype):
    random = np.random.default_rng(2)
    bits = {np.float64: np.uint64, np.float32: np.uint32}[dtype]
    positive = random.integers(1, np.array(np.finfo(dtype).max).view(bits), POINTS, bits)
    near_one = 1 + np.ldexp(random.uniform(-0.5, 0.5, POINTS), -random.integers(0, 30, POINTS))
    return np.concatenate([positive.view(dtype), near_one.astype(dtype)])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_exp_is_exact_to_an_ulp(dtype):
    x = arguments_of_exp(dtype)
    assert ulps(exp(x), np.exp(x.astype(np.longdouble))) < 1


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_log_is_exact_to_an_ulp(dtype):
    x = arguments_of_log(dtype)
    x = x[x != 1]
    assert ulps(log(x), np.log(x.astype(np.longdouble))) < 1


def test_fastmath_keeps_the_method():
    x = arguments_of_exp(np.float64)
    x = x[x > -700]
    assert ulps(fast_exp(x), np.exp(x.astype(np.longdouble))) < 4


EDGES = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 5e-324, -5e-324, 2.3e-308, 1.8e308]
EDGES += [709.782712893384, 709.7827128933841, -745.13, -745.14, -708.4, 1e300, -1e300, 800.0, -800.0]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(("compiled", "function"), [(exp, np.exp), (log, np.log)])
def test_edges(compiled, function, dtype):
    with np.errstate(all="ignore"):
        # Several lengths: vectors and what is left of them.
        for repeat in (1, 3):
            x = np.array(EDGES * repeat).astype(dtype)
            np.testing.assert_array_max_ulp(compiled(x)[~np.isnan(x)], function(x)[~np.isnan(x)], 1)
            assert np.isnan(compiled(x)[np.isnan(x)]).all()


def test_views_and_conditions():
    x = np.random.default_rng(3).uniform(-5, 5, 999)[::-3]
    out = np.zeros(len(x))
    exp_in_a_loop(x, out)
    expected = [math.exp(-v) if v > 0 else math.log(1 - v) for v in x]
    np.testing.assert_array_max_ulp(out, np.array(expected), 1)
