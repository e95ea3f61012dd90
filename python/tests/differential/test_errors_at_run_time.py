"""Exceptions of compiled code: type, text, and a traceback that ends at the user's line."""

import traceback

import numpy as np
import pytest
from compare import check, compile_once

from pyopt import njit, prange


@njit
def positive(x):
    if x < 0:
        raise ValueError("x is negative")  # innermost
    return x


def plain_middle(x):
    y = x - 1
    return positive(y) * 2  # middle


def outer(x):
    total = 0
    for i in range(3):
        total += plain_middle(x - i)  # outer
    return total


def direct(x):
    if x == 0:
        raise ValueError("x cannot be zero")  # direct
    return 1 / x


def divide(a, b):
    c = a + 1
    return c // b  # divide


def divide_deep(a, b):
    return divide(a, b) + 1  # divide_deep


def unbound(x):
    if x > 0:
        y = x
    return y  # unbound


def step(x):
    total = 0
    for i in range(0, 10, x):  # step
        total += i
    return total


def in_loop(a):
    for i in range(len(a)):
        for j in range(len(a)):
            if a[i] + a[j] == 7:
                raise LookupError("seven")  # in_loop
    return 0


def in_parallel_loop(a):
    total = 0.0
    for i in prange(len(a)):
        if a[i] < 0:
            raise ValueError("negative")  # in_parallel_loop
        total += a[i]
    return total


def broadcasting(a, b):
    c = a * 2
    return c + b  # broadcasting


@njit
def recursive(n):
    if n == 0:
        raise RuntimeError("the bottom")  # recursive
    if n > 100:
        return 0
    return recursive(n - 1) + 1  # recursive call


CASES = {
    "direct": (direct, (0,), ["direct"], {}),
    "divide": (divide, (1, 0), ["divide"], {}),
    "callee": (divide_deep, (1, 0), ["divide_deep", "divide"], {}),
    "nested": (outer, (1,), ["outer", "middle", "innermost"], {}),
    "unbound": (unbound, (0,), ["unbound"], {}),
    "step": (step, (0,), ["step"], {}),
    "loop": (in_loop, (np.arange(6),), ["in_loop"], {}),
    "parallel": (in_parallel_loop, (-np.ones(5000),), ["in_parallel_loop"], {"parallel": True}),
    "broadcasting": (broadcasting, (np.ones(3), np.ones(4)), ["broadcasting"], {}),
    "recursive": (recursive, (2,), ["recursive call", "recursive call", "recursive"], {}),
}


def entries_in_this_file(error):
    """Give the entries below the test's own."""
    entries = traceback.extract_tb(error.__traceback__)
    return [entry for entry in entries if entry.filename == __file__ and not entry.name.startswith("test_")]


@pytest.mark.parametrize("name", CASES)
def test_tracebacks_name_the_users_lines(name):
    function, args, marks, options = CASES[name]
    compiled = compile_once(function, **options)
    with pytest.raises(Exception) as expected:
        compiled.py_func(*args)
    with pytest.raises(expected.type) as caught:
        compiled(*args)
    assert [entry.line.rpartition("# ")[2] for entry in entries_in_this_file(caught.value)] == marks
    # Names are those that CPython gives, whose tracebacks have entries for compiled callees too.
    names = [entry.name for entry in entries_in_this_file(caught.value)]
    assert names[0] == compiled.py_func.__name__
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.filename == __file__


@pytest.mark.parametrize("name", CASES)
def test_texts_are_cpythons(name):
    function, args, _, options = CASES[name]
    check(function, *args, message=name != "broadcasting", written=False, **options)


def test_an_error_can_be_caught_and_the_function_called_again():
    compiled = compile_once(direct)
    for _ in range(100):
        with pytest.raises(ValueError, match="x cannot be zero"):
            compiled(0)
        assert compiled(4) == 0.25


def test_a_raised_exception_is_a_new_object_each_time():
    compiled = compile_once(direct)
    errors = []
    for _ in range(2):
        with pytest.raises(ValueError) as caught:
            compiled(0)
        errors.append(caught.value)
    assert errors[0] is not errors[1]
    assert errors[0].__context__ is None


def test_arrays_keep_what_was_written_before_the_error():
    def fill(a):
        for i in range(len(a)):
            if i == 3:
                raise ValueError("three")
            a[i] = 10 + i

    check(fill, np.zeros(6))
    check(fill, np.zeros(2))


def test_deep_recursion_is_an_error():
    @njit
    def forever(n):
        return forever(n + 1) + 1

    # Typing needs an end, so the compiler may refuse a function that has none.
    with pytest.raises(Exception):
        forever(0)

    @njit
    def deep(n):
        if n == 0:
            return 0
        return deep(n - 1) + 1

    assert deep(500) == 500
