"""Dataclasses, and named tuples with methods, in compiled code, against CPython."""

from collections import namedtuple
from dataclasses import dataclass, field
from functools import reduce
from typing import NamedTuple

import numpy as np
import pytest

from pyopt import errors, njit


@dataclass
class Point:
    x: float
    y: float = 2.0

    def norm(self):
        return (self.x * self.x + self.y * self.y) ** 0.5

    @property
    def total(self):
        return self.x + self.y

    def scaled(self, factor=2.0):
        return Point(self.x * factor, self.y * factor)

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


@dataclass(frozen=True, order=True)
class Version:
    major: int
    name: str = "none"

    def __len__(self):
        return self.major


@dataclass
class Derived(Point):
    z: int = 0

    def norm(self):
        return float(self.z)


@dataclass
class Holder:
    data: np.ndarray
    at: tuple


class Vector(NamedTuple):
    x: float
    y: float = 1.0

    @classmethod
    def unit(cls):
        return cls(1.0)

    @staticmethod
    def twice(x):
        return 2 * x

    def dot(self, other):
        return self.x * other.x + self.y * other.y

    @property
    def total(self):
        return self.x + self.y

    def scaled(self, factor):
        return Vector(self.x * factor, self.y * factor)

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)


class Named(namedtuple("Named", "a b")):
    def both(self):
        return self.a + self.b


def fields(p):
    return p.x, p.y, p.x + p.norm(), p.total


def made(p):
    return Point(p.x), Point(1.0, y=p.y), p.scaled(), p.scaled(3.0), p + p


def compared(p):
    return p == Point(p.x, p.y), p != Point(p.x, p.y), p == Point(9.0)


@pytest.mark.parametrize("function", [fields, made, compared])
def test_dataclasses(function):
    for point in (Point(3.0, 4.0), Point(-1.5)):
        assert njit(function)(point) == function(point)


def test_frozen_and_ordered_ones():
    def order(a, b):
        return a < b, a <= b, a > b, a >= b, a == b, a.name + b.name, len(a), max(a.major, b.major)

    pair = Version(1, "one"), Version(2)
    assert njit(order)(*pair) == order(*pair)
    assert njit(order)(*pair[::-1]) == order(*pair[::-1])


def test_derived_ones_have_their_own_methods():
    def both(a, b):
        return a.norm(), b.norm(), b.total, b.z

    arguments = Point(3.0, 4.0), Derived(1.0, 2.0, 7)
    assert njit(both)(*arguments) == both(*arguments)


def test_fields_of_arrays_and_tuples():
    @njit
    def change(h):
        h.data[0] = h.at[1]
        return h.data.sum(), h.at, h.data

    holder = Holder(np.arange(3.0), (1, 5))
    total, at, data = change(holder)
    assert (total, at) == (8.0, (1, 5))
    assert data is holder.data


def test_texts_of_instances_are_theirs():
    def text(p):
        return repr(p), str(p), f"{p}"

    assert njit(text)(Point(1.0)) == text(Point(1.0))


def test_local_classes_of_one_name_are_two():
    def define(factor):
        @dataclass
        class Local:
            x: int

            def times(self):
                return self.x * factor

        return Local

    compiled = njit(lambda p: p.times())
    assert [compiled(define(factor)(3)) for factor in (2, 5)] == [6, 15]


def methods(v):
    return v.dot(v), v.total, v.scaled(2.0), v + v, v[0], len(v)


def made_of_defaults(v):
    return Vector(v.x), Vector.unit(), v.unit(), v.twice(v.x), Vector.twice(3), Vector._make([v.x, 5.0])


def replaced(v):
    return v._fields, v._replace(x=9.0), v._replace(), v._asdict(), Vector(5.0, 1.0).total


@pytest.mark.parametrize("function", [methods, replaced, made_of_defaults])
def test_named_tuples(function):
    for vector in (Vector(3.0, 4.0), Vector(-1.0)):
        assert njit(function)(vector) == function(vector)


def test_methods_of_a_class_derived_from_a_named_tuple():
    assert njit(lambda n: n.both() + n.a)(Named(1, 2)) == 4


@dataclass
class Parity:
    """Says itself what it equals."""

    x: int

    def __eq__(self, other):
        return self.x % 2 == other.x % 2

    def __hash__(self):
        return self.x % 2


@dataclass(frozen=True, order=True)
class Pair:
    x: int
    y: int = field(compare=False, default=0)

    SIZE = 2

    @staticmethod
    def twice(x):
        return 2 * x

    def __radd__(self, x):
        return x + self.x


@dataclass(init=False)
class Doubled:
    x: int

    def __init__(self, x):
        self.x = 2 * x


@dataclass
class Written:
    x: int

    def __init__(self, twice):
        self.x = twice // 2


@pytest.mark.parametrize("made", [Doubled, Written])
def test_constructors_of_a_program_are_not_replaced(made):
    with pytest.raises(errors.TypingError, match=f"{made.__name__} has an __init__"):
        njit(lambda: made(3).x)()
    assert njit(lambda one: one.x)(made(3)) == made(3).x


def compared(a):
    return (
        (
            Parity(1) == Parity(a),
            Parity(1) != Parity(a),
            Parity(2) == Parity(a),
            [Parity(1)].index(Parity(a)),
        ),
        (
            Pair(1, 2) == Pair(a, 3),
            Pair(1) < Pair(a),
            Pair(a) in [Pair(1), Pair(3)],
            {Pair(1): 5}.get(Pair(a), 7),
        ),
        (Pair(a) == 3, Pair(a) != (3,), (3,) == Pair(a), Pair(a) == "x", Pair(a) == [3], Pair(a) is None),
        (Pair(a) in (Pair(3), 5), [Pair(a)] == [Pair(3)], (Pair(a),) == ((3, 0),), Vector(a, 1) == a),
        (Pair(a).twice(4), Pair.twice(a), Pair(a).SIZE, 1 + Pair(a)),
    )


@dataclass
class Constant:
    x: int
    kind = -0.0
    unit = 1


@dataclass
class Defaulted:
    x: int
    kind: float = 0.0
    unit: bool = True


def test_constants_of_one_class_are_fields_of_another():
    def read(one, other):
        return one.kind, one.unit, other.kind, other.unit, Defaulted(one.unit, one.x).kind

    for arguments in [(Constant(3), Defaulted(1, 2.5, False)), (Constant(4), Defaulted(1))]:
        assert repr(njit(read)(*arguments)) == repr(read(*arguments))
    Constant.kind = 0.0
    assert repr(njit(lambda one: one.kind)(Constant(3))) == "0.0"


@dataclass
class Sized:
    """Equals what is as long."""

    x: int

    def __eq__(self, other):
        return self.x == len(other)


def test_what_equals_a_sequence_says_the_class():
    def asked(a):
        one = Sized(a)
        return one == [1, 2], one == (1, 2), one == range(a), one != [0], [1, 2] == one, one == "ab"

    for a in (2, 3):
        assert njit(asked)(a) == asked(a)


def test_comparisons_and_members_are_those_of_the_class():
    for a in (1, 3):
        assert njit(compared)(a) == compared(a)


class Place(NamedTuple):
    x: int
    y: int


def kept(a):
    places = {Place(1, 2): 1, Place(a, 4): 2}
    plain = {(1, 2): 1, (a, 4): 2}
    here = {Place(1, 2), Place(a, 4)}
    rows = [Place(1, 2), Place(a, 4)]
    rows.insert(0, Place(0, a))
    rows.extend([Place(9, 9)])
    return (
        (places[Place(3, 4)], Place(3, 4) in places, places.get((3, 4), 0), places[1, 2], (1.0, 2) in places),
        (
            plain.get(Place(3, 4), 0),
            Place(1, 2) in plain,
            Place(1, 2) in here,
            (3, 4) in here,
            (4, 4) in here,
        ),
        (rows, rows.index((a, 4)), rows.count(Place(9, 9)), max(rows), sorted(rows)[0]),
        ({1: Place(1, 2)}.get(2, Place(5, a)), dict.fromkeys([1], Place(1, a))),
        reduce(lambda left, right: right, rows, Place(a, a)),
        (Place(1, a) == (1, 3), Place(1, a) != (1, 3), Place(1, a) < (1, 4), type(Place(1, a)) is Place),
        (list(places), len(here), [key.x for key in places]),
    )


def test_named_tuples_among_items_and_keys():
    assert repr(njit(kept)(3)) == repr(kept(3))


@dataclass(frozen=True)
class Reflected:
    x: int

    # The reflected one is defined first, and the left operand is asked first all the same.
    def __radd__(self, other):
        return 100 * other

    def __add__(self, other):
        return self.x + (other if isinstance(other, int) else other.x)

    def __rsub__(self, other):
        return other - self.x


def test_the_left_operand_is_asked_before_the_reflected_one():
    def use(a, b):
        return a + b, a + 1, 2 + a, 7 - b

    arguments = Reflected(3), Reflected(5)
    assert njit(use)(*arguments) == use(*arguments)
    with pytest.raises(errors.TypingError, match="no implementation of -"):
        njit(lambda a: a - 1)(Reflected(3))
