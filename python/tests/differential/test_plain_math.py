"""Functions of math and cmath that the library is written for, at edges and at many random points."""

import cmath
import math
import random

import numpy as np
import pytest

from pyopt import njit

EDGES = (0.0, -0.0, 1.0, 0.5, 2.0, 3.0, 5e-324, -5e-324, 2.2250738585072014e-308, 1e-310, -1e300)
EDGES += (1.7976931348623157e308, math.inf, -math.inf)
random.seed(7)
SCALED = [random.uniform(-1, 1) * 2.0 ** random.randint(-1070, 1020) for _ in range(2000)]


@njit
def frexp(x):
    return math.frexp(x)


@njit
def ldexp(x, i):
    return math.ldexp(x, i)


@njit
def divisors(a, b):
    return math.gcd(a, b), math.lcm(a, b)


@njit
def gamma_functions(x):
    return math.gamma(x), math.lgamma(x)


@njit
def nextafter(x, y):
    return math.nextafter(x, y)


@njit
def isclose(a, b, rel_tol, abs_tol):
    return math.isclose(a, b), math.isclose(a, b, rel_tol=rel_tol, abs_tol=abs_tol)


@njit
def complex_isclose(a, b):
    return cmath.isclose(a, b), cmath.isclose(a, b, rel_tol=0.1)


@njit
def polar(z):
    return cmath.polar(z), cmath.phase(z)


@njit
def rect(r, phi):
    return cmath.rect(r, phi)


@njit
def kinds(z):
    return cmath.isnan(z), cmath.isinf(z), cmath.isfinite(z)


def same(one, other):
    return one == other and math.copysign(1, one) == math.copysign(1, other)


def test_frexp_is_exact():
    for x in EDGES + tuple(SCALED):
        mantissa, exponent = frexp(x)
        wanted, power = math.frexp(x)
        assert same(mantissa, wanted) and exponent == power, x
    assert math.isnan(frexp(math.nan)[0])
    assert frexp(np.float32(0.1)) == math.frexp(float(np.float32(0.1)))


def test_ldexp_rounds_once():
    for x in EDGES + tuple(SCALED):
        for i in (0, 1, -1, -1074, 1023, -2100, 2098, random.randint(-2200, 2200), random.randint(-60, 60)):
            try:
                expected = math.ldexp(x, i)
            except OverflowError:
                expected = math.copysign(math.inf, x)
            assert same(ldexp(x, i), expected), (x, i)
    assert ldexp(np.float32(0.75), -149) == float(np.ldexp(np.float32(0.75), -149))


def test_divisors():
    for _ in range(2000):
        a, b = random.randint(-100, 100), random.randint(-(2**20), 2**20)
        assert divisors(a, b) == (math.gcd(a, b), math.lcm(a, b))
    assert divisors(np.uint64(2**63), 6)[0] == 2
    assert divisors(np.int8(-128), np.int8(-128)) == (128, 128)
    with pytest.raises(TypeError):
        divisors(1.5, 2)


def test_gamma_and_neighbours():
    for x in (0.5, 1.5, 1.0, 10.0, 20.25, 170.5, -0.5, -1.5, 1e-5):
        for got, expected in zip(gamma_functions(x), (math.gamma(x), math.lgamma(x)), strict=True):
            assert got == pytest.approx(expected, rel=4e-15, abs=1e-15)
    for x in EDGES:
        for y in (0.0, math.inf, -1.0):
            assert same(nextafter(x, y), math.nextafter(x, y))


def test_isclose():
    numbers = (0.0, 1.0, 1.0 + 1e-12, 1.1, -1.0, 1e300, math.inf, -math.inf, math.nan)
    for a in numbers:
        for b in numbers:
            expected = math.isclose(a, b), math.isclose(a, b, rel_tol=0.2, abs_tol=0.5)
            assert isclose(a, b, 0.2, 0.5) == expected, (a, b)
            z, w = complex(a, 1.0), complex(b, 1.0)
            assert complex_isclose(z, w) == (cmath.isclose(z, w), cmath.isclose(z, w, rel_tol=0.1)), (z, w)
    with pytest.raises(ValueError, match="tolerances must be non-negative"):
        isclose(1.0, 2.0, -1.0, 0.0)


@pytest.mark.parametrize(
    "name", "sqrt exp log log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh".split()
)
def test_complex_functions(name):
    function = getattr(cmath, name)

    @njit
    def apply(z):
        return function(z)

    for _ in range(300):
        z = complex(random.uniform(-3, 3), random.uniform(-3, 3))
        assert abs(apply(z) - function(z)) <= 4e-15 * abs(function(z)) + 1e-16, z
    assert type(apply(2)) is complex
    single = np.complex64(0.5 + 0.25j)
    assert abs(apply(single) - function(complex(single))) < 1e-6


def test_polar_form():
    points = [complex(a, b) for a in (0.0, -0.0, 1.0, -2.5, math.inf) for b in (0.0, -0.0, 3.0, -math.inf)]
    for z in points:
        assert polar(z) == (cmath.polar(z), cmath.phase(z)), z
        assert kinds(z) == (cmath.isnan(z), cmath.isinf(z), cmath.isfinite(z))
    for r in (0.0, 1.0, -2.5, 1e300):
        for phi in (0.0, -0.0, 0.5, -3.0, 100.0):
            got, expected = rect(r, phi), cmath.rect(r, phi)
            assert abs(got - expected) <= 1e-15 * abs(expected), (r, phi)
    assert rect(math.inf, 0.0) == cmath.rect(math.inf, 0.0)
