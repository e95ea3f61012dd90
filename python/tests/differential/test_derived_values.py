"""Objects of classes that derive from numbers, texts and lists: compiled code sees the value, as in Numba."""

import collections
import math

import pytest

from pyopt import njit, typeof


class Meters(int):
    """An int that shows otherwise."""

    def __repr__(self):
        """Show the unit."""
        return f"{int(self)} m"

    def __int__(self):
        """Be another number for ``int``, which compiled code doesn't ask."""
        return -1

    __index__ = __int__


class Angle(float):
    """A float with a method."""

    def degrees(self):
        """Give the angle in degrees."""
        return math.degrees(self)

    def __float__(self):
        """Be another number for ``float``."""
        return -1.0


class Phasor(complex):
    """A complex number with an attribute."""

    frequency = 50


class Name(str):
    """A text that shows otherwise."""

    def __str__(self):
        """Be another text."""
        return "hidden"


class Path(list):
    """A list with an attribute."""

    is_closed = False


NUMBERS = [
    (Meters(4), 4),
    (Meters(-(2**63)), -(2**63)),
    (Meters(2**64 - 1), 2**64 - 1),
    (Angle(-0.0), -0.0),
    (Angle("nan"), math.nan),
    (Phasor(1, -0.0), complex(1, -0.0)),
    (Name("häß"), "häß"),
    (Name(""), ""),
]
IDS = [repr(plain) for _, plain in NUMBERS]


def told(value):
    """Give the class and digits of a number; of a text, which may be what was passed, the characters."""
    return [*map(ord, value)] if isinstance(value, str) else (type(value), repr(value))


@njit
def given(x):
    return x


@njit
def first(items):
    return items[0]


@njit
def doubled(x):
    return x + x


@pytest.mark.parametrize(("value", "plain"), NUMBERS, ids=IDS)
def test_arguments(value, plain):
    assert typeof(value) == typeof(plain)
    assert told(doubled(value)) == told(doubled(plain))
    for found in (first((value, 1)), first([value]), first((1.5, value)[1:])):
        assert told(found) == told(given(plain))


@pytest.mark.parametrize(("value", "plain"), NUMBERS, ids=IDS)
def test_values_from_outside(value, plain):
    held = (value, 1)
    for found in (njit(lambda: value)(), njit(lambda: held[0])(), njit(lambda x=held: x[0])()):
        assert told(found) == told(plain)


def test_ints_that_do_not_fit():
    with pytest.raises(OverflowError):
        given(Meters(2**64))


def test_lists_are_written_back():
    @njit
    def extend(items):
        items.append(items[0] + 1)
        return len(items)

    path = Path([1, 2])
    assert extend(path) == 3
    assert path == [1, 2, 2] and type(path) is Path
    assert given(path) is path


def test_tuples_keep_their_meaning():
    """Of a tuple's class, which may have another order or other items, compiled code knows nothing."""

    class Reversed(tuple):
        pass

    with pytest.raises(TypeError):
        given(Reversed((1, 2)))
    pair = collections.namedtuple("Pair", "first second")(1, 2)
    assert given(pair) == pair
