"""`isinstance` with classes that compiled code makes instances of: which it is, is known when compiling."""

import numbers
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

from pyopt import njit
from pyopt.experimental import jitclass
from pyopt.types import int32


@jitclass([("value", int32)])
class Foo:
    def __init__(self, value):
        self.value = value

    def of_foo(self):
        return self.value + 1

    def equals(self, other):
        if isinstance(other, Foo):
            return self.value == other.value
        return False


@jitclass([("value", int32)])
class Bar:
    def __init__(self, value):
        self.value = value


@jitclass([("more", int32)])
class Derived(Foo):
    def __init__(self, value):
        self.value = value
        self.more = 2


def chosen(x):
    if isinstance(x, (Foo, Bar)):
        if isinstance(x, Foo):
            return x.of_foo(), "Foo"
        return x.value, "Bar"
    return 0, "other"


@pytest.mark.parametrize(
    "x", [Foo(3), Bar(4), Derived(5), 6, 7.5, "text", (1, 2)], ids=lambda x: type(x).__name__
)
def test_branches_are_those_of_the_class(x):
    assert njit(chosen)(x) == chosen(x)


def test_instances_that_compiled_code_makes():
    @njit
    def all_of_them():
        foo, derived = Foo(1), Derived(2)
        return (
            isinstance(foo, Foo),
            isinstance(foo, Bar),
            isinstance(derived, Foo),
            isinstance(foo, Derived),
            isinstance(foo, int),
            isinstance(foo, object),
            isinstance(3, Foo),
        )

    assert all_of_them() == (True, False, True, False, False, True, False)


@dataclass
class Pair:
    x: object
    y: float


@dataclass
class Triple(Pair):
    z: int = 3


def test_dataclasses():
    asks = njit(lambda p: (isinstance(p, Pair), isinstance(p, Triple), isinstance(p, Foo)))
    assert asks(Pair(1, 2.5)) == (True, False, False)
    assert asks(Pair(1.5, 2.5)) == (True, False, False)
    assert asks(Triple(1, 2.5)) == (True, True, False)
    assert asks(Foo(1)) == (False, False, True)
    assert asks((1, 2.5)) == (False, False, False)
    made = njit(lambda: (isinstance(Pair(1, 2.5), Pair), isinstance(Pair(1, 2.5), Triple)))
    assert made() == (True, False)


def test_dicts_of_every_kind():
    def asks(n, **more):
        uniform, mixed = {1: n, 3: 4}, {"a": n, "b": "text"}
        return (
            isinstance(uniform, dict),
            isinstance(mixed, dict),
            isinstance(more, dict),
            isinstance(mixed, (list, tuple)),
        )

    assert njit(asks)(1, x=2) == (True, True, True, False)


def test_in_methods():
    assert Foo(3).equals(Foo(3)) and not Foo(3).equals(Foo(4)) and not Foo(3).equals(3)


def test_classes_of_one_name_are_different():
    def make():
        @jitclass([("value", int32)])
        class Local:
            def __init__(self, value):
                self.value = value

        return Local

    one, other = make(), make()
    assert njit(lambda x: isinstance(x, one))(one(1))
    assert not njit(lambda x: isinstance(x, other))(one(1))


NUMBERS = [
    np.int32(3),
    np.uint8(4),
    np.float32(2),
    np.complex64(1),
    True,
    1,
    1.5,
    1j,
    "a",
    [1],
    None,
    np.zeros(2),
]


@pytest.mark.parametrize("value", NUMBERS, ids=repr)
def test_abstract_classes_of_numbers(value):
    def asks(x):
        return (
            isinstance(x, numbers.Integral),
            isinstance(x, numbers.Rational),
            isinstance(x, numbers.Real),
            isinstance(x, numbers.Complex),
            isinstance(x, numbers.Number),
            isinstance(x, (int, np.integer)),
            isinstance(x, (float, np.floating)),
            isinstance(x, (complex, np.complexfloating)),
            isinstance(x, (int, float, complex, np.number)),
            isinstance(x, (float, complex, np.inexact)),
        )

    assert njit(asks)(value) == asks(value)


def test_signs_of_numpy_s_ints():
    f = njit(lambda x: (isinstance(x, np.signedinteger), isinstance(x, np.unsignedinteger)))
    assert f(np.int16(1)) == (True, False)
    assert f(np.uint64(1)) == (False, True)


class Plain(NamedTuple):
    a: int


@dataclass
class Silent:
    size: int


@dataclass
class Doubtful:
    size: int

    def __bool__(self):
        return self.size > 1


@dataclass
class Sized:
    size: int

    def __len__(self):
        return self.size


def test_truth_of_instances():
    def asks(x):
        return bool(x), not x, 1 if x else 2

    for value in (Foo(0), Plain(0), Silent(0), Doubtful(0), Doubtful(2), Sized(0), Sized(2)):
        assert njit(asks)(value) == ((True, False, 1) if isinstance(value, Foo) else asks(value))


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("kind", "? b H i L f d F D".split())
def test_lists_of_arrays(kind, order):
    f = njit(lambda a: a.tolist())
    for shape in ((3,), (2, 3), (0,), (0, 2), (2, 1, 2)):
        array = np.array(np.arange(np.prod(shape)).reshape(shape), kind, order=order)
        for view in (array, array[::-1], array[..., ::2]):
            assert repr(f(view)) == repr(view.tolist())
    assert repr(f(np.array(2, kind))) == repr(np.array(2, kind).tolist())
