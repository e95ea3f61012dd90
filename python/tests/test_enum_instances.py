"""`isinstance` of members of enumerations: known at compile time; branches that do not fit are left out."""

import enum

import pytest

from pyopt import njit


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Code(enum.IntEnum):
    OK = 200
    LOST = 404


def of_constants(_value):
    known = isinstance(Color.RED, Color), isinstance(Code.OK, Color), isinstance(Code.LOST, Code)
    return known, isinstance(1, Code), isinstance("a", Color), isinstance(Code.OK, int)


def of_arguments(value):
    return isinstance(value, Color), isinstance(value, Code), isinstance(value, (Color, int))


def by_branches(value):
    if isinstance(value, Color):
        return value.name + "!"
    if isinstance(value, Code):
        return value.name
    return str(value * 2)


@pytest.mark.parametrize("function", [of_constants, of_arguments, by_branches])
@pytest.mark.parametrize("value", [Color.GREEN, Code.LOST, 3, 2.5])
def test_instances(function, value):
    assert njit(function)(value) == function(value)


def test_enumerations_of_functions():
    def outer(value):
        class Local(enum.Enum):
            ONE = 1

        def ask(value):
            return isinstance(value, Local), isinstance(Local.ONE, Local)

        return njit(ask)(value)

    assert outer(Color.RED) == (False, True)
