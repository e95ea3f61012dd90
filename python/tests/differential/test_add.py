"""Twelve ways to add two numbers."""

# ruff: noqa: F841 -- variables that nobody reads are among the variants

import math

import numpy as np
import pytest
from compare import check, combinations

# add


def add(a, b):
    return a + b


def add_renamed(first_number, second_number):
    return first_number + second_number


def add_swapped(a, b):
    return b + a


def add_through_local(a, b):
    result = a
    result = result + b
    return result


def add_in_place(a, b):
    a += b
    return a


def add_three(a, b):
    return a + b + 1


def add_branch(a, b):
    if a > b:
        return a + b
    return b + a


def add_unused(a, b):
    c = a * b
    d = c + 1
    return a + b


def add_twice(a, b):
    x = a + b
    y = a + b
    return x + y - x


def add_tuple(a, b):
    return a + b, b, a


def add_negated(a, b):
    return -(-a - b)


def add_ternary(a, b):
    return a + b if a != b else a * 2


ADDS = (
    add,
    add_renamed,
    add_swapped,
    add_through_local,
    add_in_place,
    add_three,
    add_branch,
    add_unused,
    add_twice,
    add_tuple,
    add_negated,
    add_ternary,
)
ADD_VALUES = [
    (1, 2),
    (-5, 3),
    (2**63 - 1, 1),
    (-(2**63), -1),
    (0.1, 0.2),
    (1, 0.5),
    (-2.5, 3),
    (np.int8(100), np.int8(100)),
    (np.int32(2**31 - 1), 1),
    (np.uint8(200), np.uint8(100)),
    (np.float32(0.1), np.float32(0.2)),
    (np.float32(0.1), 0.2),
    (math.inf, -math.inf),
]


@pytest.mark.parametrize(("function", "args"), combinations(ADDS, ADD_VALUES))
def test_add(function, args):
    if function is add_ternary and {int, float} & set(map(type, args)) != {int}:
        args = tuple(map(float, args))  # both sides of the ternary have one type, as the model's have then
    # The negative of a narrow integer wraps in its own width, before it grows.
    check(function, *args, numpy=function is add_negated and isinstance(args[0], np.unsignedinteger))
