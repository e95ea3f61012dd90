"""Calls of compiled and of plain Python functions, closures, globals."""

# ruff: noqa: F841 -- variables that nobody reads are among the variants

import math

import numpy as np
import pytest
from compare import Ulps, check, combinations

from pyopt import njit
from pyopt.errors import TypingError

# Calls

OFFSET = 7
RATIO = 0.375
SIZES = (3, 5, 8)


@njit
def square(x):
    return x * x


@njit
def hypotenuse_squared(a, b):
    return square(a) + square(b)


def halved(x):
    return x / 2


def shifted(x, amount=3):
    return x - amount


def scaled(x, *, by=2):
    return x * by


def nested_plain(x):
    return shifted(halved(x)) + halved(shifted(x, 1))


@njit
def no_result(x):
    y = x + 1


@njit
def pair(a, b):
    return b, a


@njit
def clamp(x, low, high):
    return low if x < low else high if x > high else x


def calls_jitted(a, b):
    return square(a) - square(b)


def calls_renamed(first, second):
    return square(first) - square(second)


def calls_plain(a, b):
    return halved(a) + halved(b)


def calls_both(a, b):
    return square(halved(a)) + halved(square(b))


def calls_two_levels(a, b):
    return hypotenuse_squared(a, b) + nested_plain(a)


def calls_defaults(a, b):
    return shifted(a) + shifted(b, 10) + shifted(amount=a, x=b) + scaled(a) + scaled(b, by=5)


def calls_globals(a, b):
    return a * RATIO + b + OFFSET + SIZES[1] + len(SIZES)


def calls_in_loop(a, b):
    total = 0
    for i in range(6):
        total += square(i) + clamp(a, i, 4)
    return total + b


def calls_unpacked(a, b):
    c, d = pair(a, b)
    e = pair(c, d)
    return c, d, e[0], e


def calls_for_nothing(a, b):
    no_result(a)
    result = no_result(b)
    square(a)
    return a + b, result


def calls_in_conditions(a, b):
    if square(a) > b and clamp(b, 0, 5) < 5:
        return clamp(a, a - 1, a + 1)
    return clamp(b, b - 2, b - 1)


def calls_other_types(a, b):
    return square(a), square(1.5), square(True), square(b * 0.5)


def calls_mathematics(a, b):
    return math.sqrt(a * a + b * b) + math.floor(a + 0.5) * np.sqrt(abs(b) + 1.0)


CALLS = (
    calls_jitted,
    calls_renamed,
    calls_plain,
    calls_both,
    calls_two_levels,
    calls_defaults,
    calls_globals,
    calls_in_loop,
    calls_unpacked,
    calls_for_nothing,
    calls_in_conditions,
    calls_other_types,
    calls_mathematics,
)


@pytest.mark.parametrize(
    ("function", "args"), combinations(CALLS, [(3, 4), (-2, 9), (0, 0), (2.5, -1.5), (-0.5, 8.0)])
)
def test_calls(function, args):
    check(function, *args, tolerance=Ulps(1) if function is calls_mathematics else None)


def make_polynomial(a, b, exponent):
    def polynomial(x):
        return a * x**2 + b * x + exponent

    return polynomial


@pytest.mark.parametrize("coefficients", [(1, 2, 3), (0.5, -1, 2), (True, 0, 1.5)])
def test_closures(coefficients):
    function = make_polynomial(*coefficients)
    for x in (0, 2, -3, 1.5):
        check(function, x)


def test_closures_over_functions():
    def make(inner):
        def function(x):
            return inner(x) + inner(x + 1)

        return function

    check(make(square), 4)
    check(make(halved), 4)
    check(make(make(square)), 4)


@njit
def counted_down(n):
    return 0.5 if n <= 0 else counted_down(n - 1) + 1


def widened_by_callee(y, n):
    x = 1
    if y > 0:
        x = x + halved(y)
    return np.zeros(n) + x, x


def widened_by_recursion(y, n):
    x = 1
    if y > 0:
        x = x * counted_down(n)
    a = np.full(n, x)
    return a, [x, x]


def widened_on_the_way(y, n):
    total = 0
    for i in range(n):
        total += widened_by_callee(y, i + 1)[0][i]
    return np.full(2, total)


# What is returned has other types, of which no type is both, while the callee's result isn't known.
@pytest.mark.parametrize("function", [widened_by_callee, widened_by_recursion, widened_on_the_way])
def test_results_that_depend_on_those_of_callees(function):
    check(function, 2.0, 3)
    check(function, 1, 2)


def test_results_that_no_type_holds():
    @njit
    def grown(n):
        if n <= 0:
            return np.zeros(2, np.int64)
        return grown(n - 1) + 0.5

    with pytest.raises(TypingError, match="can't unify the return types of"):
        grown(3)
