"""Exceptions that programs raise, and division by zero."""

import pytest
from assertions import assertion, assertion_with_message
from compare import check, combinations

from pyopt import njit

# Exceptions


def inverse(x):
    if x == 0:
        raise ValueError("x cannot be zero")
    return 1 / x


def inverse_renamed(value):
    if value == 0:
        raise ValueError("x cannot be zero")
    result = 1 / value
    return result


def inverse_else(x):
    if x != 0:
        return 1 / x
    else:
        raise ValueError("x cannot be zero")


def raise_other_type(x):
    if x < 0:
        raise OverflowError("too small")
    if x > 5:
        raise KeyError("too large")
    return x


def raise_class(x):
    if x > 2:
        raise RuntimeError
    return x


def raise_without_arguments(x):
    if x > 2:
        raise IndexError()
    return x


def raise_in_loop(x):
    total = 0
    for i in range(10):
        if i == x:
            raise ValueError("found")
        total += i
    return total


def raise_in_nested_loops(x):
    total = 0
    for i in range(5):
        for j in range(i):
            if i * j == x:
                raise ArithmeticError("product")
            total += j
    return total


def raise_in_while(x):
    while x > 0:
        x -= 2
        if x == 1:
            raise StopIteration("odd")
    return x


def raise_always(x):
    raise NotImplementedError("nothing here")


def raise_after_work(x):
    y = x * 2
    z = y + 1
    if z > 9:
        raise TypeError("z is too large")
    return y, z


@njit
def checked(x):
    if x == 3:
        raise ValueError("three is not allowed")
    return x + 1


def raise_in_callee(x):
    return checked(x) + checked(x - 2)


def raise_in_callee_of_loop(x):
    total = 0
    for i in range(x):
        total += checked(i)
    return total


def raise_in_plain_callee(x):
    return inverse(x) + inverse(x - 3)


RAISING = (
    inverse,
    inverse_renamed,
    inverse_else,
    raise_other_type,
    raise_class,
    raise_without_arguments,
    raise_in_loop,
    raise_in_nested_loops,
    raise_in_while,
    raise_always,
    raise_after_work,
    assertion,
    assertion_with_message,
    raise_in_callee,
    raise_in_callee_of_loop,
    raise_in_plain_callee,
)


@pytest.mark.parametrize(("function", "args"), combinations(RAISING, (0, 1, 2, 3, 5, 8, -1)))
def test_raising(function, args):
    check(function, *args)


def divide_in_loop(n, start):
    total = 0
    for k in range(start, n):
        total += 100 // k
    return total


def modulo_in_branch(n, start):
    if n > start:
        return n % start
    return start % n


def divide_floats(n, start):
    return (n + 0.5) / start


@pytest.mark.parametrize(
    ("function", "args"),
    combinations(
        (divide_in_loop, modulo_in_branch, divide_floats), [(5, 1), (5, 0), (0, 5), (3, -2), (0, 0)]
    ),
)
def test_division_by_zero(function, args):
    check(function, *args)
