"""Loops over tuples, which are fully counted: breaks, else, nesting, unpacking of items."""

import numpy as np
import pytest
from compare import check, compile_once

from pyopt import errors

FACTORS = (3, 5, 7)


def total(t):
    result = 0
    for item in t:
        result = result * 10 + item
    return result


def over_global(x):
    for factor in FACTORS:
        x *= factor
    return x


def over_literal(x):
    for step in (1, -1, 2):
        x = x * 2 + step
    return x


def first_above(t, limit):
    for item in t:
        if item > limit:
            break
    else:
        return -1
    return item


def early_return(t, wanted):
    for item in t:
        if item == wanted:
            return True
    return False


def pairs(t):
    result = 0
    for first, second in t:
        result = result * 7 + first - second
    return result


def nested(t, u):
    result = 0
    for x in t:
        for y in u:
            if y > x:
                continue
            result += x * y
    return result


def over_arrays(a, b):
    result = 0.0
    for array in (a, b, a):
        result = result * 2 + array.sum()
    return result


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (total, ((1, 2, 3),)),
        (total, ((4,),)),
        (total, ((1.5, -2.0),)),
        (over_global, (2,)),
        (over_global, (0.5,)),
        (over_literal, (3,)),
        (first_above, ((1, 4, 9), 3)),
        (first_above, ((1, 4, 9), 9)),
        (early_return, ((1, 2, 3), 3)),
        (early_return, ((1, 2, 3), 4)),
        (pairs, (((1, 2), (3, 4), (5, -6)),)),
        (nested, ((1, 2, 3), (2.5, 0.5))),
        (over_arrays, (np.arange(3.0), np.ones(5))),
    ],
)
def test_results(function, arguments):
    check(function, *arguments)


def test_items_without_a_common_type_are_refused():
    with pytest.raises(errors.TypingError, match="whose items have no common type") as raised:
        compile_once(total)((1, 2.5))
    assert "hint: iterate over literal_unroll" in str(raised.value)
    assert f"{__file__}:{total.__code__.co_firstlineno + 2}:" in str(raised.value)


def over_nothing(x):
    s = x
    for item in ():
        s += item
    else:
        s += 1
    for k, item in enumerate(()):
        s += k * item
    for a, b in zip((), (x, x)):
        s += a * b
    for item in reversed(()):
        s += item
    for _ in zip():
        s += 1
    return s


def test_no_items():
    check(over_nothing, 3)
    check(over_nothing, 2.5)
