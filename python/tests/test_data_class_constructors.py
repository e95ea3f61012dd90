"""What makes instances of dataclasses in compiled code, against CPython."""

import dataclasses
import math
from dataclasses import InitVar, asdict, astuple, dataclass, field, fields, replace
from typing import ClassVar

import numpy as np
import pytest

from pyopt import errors, njit


@dataclass
class Point:
    x: float
    y: float = 2.0
    SIZE: ClassVar[int] = 2

    @classmethod
    def unit(cls):
        return cls(1.0, y=float(cls.SIZE))

    @classmethod
    def between(cls, left, right=None):
        return cls.unit() if right is None else cls((left.x + right.x) / 2, (left.y + right.y) / 2)

    def like(self):
        return self.__class__(self.x, self.y), type(self)(self.y)

    def moved(self, by):
        return replace(self, x=self.x + by)


@dataclass
class Moved(Point):
    z: int = 0

    def moved(self, by):
        return replace(super().moved(by), z=self.z + 1)


def class_methods(a):
    point = Point(a, 4.0)
    return Point.unit(), point.unit(), Point.between(point, Point.unit()), Moved.between(point), point.like()


def replaced(a):
    point = Point(a)
    return point.moved(1.0), replace(point), dataclasses.replace(point, y=a, x=9.0), Moved(a).moved(1.0)


@dataclass
class Line:
    ends: tuple
    points: list
    data: np.ndarray
    name: str = "line"


@dataclass
class Pair:
    left: Point
    right: Point


def taken_apart(a):
    line = Line((Point(a), 3), [Point(1.0), Point(2.0)], np.zeros(2))
    ends, points, data, name = astuple(line)
    line.data[0] = a
    whole = asdict(Point(a)), asdict(Pair(Point(a), Point(1.0))), astuple(Moved(a))
    return ends, points, float(data[0]), name, whole


def asked(a):
    names = [one.name for one in fields(Point)]
    length = len(fields(Point(a)))
    return names, length, dataclasses.is_dataclass(Point), dataclasses.is_dataclass(a), Point(a).SIZE


@dataclass(kw_only=True)
class Named:
    x: float
    y: int = 5


@dataclass
class Late:
    x: float
    y: int = field(default=7, kw_only=True)
    z: int = field(init=False, default=9)


def by_keyword(a):
    return Named(x=a), Named(y=1, x=a), Late(a), Late(y=3, x=a), replace(Late(a), y=1)


@pytest.mark.parametrize("function", [class_methods, replaced, taken_apart, asked, by_keyword])
def test_functions_of_dataclasses(function):
    for a in (1.0, -2.5):
        assert repr(njit(function)(a)) == repr(function(a))


@dataclass
class Holder:
    x: float
    items: list[int] = field(default_factory=list)
    names: dict[str, float] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    rows: list[list[int]] = field(default_factory=list)
    pairs: list[tuple[int, str]] = field(default_factory=list)
    first: list = field(default_factory=lambda: [1, 2])


def factories(a):
    one = Holder(a)
    one.items.append(3)
    one.names["a"] = 1.5
    one.seen.add(3)
    one.rows.append([1])
    one.pairs.append((1, "a"))
    one.first.append(3)
    return one, Holder(a), Holder(a, first=[5], items=[7])


def given(a):
    items = [1]
    one = Holder(a, items)
    one.items.append(5)
    items.append(6)
    return one.items, items


@pytest.mark.parametrize("function", [factories, given])
def test_fields_that_factories_make(function):
    assert repr(njit(function)(1.0)) == repr(function(1.0))


@dataclass
class Checked:
    x: float

    def __post_init__(self):
        if self.x < 0:
            raise ValueError(f"negative: {self.x}")


@dataclass
class Settled:
    x: float
    y: float = 1.0
    norm: float = field(init=False)
    tag: str = field(init=False, default="t")

    def __post_init__(self):
        if self.y == 0:
            self.norm = 0.0
            return
        self.norm = math.hypot(self.x, self.y)
        for k in range(3):
            self.x += k
        self.x: float = self.x + sum([self.y for _ in range(2)])


@dataclass
class Settled2(Settled):
    z: int = 2
    more: float = field(init=False)

    def __post_init__(self):
        def shifted(by):
            return self.x + by

        super().__post_init__()
        self.more = self.norm + self.z + shifted(2)


@dataclass
class Settled3(Settled):
    def __post_init__(self):
        super().__post_init__()
        if self.norm < 0:
            raise ValueError(self.tag)


@dataclass
class Hidden:
    x: float

    def __post_init__(self):
        def change():
            self.x = 2.0

        change()


@dataclass(frozen=True)
class Frozen:
    a: float
    b: float = 0.0

    def __post_init__(self):
        object.__setattr__(self, "b", self.a * self.twice())

    def twice(self):
        return 2 * self.a


@dataclass
class Scaled:
    k: InitVar[int]
    x: float = 1.0

    def __post_init__(self, k):
        self.x = self.x * k


def settled(a):
    return (
        Settled(a),
        Settled(a, 0.0),
        Settled2(a),
        Settled2(a, 3.0, 5),
        Settled3(a),
        Frozen(a),
        Scaled(3, a),
        Scaled(k=2),
    )


def test_post_init():
    compiled = njit(lambda a: Checked(a).x)
    assert compiled(2.0) == 2.0
    with pytest.raises(ValueError, match="negative: -1.0"):
        compiled(-1.0)
    assert repr(njit(settled)(3.0)) == repr(settled(3.0))


def test_what_is_refused():
    with pytest.raises(errors.TypingError, match="can't assign fields"):
        njit(lambda: Hidden(1.0).x)()
    with pytest.raises(errors.TypingError, match="use astuple"):
        njit(lambda: asdict(Version(1)))()
    with pytest.raises(errors.TypingError, match="init=False"):
        njit(lambda: replace(Late(1.0), z=3))()
    with pytest.raises(errors.TypingError, match="unexpected keyword argument 'q'"):
        njit(lambda: replace(Late(1.0), q=3))()


@dataclass(frozen=True, order=True)
class Version:
    major: int
    name: str = "none"


def matched(a):
    found = []
    for version in (Version(1), Version(2, "b"), Version(a, "c")):
        match version:
            case Version(1):
                found.append("one")
            case Version(major, "b"):
                found.append(f"b{major}")
            case Version(name=name):
                found.append(name)
    match Point(1.0, float(a)):
        case Point(0.0, y):
            found.append("origin")
        case Point(x, y=y) if y > 2:
            found.append(f"{x} {y}")
        case _:
            found.append("other")
    return found, max(Version(1), Version(a)), min(Version(a, "b"), Version(a, "a"), Version(9))


def test_patterns_and_order():
    for a in (2, 5):
        assert njit(matched)(a) == matched(a)


@dataclass
class Filled:
    number: int
    items: list[int]
    table: dict[str, int]
    seen: set[float]


@dataclass
class Bare:
    items: list


def test_empty_containers_are_what_annotations_say():
    def fill(n):
        own = []
        made = Filled(n, own, {}, set())
        for i in range(n):
            made.items.append(i)
            made.table[str(i)] = i
            made.seen.add(i / 2)
        own.append(7)
        return made, own, made.items is own

    compiled = njit(fill)
    for n in (0, 1, 3):
        assert repr(compiled(n)) == repr(fill(n))

    def keyword(n):
        return Filled(seen=set(), table={}, items=[], number=n)

    assert njit(keyword)(2) == keyword(2)


def test_a_field_without_types_of_items_is_refused():
    @njit
    def fill():
        made = Bare([])
        made.items.append(1)
        return made

    with pytest.raises(errors.TypingError, match="it isn't known here where it is made"):
        fill()

    @njit
    def items_first(n):
        items = [n for _ in range(0)]
        made = Bare(items)
        made.items.append(n)
        return made.items

    assert items_first(4) == [4]
