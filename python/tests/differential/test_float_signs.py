"""Checks and comparisons with 0.0 that the signs of floats may decide: CPython decides otherwise
for nothing."""

import math

import numpy as np
import pytest
from compare import check

VALUES = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e200, -1e200, 1e-200, -1e-200, 5e-324, -5e-324),
    *(math.inf, -math.inf, math.nan),
)


def over_square_and_one(x):
    return 4.0 / (1.0 + x * x)


def over_square(x):
    return 1.0 / (x * x)


def over_square_and_less(x):
    return 1.0 / (x * x - 1.0)


def over_length(x):
    return x / (abs(x) + 1e-300)


def over_narrow(x):
    return 1.0 / float(np.float32(abs(x) + 1e-300))


def over_quotient(x):
    return 1.0 / (2.0 / (abs(x) + 0.5))


def over_largest(x):
    return 1.0 / max(math.nan, x, 2.0)


def over_first_largest(x):
    return 1.0 / max(2.0, x)


def over_least(x):
    return 1.0 / min(2.0, x * x)


def root_of_square(x):
    return math.sqrt(x * x)


def root_of_sum(x):
    return math.sqrt(x * x + abs(x))


def compared(x):
    square = x * x
    more = square + 1.0
    if more > 0.0:
        a = 1
    elif more <= 0.0:
        a = 2
    elif more == 0.0:
        a = 3
    else:
        a = 4
    return a, square >= 0.0, square < 0.0, 0.0 != more, square == 0.0, not square, not more


def chosen(x):
    least = x * x if x > 1.0 else abs(x)
    return least < 0.0, 1.0 / (least + 1.0), 0.0 > least, math.copysign(1.0, least)


FUNCTIONS = [one for one in globals().values() if getattr(one, "__module__", "") == __name__]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_signs(function):
    for x in VALUES:
        check(function, x)


def test_signs_of_narrow_floats():
    for x in VALUES:
        with np.errstate(over="ignore"):
            check(compared, np.float32(x))
