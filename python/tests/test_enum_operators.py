"""Enumerations that say what operators do with their members, and attributes that members have."""

import enum
import functools
from dataclasses import dataclass

import pytest

from pyopt import errors, njit


class Rank(enum.Enum):
    LOW = 1
    MIDDLE = 2
    HIGH = 3

    def __lt__(self, other):
        if self.__class__ is other.__class__:
            return self.value < other.value
        return NotImplemented

    def __le__(self, other):
        return self.value <= other.value

    def __add__(self, other):
        return self.value + (other.value if isinstance(other, Rank) else other)

    def __radd__(self, other):
        return other * 100 + self.value

    def __neg__(self):
        return Rank(4 - self.value)

    def __bool__(self):
        return self is not Rank.LOW

    def __len__(self):
        return self.value

    def __call__(self, x, scale=1):
        return x * self.value * scale

    def __getitem__(self, at):
        return self.name[at]

    def __contains__(self, number):
        return number <= self.value

    def __str__(self):
        return self.name.lower()


@functools.total_ordering
class Grade(enum.Enum):
    A = 2
    B = 1
    C = 0

    def __lt__(self, other):
        if self.__class__ is other.__class__:
            return self.value < other.value
        return NotImplemented

    def plus(self, k=1):
        return self.value + k


@functools.total_ordering
class Reversed(enum.Enum):
    A = 2
    B = 1

    def __ge__(self, other):
        return self.value <= other.value


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5

    def __lt__(self, other):
        return int(self) > int(other)

    def __add__(self, other):
        return int(self) * 1000 + int(other)

    def __radd__(self, other):
        return -1


class Sized(enum.Enum):
    NONE = 0
    SOME = 3

    def __len__(self):
        return self.value


class Planet(enum.Enum):
    EARTH = (5.97e24, 6.37e6)
    MARS = (6.42e23, 3.39e6)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius
        self.initial = "x" + self._name_[0]

    @property
    def gravity(self):
        return 6.67e-11 * self.mass / (self.radius * self.radius)


def compared(a, b):
    return a < b, b < a, a > b, a <= b, a >= b, a == b, (a, 1) < (b, 2), a is b


def computed(a, b):
    return (
        a + b,
        a + 2,
        3 + a,
        -a,
        bool(a),
        not a,
        len(a),
        1 if a else 0,
        a(2.5),
        a(2, scale=b(1)),
        a[0],
        2 in a,
    )


@pytest.mark.parametrize("a", Rank)
@pytest.mark.parametrize("b", Rank)
def test_operators_of_members(a, b):
    assert njit(compared)(a, b) == compared(a, b)
    assert njit(computed)(a, b) == computed(a, b)


def test_members_are_sorted():
    def use(items):
        return sorted(items), max(items), min(items), str(items[0]), f"{items[0]}"

    for items in ([Rank.HIGH, Rank.LOW], [Rank.MIDDLE], [Rank.LOW, Rank.HIGH, Rank.MIDDLE]):
        assert njit(use)(items) == use(items)


def test_operators_of_ints():
    def use(a, b):
        sides = a < b, a < 3, 3 < a, a > b, a <= b, (a, 1) < (b, 1), sorted([a, b])
        return sides, a + b, a + 1, 1 + a, 2.5 + a, True + a, a - 1, a * b

    for a in Level:
        for b in Level:
            assert repr(njit(use)(a, b)) == repr(use(a, b))


@dataclass(frozen=True)
@functools.total_ordering
class Point:
    x: int

    def __le__(self, other):
        return self.x <= other.x


@pytest.mark.parametrize("items", [list(Grade), list(Reversed), [Point(1), Point(2)]], ids=str)
def test_total_orderings(items):
    def use(a, b):
        return a < b, a <= b, a > b, a >= b, a == b, a != b

    for a in items:
        for b in items:
            assert njit(use)(a, b) == use(a, b)


def test_methods_of_the_class():
    def use(a):
        return Grade.plus(a, 3), Grade.plus(Grade.C), Grade.A.plus(k=2), max([a, Grade.B])

    for a in Grade:
        assert njit(use)(a) == use(a)


def test_the_length_is_the_truth():
    def use(x):
        return bool(x), not x, len(x), 1 if x else 2

    for member in Sized:
        assert njit(use)(member) == use(member)


def test_attributes_of_members():
    def use(planet):
        return planet.mass, planet.radius, planet.initial, planet.gravity, [one.mass for one in Planet]

    for planet in Planet:
        assert njit(use)(planet) == use(planet)
    with pytest.raises(errors.TypingError, match="unknown attribute 'weight'"):
        njit(lambda x: x.weight)(Planet.MARS)


@pytest.mark.skipif(not hasattr(enum, "property"), reason="CPython 3.10 has no enum.property")
def test_properties_of_the_module_enum():
    class Step(enum.Enum):
        UP = (0, -1)
        LEFT = (-1, 0)

        # What `property` is behind `from enum import *`.
        @getattr(enum, "property", property)
        def dx(self):
            return self.value[0]

    for step in Step:
        assert njit(lambda step: (step.dx, Step.UP.dx))(step) == (step.dx, 0)


def test_attributes_of_several_types_are_refused():
    class Mixed(enum.Enum):
        A = 1
        B = "b"

        def __init__(self, given):
            self.given = given

    with pytest.raises(errors.TypingError, match="unknown attribute 'given'"):
        njit(lambda x: x.given)(Mixed.A)


def test_types_of_members():
    def use(x):
        known = type(x) is Rank, type(x) is Level, type(x) == Rank, type(x) != Level, x.__class__ is Rank  # noqa: E721
        return known, type(x)

    for x in (Rank.LOW, Level.LOW):
        assert njit(use)(x) == use(x)


def test_what_is_no_operand():
    with pytest.raises(errors.TypingError):
        njit(lambda x: x < 3)(Rank.LOW)
    with pytest.raises(errors.TypingError):
        njit(lambda x: x * 3)(Rank.LOW)


class Equal(enum.Enum):
    A = 1

    def __eq__(self, other):
        return True

    __hash__ = enum.Enum.__hash__


class Index(enum.Enum):
    A = 1

    def __index__(self):
        return 0


@pytest.mark.parametrize(("member", "why"), [(Equal.A, "defines __eq__"), (Index.A, "defines __index__")])
def test_what_compiled_code_does_not_ask_is_refused(member, why):
    with pytest.raises(errors.TypingError, match=why):
        njit(lambda x: x)(member)
