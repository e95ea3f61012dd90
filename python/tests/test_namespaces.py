"""Attributes of the program's own modules and classes in compiled code."""

import enum
import traceback
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from pyopt import errors, njit, objmode, types


def module(name, **attributes):
    made = ModuleType(name)
    made.__dict__.update(attributes)
    return made


def increment(x):
    return x + settings.STEP


inner = module("outer.inner", TABLE=np.arange(3.0), twice=njit(lambda x: 2 * x))
settings = module("settings", STEP=3, increment=increment, inner=inner, types=types, objmode=objmode)
other = module("other", STEP=30)


class Colour(enum.Enum):
    RED = 5


class Names:
    SIZE = 4

    @staticmethod
    def half(x):
        return x / 2

    class Nested:
        DEEP = (1, 2.5)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: settings.STEP + x, 5),
        (lambda x: settings.increment(x), 5),
        (lambda x: settings.inner.twice(x) + settings.inner.TABLE[x], 6.0),
        (lambda x: settings.types.int8(x + 300), 46),
        (lambda x: Names.half(x) + Names.SIZE + Names.Nested.DEEP[1], 7.5),
        (lambda x: Colour.RED.value + x, 7),
        (lambda x: (settings if x > 1 else settings).STEP, None),
        (lambda x: np.linalg.norm(np.ones(x + 2)) + settings.inner.TABLE.sum(), 5.0),
        (lambda x: sum([settings.STEP * i for i in range(x)]), 3),
    ],
)
def test_attributes_are_known_when_the_function_is_compiled(function, expected):
    if expected is None:
        # What is in a condition isn't a name: the module can't be chosen at run time.
        with pytest.raises(errors.TypingError):
            njit(function)(2)
    else:
        assert njit(function)(2) == function(2) == expected


def test_free_variables_and_functions_inside():
    space = module("space", K=7, f=lambda x: x - 1)

    def function(x):
        def add(y):
            return y + settings.STEP

        return add(x) + space.f(x) + space.K

    assert njit(function)(2) == function(2) == 13


def test_more_names_than_an_instruction_holds():
    source = "".join(f"    s += settings.STEP + s{index}\n" for index in range(200))
    scope = {"settings": settings} | {f"s{index}": index for index in range(200)}
    exec(f"def function(s):\n{source}    return s + settings.inner.TABLE[1]\n", scope)
    assert njit(scope["function"])(0) == scope["function"](0)


def test_the_next_compilation_sees_a_change():
    def function(x):
        return other.STEP + x

    compiled = njit(function)
    assert compiled(1) == 31
    other.STEP = 31
    assert compiled(1) == 31 and compiled(1.0) == 32.0
    compiled.recompile()
    assert compiled(1) == 32
    other.STEP = 30


def test_errors_keep_their_place():
    def function(x):
        if settings.STEP > x:
            raise ValueError(settings.STEP)
        return x

    with pytest.raises(ValueError, match="3") as caught:
        njit(function)(2)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].line == "raise ValueError(settings.STEP)"


def test_blocks_of_python_are_left_as_they_are():
    def function(x):
        with objmode(y="int64"):
            y = x + settings.STEP
        return y

    assert njit(function)(2) == 5

    def opened(x):
        with settings.objmode(y="int64"):
            y = x + settings.STEP
        return y

    assert njit(opened)(2) == 5


def test_instances_are_no_namespaces():
    space = SimpleNamespace(K=1)
    with pytest.raises(errors.TypingError, match="SimpleNamespace can't be compiled"):
        njit(lambda: space.K)()
    with pytest.raises(errors.TypingError, match="settings"):
        njit(lambda: settings.missing)()
