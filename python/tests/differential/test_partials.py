"""Functions that ``functools.partial`` makes, and functions in lists and dicts."""

import functools
import math
from functools import partial

import pytest
from compare import compile_once
from memory import growth

from pyopt import njit
from pyopt.errors import TypingError


def line(slope, offset, x=0, *, scale=1):
    return (slope * x + offset) * scale


def square(x):
    return x * x


def cube(x):
    return x * x * x


steep = partial(line, 5)
named = functools.partial(line, offset=4, scale=3)


def made(n):
    p = partial(line, 2)
    return [p(i) for i in range(n)], p(1, n)


def made_with_keywords(n):
    return functools.partial(line, n, scale=3)(4, 5)


def of_a_lambda(n):
    return partial(lambda a, b: a * 10 + b, n)(7)


def of_globals(n):
    return steep(n), steep(n, x=3), steep(n, 2, scale=4), named(n), named(n, x=2)


def chosen(n):
    functions = {0: square, 1: cube}
    return functions[n % 2](n)


def chosen_by_text(n):
    functions = {"sin": math.sin, "cos": math.cos}
    return [functions[name](n) for name in ("cos", "sin")]


def put_in(n):
    functions = {}
    for k in range(4):
        functions[k] = square if k % 3 else cube
    listed = []
    for k in range(n):
        listed.append(functions[k % 4])
    return [function(3) for function in listed]


@pytest.mark.parametrize(
    "function", [made, made_with_keywords, of_a_lambda, of_globals, chosen, chosen_by_text, put_in]
)
def test_functions(function):
    compiled = compile_once(function)
    for n in (3, 4):
        assert compiled(n) == function(n)
    assert growth(lambda: compiled(3)) == 0


def test_arguments():
    compiled = njit(lambda function, x: function(x))
    assert compiled(partial(line, 2, x=5), 3) == 13
    assert compiled(partial(line, 2.5, x=5), 3) == 15.5
    assert compiled(steep, 3) == steep(3)


def test_what_is_given_twice_is_an_error():
    with pytest.raises((TypingError, TypeError)):
        njit(lambda n: named(n, scale=2))(3)
