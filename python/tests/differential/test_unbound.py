"""Variables whose type or existence depends on the path."""

# ruff: noqa: F821 -- names that a path leaves unbound are the subject

import numpy as np
import pytest
from compare import check, combinations

# Types that depend on the path


def float_after_loop(n):
    total = 0
    for i in range(n):
        total += i * 0.5
    return total


def float_from_branch(n):
    x = 1
    if n > 3:
        x = 2.5
    return x * 2


def int_or_float(n):
    if n > 3:
        return n
    return n / 2


def bool_and_int(n):
    flag = n > 3
    if n > 5:
        flag = 7
    return flag + 1


@pytest.mark.parametrize("function", [float_after_loop, float_from_branch, int_or_float])
def test_types_of_paths_are_unified(function):
    from compare import compile_once

    compiled = compile_once(function)
    for n in (0, 1, 3, 4, 10):
        got = compiled(n)
        # A variable has one type, here that which holds both.
        assert isinstance(got, float)
        assert got == function(n)


def test_truth_values_and_integers_are_unified():
    for n in (1, 4, 6):
        check(bool_and_int, n)


# Unbound variables


def unbound_branch(n):
    if n > 2:
        value = n
    return value


def unbound_loop(n):
    for index in range(n):
        last = index
    return last


def unbound_loop_variable(n):
    for index in range(n):
        pass
    return index


def unbound_while(n):
    while n > 3:
        seen = n
        n -= 1
    return seen + n


def unbound_deleted(n):
    value = n * 2
    if n > 2:
        del value
    return value


def unbound_in_loop(n):
    total = 0
    for i in range(n):
        if i > 2:
            total += late
        late = i
        if i == 5:
            del late
    return total


def unbound_array(n):
    if n > 2:
        made = np.zeros(n)
    return made.shape[0]


def bound_on_each_path(n):
    if n > 5:
        a = n
    elif n > 2:
        a = -n
    else:
        a = 0
    return a


@pytest.mark.parametrize(
    ("function", "args"),
    combinations(
        (
            unbound_branch,
            unbound_loop,
            unbound_loop_variable,
            unbound_while,
            unbound_deleted,
            unbound_in_loop,
            unbound_array,
            bound_on_each_path,
        ),
        (0, 1, 2, 3, 6, 9),
    ),
)
def test_unbound_variables(function, args):
    check(function, *args)
