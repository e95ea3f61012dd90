"""``super()`` and class attributes in compiled classes, by comparison with the same classes in CPython."""

import numpy as np
import pytest

from pyopt import errors, float64, int64, njit, types
from pyopt.experimental import jitclass


def plainly(spec):
    """Leave a class as it is written."""
    return lambda cls: cls


def shapes(compiled):
    """Define classes that call each other's methods by ``super``."""

    class Named:
        KIND = "named"
        PAIR = (1, 2.5)

        def label(self, n=1):
            return self.KIND * n

        def order(self):
            return 1

    @compiled([("x", float64), ("count", int64)])
    class Base(Named):
        KIND = "base"
        NOTHING = None

        def __init__(self, x, *, count=3):
            self.x = x
            self.count = count

        @property
        def size(self):
            return self.x * self.count

        @staticmethod
        def of(a, b=2):
            return a * 10 + b

        def method(self, a, *others, scale=1):
            return self.hook(a) * scale + len(others)

        def hook(self, a):
            return a + self.x

        def order(self):
            return super().order() * 10 + 2

        def __len__(self):
            return self.count

        def __getitem__(self, i):
            return self.x + i

        def __eq__(self, other):
            return self.x == other.x

    @compiled([("z", int64)])
    class Derived(Base):
        KIND = "derived"

        def __init__(self, x, z):
            super().__init__(x, count=z + 1)
            self.z = z

        @property
        def size(self):
            return super().size + self.z

        def of_base(self, a):
            return super().of(a), super().of(a, b=1), Base.of(a, 3)

        def method(self, a):
            return super(Derived, self).method(a, 1, 2, scale=2) + super().method(a)  # noqa: UP008

        def hook(self, a):
            return super().hook(a) + 100 * self.z

        def label(self, n=1):
            return super().label(n) + "!" + super().label()

        def order(self):
            return super().order() * 10 + 3

        def constants(self):
            return super().KIND, self.KIND, self.PAIR, super().NOTHING is None

        def __len__(self):
            return super().__len__() + 1

        def __getitem__(self, i):
            return super().__getitem__(i) * 2

    @compiled([])
    class Last(Derived):
        def __init__(self, x):
            super().__init__(x, 7)

        def order(self):
            def deeper(n):
                return n + self.z

            return super().order() * 10 + deeper(4)

        def skipping(self):
            return super(Derived, self).hook(1.0), super(Base, self).order()

    return Base, Derived, Last


def answers(one, is_last):
    """Ask an instance for all it has."""
    got = (one.size, one.of_base(4), one.method(2.0), one.hook(1.0), one.label(2), one.order())
    rest = (one.constants(), len(one), one[3], one.count, one.x, one.z, one.KIND, one.PAIR)
    return got, rest, one.skipping() if is_last else None


def of_derived(one):
    got = (one.size, one.of_base(4), one.method(2.0), one.hook(1.0), one.label(2), one.order())
    return got, (one.constants(), len(one), one[3], one.count, one.x, one.z, one.KIND, one.PAIR), None


def of_last(one):
    got = (one.size, one.of_base(4), one.method(2.0), one.hook(1.0), one.label(2), one.order())
    rest = (one.constants(), len(one), one[3], one.count, one.x, one.z, one.KIND, one.PAIR)
    return got, rest, one.skipping()


@pytest.mark.parametrize("x", [0.0, -1.5, np.inf])
def test_super_finds_what_cpython_finds(x):
    _, derived, last = shapes(jitclass)
    _, plain_derived, plain_last = shapes(plainly)
    expected = answers(plain_derived(x, 2), False)
    assert answers(derived(x, 2), False) == expected
    assert njit(of_derived)(derived(x, 2)) == expected
    expected = answers(plain_last(x), True)
    assert answers(last(x), True) == expected
    assert njit(of_last)(last(x)) == expected


def test_the_order_is_that_of_the_instance():
    """``super()`` of one plain class finds another one, where a third derives from both."""

    def made(compiled):
        class Root:
            def trace(self):
                return "r"

        class Left(Root):
            def trace(self):
                return "l" + super().trace()

        class Right(Root):
            def trace(self):
                return "m" + super().trace()

        @compiled([])
        class Both(Left, Right):
            def __init__(self):
                super().__init__()

            def trace(self):
                return "b" + super().trace()

        @compiled([])
        class One(Left):
            def trace(self):
                return "o" + super().trace()

        return Both().trace(), One().trace()

    assert made(jitclass) == made(plainly) == ("blmr", "olr")


def test_what_super_cannot_find():
    @jitclass([])
    class Base:
        def __init__(self):
            pass

    @jitclass([])
    class Derived(Base):
        def __init__(self):
            super().__init__()

        def missing(self):
            return super().nothing()

        def of_another(self):
            return super(Other, self).__init__()

        def given_out(self):
            return super()

    @jitclass([])
    class Other:
        def __init__(self):
            pass

    one = Derived()
    with pytest.raises(errors.TypingError, match="unknown attribute 'nothing'"):
        one.missing()
    with pytest.raises(errors.TypingError, match="takes a class and an instance of it"):
        one.of_another()
    with pytest.raises(TypeError, match="can't be returned"):
        one.given_out()


def test_class_attributes_are_constants():
    @jitclass([("x", int64)])
    class Counted:
        STEP = 3
        NAMES = ("a", b"b", None, True, 2j)

        def __init__(self):
            self.x = self.STEP

        def next(self):
            self.x += Counted.STEP
            return self.x

    one = Counted()
    assert one.next() == 6 and Counted.STEP == one.STEP == 3 and one.NAMES == Counted.NAMES
    assert njit(lambda one: (one.STEP, Counted.STEP, one.NAMES))(one) == (3, 3, Counted.NAMES)
    with pytest.raises(AttributeError):
        one.STEP = 4

    def change(one):
        one.STEP = 4

    with pytest.raises(errors.TypingError, match="STEP"):
        njit(change)(one)
    for wrong in ([], np.zeros(2), (1, [])):
        with pytest.raises(TypeError, match="class members are not yet supported: one"):
            jitclass([])(type("Wrong", (), {"one": wrong}))
    with pytest.raises(NameError, match="name shadowing: x"):
        jitclass([("x", int64)])(type("Shadowing", (), {"x": 1}))


def test_super_in_code_that_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("PYOPT_CACHE_DIR", str(tmp_path))
    _, derived, _ = shapes(jitclass)
    for _ in range(2):
        assert njit(cache=True)(of_derived)(derived(1.0, 2)) == answers(shapes(plainly)[1](1.0, 2), False)


def test_optional_fields_of_derived_classes():
    @jitclass([("next", types.optional(int64))])
    class Base:
        def __init__(self, next):
            self.next = next

        def get(self):
            return self.next

    @jitclass([])
    class Derived(Base):
        def get(self):
            found = super().get()
            return -1 if found is None else found

    assert Derived(None).get() == -1 and Derived(4).get() == 4
