"""Compiled functions do what the package does in Python."""

import math

import numpy as np
import pytest
from interval import Interval, hull, next_up
from pyopt import njit

PAIRS = [(Interval(0.0, 1.0), Interval(0.5, 2.0)), (Interval(-1.0, -0.5), Interval(3.0, 4.0))]


@pytest.mark.parametrize("pair", PAIRS)
def test_values_cross_and_come_back(pair):
    def both(one, other):
        joined = hull(one, other)
        return joined, joined.width(), one.low

    assert njit(both)(*pair) == both(*pair)


def test_what_is_no_interval_raises():
    with pytest.raises(ValueError, match="could not convert string to float"):
        njit(lambda x: x.low)(Interval("a", 1.0))


@pytest.mark.parametrize("values", [[3.0, -1.5, 2.0], [0.0], [1e300, -1e300]])
def test_arrays_have_a_method_and_an_attribute(values):
    a = np.array(values)
    assert njit(lambda a: a.interval())(a) == Interval(a.min(), a.max())
    assert njit(lambda a: a.spread)(a) == a.max() - a.min()


@pytest.mark.parametrize("x", [1.0, 5e-324, 1e308, 0.1])
def test_the_intrinsic(x):
    assert njit(lambda x: next_up(x))(x) == math.nextafter(x, math.inf)


@pytest.mark.parametrize("x", [3.0, -5e-324, math.inf])
def test_the_pass_runs(x):
    @njit(error_model="numpy")
    def half(x):
        return x / 2.0

    assert half(x) == x / 2.0
    assert "typed.binary mul" in half.inspect_ir("interval-halve")


def test_others_are_refused():
    with pytest.raises(Exception, match="spread|min"):
        njit(lambda a: a.spread)(3)
