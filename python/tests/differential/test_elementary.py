"""Elementary functions in loops: their error against extended precision, and what happens at the edges.

`PYOPT_ACCURACY_POINTS=10000000` tests each function on that many numbers.
"""

import ctypes
import ctypes.util
import math
import os

import numpy as np
import pytest

from pyopt import njit

pytestmark = pytest.mark.filterwarnings("ignore:.*encountered in cast:RuntimeWarning")

POINTS = int(os.environ.get("PYOPT_ACCURACY_POINTS", "100000"))
CHUNK = 1_000_000

DTYPES = [np.float64, np.float32]
# NumPy's name of each function and where its argument is interesting.
UNARY = {
    "exp": (-745.0, 710.0),
    "exp2": (-1074.0, 1024.0),
    "expm1": (-40.0, 5.0),
    "sinh": (-3.0, 3.0),
    "cosh": (-3.0, 3.0),
    "tanh": (-3.0, 3.0),
    "log": (0.0, 3.0),
    "log2": (0.0, 3.0),
    "log10": (0.0, 3.0),
    "log1p": (-1.0, 3.0),
    "sin": (-1e5, 1e5),
    "cos": (-1e5, 1e5),
    "tan": (-1e5, 1e5),
    "arcsin": (-1.0, 1.0),
    "arccos": (-1.0, 1.0),
    "arctan": (-3.0, 3.0),
    "cbrt": (-10.0, 10.0),
}
EDGES = [0.0, 1.0, math.inf, 5e-324, 2.3e-308, 1.8e308, 1e5, 2.0**30, 1e300, 0.5, 2.0, 8.0]
EDGES += [709.782712893384, 709.7827128933841, 745.13, 745.14, 708.4, 710.47, 710.48, 800.0]
EDGES = np.array([*EDGES, *(-x for x in EDGES), math.nan])


def of_array(expression, **options):
    """A compiled function of arrays."""
    source = f"def function(a, b):\n    return {expression}"
    namespace = {"np": np}
    exec(source, namespace)
    return njit(**options)(namespace["function"])


def ulps(got, exact):
    """The largest distance from the exact value in units of the last place of the result's type."""
    with np.errstate(all="ignore"):
        nearest = exact.astype(got.dtype)
        unit = np.spacing(np.abs(nearest)).astype(np.longdouble)
        distance = np.abs(got.astype(np.longdouble) - exact) / unit
    same = (got == nearest) | (np.isnan(got) & np.isnan(nearest))
    return float(np.max(np.where(np.isnan(distance), np.where(same, 0, np.inf), distance)))


def numbers(dtype, low, high, count, seed):
    """Numbers of an interval, small ones, and floats of any bits."""
    random = np.random.default_rng(seed)
    bits = {np.float64: np.uint64, np.float32: np.uint32}[dtype]
    parts = [
        random.uniform(low, high, count // 2).astype(dtype),
        np.ldexp(random.uniform(-1, 1, count // 4), -random.integers(0, 60, count // 4)),
        random.integers(0, np.iinfo(bits).max, count // 4, bits).view(dtype),
    ]
    return random.permutation(np.concatenate([part.astype(dtype) for part in parts]))


def chunks():
    """Sizes and seeds that make up all points."""
    return [(min(CHUNK, POINTS - start), start) for start in range(0, POINTS, CHUNK)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", UNARY)
def test_functions_are_exact_to_an_ulp(name, dtype):
    compiled = of_array(f"np.{name}(a)")
    for count, seed in chunks():
        x = numbers(dtype, *UNARY[name], count, seed)
        with np.errstate(all="ignore"):
            exact = getattr(np, name)(x.astype(np.longdouble))
        assert ulps(compiled(x, x), exact) < 1


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", UNARY)
def test_edges(name, dtype):
    compiled = of_array(f"np.{name}(a)")
    with np.errstate(all="ignore"):
        # Several lengths: vectors and what is left of them.
        for x in (EDGES.astype(dtype), np.tile(EDGES, 3)[5:].astype(dtype)):
            got = compiled(x, x)
            exact = getattr(np, name)(x.astype(np.longdouble))
            assert ulps(got, exact) < 1
            numeric = ~np.isnan(got)
            assert (np.signbit(got) == np.signbit(exact))[numeric].all()


@pytest.mark.parametrize("name", UNARY)
def test_fastmath_keeps_the_method(name):
    compiled = of_array(f"np.{name}(a)", fastmath=True)
    x = np.random.default_rng(1).uniform(0.01, 0.99, POINTS)
    exact = getattr(np, name)(x.astype(np.longdouble))
    assert ulps(compiled(x, x), exact) < 4


def near_one(random, count):
    """Bases near 1 whose powers are far from it."""
    return random.uniform(0.9, 1.1, count), random.uniform(-6000, 6000, count)


@pytest.mark.parametrize("dtype", DTYPES)
def test_pow_is_exact_to_an_ulp(dtype):
    compiled = of_array("a ** b")
    for count, seed in chunks():
        random = np.random.default_rng(seed)
        x, y = near_one(random, count // 3)
        x = np.concatenate([x, random.uniform(0, 50, count // 3), numbers(dtype, 0, 2, count, seed)])
        y = np.concatenate([y, random.uniform(-60, 60, len(x) - len(y))])
        x, y = x.astype(dtype), y.astype(dtype)
        y[::5] = np.round(y[::5])
        with np.errstate(all="ignore"):
            exact = x.astype(np.longdouble) ** y.astype(np.longdouble)
        assert ulps(compiled(x, y), exact) < 1


@pytest.mark.parametrize("dtype", DTYPES)
def test_arctan2_is_exact_to_an_ulp(dtype):
    compiled = of_array("np.arctan2(a, b)")
    for count, seed in chunks():
        random = np.random.default_rng(seed)
        y, x = random.uniform(-3, 3, (2, count)).astype(dtype)
        exact = np.arctan2(y.astype(np.longdouble), x.astype(np.longdouble))
        assert ulps(compiled(y, x), exact) < 1


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("name", "expression"), [("power", "a ** b"), ("arctan2", "np.arctan2(a, b)")])
def test_edges_of_two_numbers(name, expression, dtype):
    compiled = of_array(expression)
    special = [*EDGES, 3.0, -3.0, 2.5, -2.5, 2.0**53 - 1, 1e16 + 2, -1e16]
    x, y = (part.ravel().astype(dtype) for part in np.meshgrid(special, special))
    with np.errstate(all="ignore"):
        exact = getattr(np, name)(x.astype(np.longdouble), y.astype(np.longdouble))
        got = compiled(x, y)
    # Half a unit more for quotients below the normal numbers.
    assert ulps(got, exact) < 1.5
    numeric = ~np.isnan(got)
    assert (np.signbit(got) == np.signbit(exact))[numeric].all()


@njit
def erf(a, out):
    for i in range(len(a)):
        out[i] = math.erf(a[i])


@pytest.mark.parametrize("dtype", DTYPES)
def test_erf_is_exact_to_an_ulp(dtype):
    exact_erf = ctypes.CDLL(ctypes.util.find_library("m")).erfl
    exact_erf.restype, exact_erf.argtypes = ctypes.c_longdouble, [ctypes.c_longdouble]
    x = numbers(dtype, -6, 6, min(POINTS, CHUNK), 4)
    x = np.concatenate([x, EDGES.astype(dtype)])
    got = np.empty_like(x)
    erf(x, got)
    # ctypes rounds what a long double function returns, so that half an ulp is left of its error.
    exact = np.array([exact_erf(value) for value in x], np.longdouble)
    assert ulps(got, exact) < 1.6


@njit
def exp_in_a_loop(a, out):
    for i in range(len(a)):
        if a[i] > 0.0:
            out[i] = math.exp(-a[i])
        else:
            out[i] = math.log(1.0 - a[i])


def test_views_and_conditions():
    x = np.random.default_rng(3).uniform(-5, 5, 999)[::-3]
    out = np.zeros(len(x))
    exp_in_a_loop(x, out)
    expected = [math.exp(-v) if v > 0 else math.log(1 - v) for v in x]
    np.testing.assert_array_max_ulp(out, np.array(expected), 1)
