"""`isinstance` with classes that compiled code makes instances of: which it is, is known when compiling."""

from dataclasses import dataclass

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
