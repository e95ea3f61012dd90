"""``locals=``: what is assigned to variables of a declared type is converted to it."""

import traceback
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pyopt import errors, njit, types


def same(x):
    y = x
    return y


def total(values):
    result = 0
    for value in values:
        result += value
    return result


def counted(n):
    last = 0
    for i in range(n):
        last = i
    return last


def of_pair(pair):
    a, b = pair
    return a, b


def parameter(x):
    return x


def named_in_a_test(x):
    if (y := x) > 0:
        return y
    return y


@pytest.mark.parametrize(
    ("function", "declared", "argument", "expected"),
    [
        (same, {"y": types.int8}, 300, 44),
        (same, {"y": types.float32}, 0.1, float(np.float32(0.1))),
        (same, {"y": types.complex128}, 2.0, 2 + 0j),
        (total, {"result": types.float32}, np.array([1e8, 1.0, 1.0]), 1e8),
        (total, {"result": types.uint8}, np.array([200, 100]), 44),
        (counted, {"i": types.uint8}, 300, 43),
        (of_pair, {"b": types.int8}, (300, 300), (300, 44)),
        (parameter, {"x": types.int8}, 300, 44),
        (named_in_a_test, {"y": types.uint8}, 257, 1),
        (same, {"unused": types.int8}, 300, 300),
    ],
)
def test_assignments_convert(function, declared, argument, expected):
    result = njit(locals=declared)(function)(argument)
    assert result == expected and type(result) is type(expected)


def test_closures_defaults_and_callees():
    scale = 300

    @njit(locals={"y": types.int8})
    def scaled(x, step=1, *, more=2):
        y = scale * x
        return y + step + more

    assert scaled(1) == 47 and scaled(1, 2, more=0) == 46
    assert njit(lambda x: scaled(x))(1) == 47


@njit(locals={"below": types.int8})
def factorial(n):
    if n < 2:
        return 1
    below = n - 1
    return n * factorial(below)


def test_recursion():
    assert factorial(5) == 120


def test_types_that_are_no_numbers_mean_nothing_here():
    assert njit(locals={"values": types.float64[:]})(total)(np.ones(3)) == 3


@njit(locals={"y": types.int64})
def failing(x):
    y = x
    if y > 2:
        raise ValueError("too large")
    return y


def test_lines_stay_those_of_the_source():
    with pytest.raises(ValueError, match="too large") as caught:
        failing(3)
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert frame.line == 'raise ValueError("too large")'
    assert frame.lineno == failing.py_func.__code__.co_firstlineno + 4


def test_without_source_it_is_refused_when_the_function_is_called():
    scope = {}
    exec("def f(x):\n    y = x\n    return y\n", scope)
    with pytest.raises(errors.UnsupportedError, match="locals needs the function's source"):
        njit(locals={"y": types.int8})(scope["f"])(1)


def test_threads_may_compile_at_once():
    def compiled(index):
        return njit(locals={"result": types.float32})(total)(np.full(3, index))

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(compiled, range(40))) == [3 * index for index in range(40)]
