"""Arguments of generators that Python resumes: they are held as long as the generator is."""

import gc
import sys
from collections import namedtuple

import numpy as np
import pytest

from pyopt import njit

Named = namedtuple("Named", "text array")


def text(length):
    """Make a text that nobody else has."""
    return "".join(chr(97 + at) for at in range(length))


def use_freed_memory():
    """Put other texts and arrays where what isn't held was."""
    gc.collect()
    return [text(length) for length in range(1, 9) for _ in range(50)], [np.zeros(3) for _ in range(50)]


@njit
def items(values):
    for value in values:  # noqa: UP028
        yield value


@njit
def itself(value):
    yield value
    yield value


@njit
def attributes(named):
    for item in named.array:
        yield named.text, item


@njit
def joined(*values):
    yield values[0]
    yield values[0] + values[1]


@njit
def optional(value=None):
    if value is None:
        yield "none"
    else:
        yield value


@njit
def nested(value):
    for one in itself(value):
        yield one + one


@pytest.mark.parametrize(
    "function, arguments",
    [
        (items, lambda: [text(3)]),
        (items, lambda: [bytes([65, 66])]),
        (items, lambda: [(text(3), text(4))]),
        (items, lambda: [[text(3), text(4)]]),
        (items, lambda: [[[text(3)], [text(4), text(5)]]]),
        (items, lambda: [[(text(3), 1), (text(4), 2)]]),
        (items, lambda: [{text(3): 1, text(4): 2}]),
        (items, lambda: [{text(3)}]),
        (itself, lambda: [text(5)]),
        (itself, lambda: ["é" * 3]),
        (itself, lambda: [bytes([65, 66, 67])]),
        (itself, lambda: [(1, text(4))]),
        (attributes, lambda: [Named(text(4), np.arange(3.0))]),
        (joined, lambda: [text(7), text(3)]),
        (optional, lambda: []),
        (optional, lambda: [text(4)]),
        (nested, lambda: [text(4)]),
    ],
)
def test_arguments_outlive_the_call(function, arguments):
    generator = function(*arguments())
    use_freed_memory()
    assert list(generator) == list(function.py_func(*arguments()))


def test_arrays_in_lists_outlive_the_call():
    generator = items([np.arange(3.0), np.arange(3.0) + 1])
    use_freed_memory()
    np.testing.assert_array_equal(list(generator), [[0, 1, 2], [1, 2, 3]])


def test_arguments_are_given_up_with_the_generator():
    value, array = text(20), np.ones(3)
    before = sys.getrefcount(value), sys.getrefcount(array)
    for _ in range(100):
        list(itself(value))
        list(items([value, value]))
        list(items([array]))
        half_way = items({value: 1})
        next(half_way)
        dropped = itself(value)
    del half_way, dropped
    assert (sys.getrefcount(value), sys.getrefcount(array)) == before


def test_an_exception_has_the_text():
    @njit
    def raising(value):
        yield value
        raise ValueError(value)

    generator = raising(text(4))
    use_freed_memory()
    next(generator)
    with pytest.raises(ValueError, match="abcd"):
        next(generator)
    assert list(generator) == []
