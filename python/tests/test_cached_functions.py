"""Functions with ``functools.lru_cache`` and ``cache`` that compiled code calls."""

import functools
import math
import random
from functools import cache, lru_cache

import numpy as np
import pytest

from pyopt import errors, njit

TABLE = (3, 1, 4)


@cache
def square(x):
    return x * x


@lru_cache(maxsize=3)
def scaled(x, factor=2, *, shift=0):
    return math.sqrt(x) * factor + shift + TABLE[0]


@lru_cache
def named(text, count):
    """Call another cached function, and one that isn't."""
    return text.upper() * square(count), helper(count)


def helper(x):
    return sum([x, 1, int(np.abs(x))])


@cache
@njit
def compiled(x):
    return x + 0.5


def calls(n):
    return (
        square(n),
        square(1.5),
        scaled(n),
        scaled(n, 3),
        scaled(n, factor=4, shift=1),
        named("ab", n),
        compiled(n),
    )


def in_loops(n):
    total = 0
    for i in range(n):
        total += square(i % 3)
    return total, [square(x) for x in range(n)], {x: scaled(x) for x in range(n)}


@pytest.mark.parametrize("function", [calls, in_loops])
@pytest.mark.parametrize("n", [0, 1, 4])
def test_calls(function, n):
    assert njit(function)(n) == function(n)


def test_a_cached_function_of_a_function():
    @cache
    def local(x):
        return x + len(TABLE)

    assert njit(lambda x: local(x))(2) == 5


def test_exceptions():
    @cache
    def checked(x):
        if x < 0:
            raise ValueError("negative")
        return x

    use = njit(lambda x: checked(x))
    for _ in range(2):
        assert use(1) == 1
        with pytest.raises(ValueError, match="negative"):
            use(-1)


@cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@cache
def even(n):
    return n == 0 or odd(n - 1)


def odd(n):
    return n != 0 and even(n - 1)


@cache
def printing(x):
    print(x)
    return x


@cache
def drawing(x):
    return random.random() * x


@cache
def drawing_numpy(x):
    return np.random.rand() * x


@cache
def importing(x):
    from time import perf_counter

    return perf_counter() + x


@cache
def any_number(*values):
    return len(values)


@cache
def a_list(n):
    return [n]


def through_a_function(x):
    return printing(x)


@cache
def outer(x):
    return through_a_function(x)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (fib, "'fib', which calls itself and takes too long without its cache"),
        (even, "'even', which calls itself"),
        (printing, "'printing', which uses 'print' and may do more than give a value"),
        (drawing, "'drawing', which uses 'random'"),
        (drawing_numpy, "'drawing_numpy', which uses 'random'"),
        (importing, "'importing', which uses 'time'"),
        (any_number, "'any_number', which takes any number of arguments"),
        (outer, "'outer', which uses 'print'"),
        (a_list, "a cached function gives what can't change in compiled code, not list"),
    ],
)
def test_what_is_refused(function, why):
    with pytest.raises(errors.TypingError, match=why):
        njit(lambda x: function(x))(3)


def test_arguments_that_are_no_keys():
    for argument in (np.arange(3), [1, 2], {1: 2}):
        with pytest.raises(TypeError):
            square(argument)
        with pytest.raises(errors.TypingError, match="a cached function takes what can be a key"):
            njit(lambda x: square(x))(argument)


def test_the_cached_function_itself_is_returned():
    assert njit(lambda: square)() is square
    assert functools.reduce(lambda a, b: a + b, [njit(lambda x: square(x))(k) for k in range(3)]) == 5


def test_code_that_is_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("PYOPT_CACHE_DIR", str(tmp_path))
    for _ in range(2):
        assert njit(cache=True)(calls)(4) == calls(4)
