"""Calls, exceptions, and the dispatcher with compiled code behind it."""

import math
import traceback
from math import floor, sqrt

import numpy as np
import pytest
from differential import check

from pyopt import errors, njit


def add(a, b):
    return a + b


def doloops(n):
    acc = 0
    for i in range(n):
        acc += 1
        if n == 10:
            break
    return acc


def count_down(n):
    total = 0
    for step in range(n, 0, -1):
        total += step * step
    return total


# Calls


@njit
def square(x):
    return x * x


def plain_half(x, divisor=2):
    return x / divisor


def with_keyword(x, *, shift=1):
    return x + shift


@njit
def is_even(n):
    return True if n == 0 else is_odd(n - 1)


@njit
def is_odd(n):
    return False if n == 0 else is_even(n - 1)


OFFSET = 5
SCALE = 0.25


def calls(a, b):
    return square(a) + plain_half(b) + square(plain_half(a, 4)) + OFFSET * SCALE


def calls_math(x):
    return sqrt(x) + math.floor(x) + floor(x + 0.5) + math.pi * np.sqrt(x)


def test_calls_of_jitted_and_plain_functions():
    check(calls, (3, 4), (2.5, 1), (1, 0.5))
    check(calls_math, (2.0,), (9,), (0.25,))
    check(is_even, (0,), (7,), (10,))


def test_callees_with_keywords_and_defaults():
    check(lambda x: plain_half(divisor=5, x=x) + plain_half(x), (3,), (1.5,))


def test_closures():
    factor = 2.5
    count = 3

    def function(x):
        total = x
        for _ in range(count):
            total = total * factor
        return total

    check(function, (1,), (0.5,))


def test_tuples():
    def swap(pair, extra):
        first, second = pair
        return (second, first), extra, pair[0] + pair[1], len(pair)

    check(swap, ((1, 2.5), 3), ((True, 4), None))


# Exceptions


def checked_inverse(x):
    if x == 0:
        raise ValueError("x cannot be zero")
    return 1 / x


@njit
def checked(x):
    if x < 0:
        raise ValueError("negative")
    return x


def nested(x):
    return checked(x) + checked(x - 5)


def raise_in_loop(n):
    total = 0
    for i in range(n):
        if i == 7:
            raise IndexError("seven")
        total += i
    return total


def raise_class(n):
    if n > 2:
        raise RuntimeError
    return n


def asserting(n):
    assert n < 4, "too large"
    return n


@pytest.mark.parametrize("function", [checked_inverse, nested, raise_in_loop, raise_class, asserting])
def test_exceptions(function):
    check(function, *[(n,) for n in (0, 1, 3, 5, 7, 8, -1, 20)])


def test_a_traceback_names_the_users_lines():
    with pytest.raises(ValueError, match="negative") as caught:
        njit(nested)(-1)
    entries = traceback.extract_tb(caught.value.__traceback__)[1:]
    assert [entry.name for entry in entries] == ["nested", "checked"]
    assert all(entry.filename == __file__ for entry in entries)
    assert [entry.line for entry in entries] == [
        "return checked(x) + checked(x - 5)",
        'raise ValueError("negative")',
    ]


def test_unbound_variables():
    def function(n):
        if n > 0:
            late = n
        return late

    compiled = njit(function)
    assert compiled(3) == 3
    with pytest.raises(UnboundLocalError):
        compiled(0)


# The dispatcher, with code behind it


def test_one_specialisation_for_each_combination_of_types():
    compiled = njit(add)
    assert (compiled(1, 2), compiled(1.5, 2), compiled(3, 4)) == (3, 3.5, 7)
    assert [str(types) for types in compiled.signatures] == ["(int64, int64)", "(float64, int64)"]
    assert str(compiled.nopython_signatures[0]) == "(int64, int64) -> int64"


def test_keywords_and_defaults():
    compiled = njit(lambda a, b=2, *, c=3: a * 100 + b * 10 + c)
    assert (compiled(1), compiled(1, c=5), compiled(b=7, a=2), compiled(1, 2, c=4)) == (123, 125, 273, 124)
    assert len(compiled.signatures) == 1


def test_explicit_signatures_convert_their_arguments():
    compiled = njit(["float64(float64)", "int32(int32)"])(lambda x: x * 2)
    assert compiled(1.5) == 3.0
    assert compiled(np.int32(4)) == 8
    assert len(compiled.signatures) == 2
    assert compiled(np.float32(2.5)) == 5.0
    with pytest.raises(TypeError, match="no matching definition for argument types"):
        compiled(1j)


def test_a_signatures_return_type_is_converted_to():
    assert isinstance(njit("float64(int64, int64)")(add)(1, 2), float)


def test_methods():
    class Account:
        factor = 3

        @staticmethod
        @njit
        def scale(x):
            return x * 3

    assert Account.scale(4) == 12
    assert Account().scale(4) == 12


def test_recompile_sees_new_globals():
    scope = {"njit": njit}
    exec("K = 1\n@njit\ndef f(x):\n    return x + K", scope)
    assert scope["f"](1) == 2
    scope["K"] = 10
    assert scope["f"](1) == 2
    scope["f"].recompile()
    assert scope["f"](1) == 11


def test_inspection():
    compiled = njit(doloops)
    compiled(3)
    assert "func.func" in compiled.inspect_ir("infer-types")
    assert "py.func" in next(iter(compiled.inspect_cfg().values()))
    assert "define" in next(iter(compiled.inspect_llvm().values()))
    assert next(iter(compiled.inspect_asm().values()))
    with pytest.raises(ValueError, match="has no pass 'nonsense'"):
        compiled.inspect_ir("nonsense")


def test_what_cannot_be_compiled_says_why():
    def function(x):
        return x + "text"

    with pytest.raises(errors.PyoptError) as caught:
        njit(function)(1)
    text = str(caught.value)
    assert __file__ in text
    assert 'return x + "text"' in text

    def unknown(x):
        return no_such_name + x  # noqa: F821

    with pytest.raises(errors.PyoptError, match="no_such_name"):
        njit(unknown)(1)


def test_threads_may_compile_and_call_at_once():
    from concurrent.futures import ThreadPoolExecutor

    compiled = njit(nogil=True)(count_down)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(compiled, [1000] * 16))
    assert results == [count_down(1000)] * 16
    assert len(compiled.signatures) == 1
