"""Flags: combinations, what they contain, their names and values, and the classes that are called."""

import enum
import sys

import numpy as np
import pytest
from versions import needs_flag_boundaries

from pyopt import errors, njit, vectorize

IS_FIRST = sys.version_info < (3, 11)


class Perm(enum.Flag):
    R = 4
    W = 2
    X = 1
    RW = 6
    NONE = 0
    READ = 4


class Mode(enum.IntFlag):
    A = 1
    B = 2
    C = 8
    AB = 3


if not IS_FIRST:

    class Loose(enum.Flag, boundary=enum.CONFORM):
        A = 1
        B = 4

    class Kept(enum.Flag, boundary=enum.KEEP):
        A = 1
        B = 4

    class Strict(enum.IntFlag, boundary=enum.STRICT):
        A = 1
        B = 4


FLAGS = [Perm.R, Perm.RW, Perm.NONE, Perm.R | Perm.X, Mode.A, Mode.AB, Mode(0), Mode.A | Mode.C]
if not IS_FIRST:
    FLAGS += [Loose.A, Loose(5), Kept.A, Kept(7), Kept(8), Mode(16), Mode(17), Strict.A]


def outcome(function, *arguments):
    try:
        found = function(*arguments)
    except (ValueError, TypeError, KeyError) as error:
        return type(error), str(error)
    return found, type(found), repr(found)


@pytest.mark.parametrize("flag", FLAGS, ids=repr)
def test_flags_cross_the_border(flag):
    kind = type(flag)
    assert outcome(njit(lambda x: x), flag) == (flag, kind, repr(flag))
    assert outcome(njit(lambda: flag)) == (flag, kind, repr(flag))
    assert njit(lambda x: (x, [x], {x: 1}, {x}))(flag) == (flag, [flag], {flag: 1}, {flag})
    assert njit(lambda x: (x.value, bool(x), 1 if x else 2, not x))(flag) == (
        flag.value,
        bool(flag),
        1 if flag else 2,
        not flag,
    )
    assert njit(lambda x: (str(x), repr(x), f"{x}|{x!r}"))(flag) == (
        str(flag),
        repr(flag),
        f"{flag}|{flag!r}",
    )


@pytest.mark.parametrize("flag", FLAGS, ids=repr)
def test_names(flag):
    assert njit(lambda x: x.name)(flag) == flag.name


def test_the_hash_is_that_of_the_name():
    for flag in (Perm.R, Perm.RW, Mode.A):
        assert njit(lambda x: hash(x))(flag) == hash(flag)
    assert njit(lambda x: hash(x) == hash(Perm.R | Perm.X))(Perm.X | Perm.R)

    class Bare(enum.Flag):
        A = 1

    assert njit(lambda x: hash(x) == hash(Bare.A & x))(Bare(0))


def combined(a, b):
    return a | b, a & b, a ^ b, a in b, b in a, a == b, a != b, a is b


@pytest.mark.parametrize("a", [one for one in FLAGS if type(one) is Perm], ids=repr)
@pytest.mark.parametrize("b", [one for one in FLAGS if type(one) is Perm], ids=repr)
def test_flags_are_combined(a, b):
    assert njit(combined)(a, b) == combined(a, b)
    assert repr(njit(combined)(a, b)) == repr(combined(a, b))


@pytest.mark.parametrize("a", [one for one in FLAGS if type(one) is Mode], ids=repr)
@pytest.mark.parametrize("b", [one for one in FLAGS if type(one) is Mode], ids=repr)
def test_flags_of_ints_are_combined(a, b):
    assert repr(njit(combined)(a, b)) == repr(combined(a, b))


@pytest.mark.parametrize("flag", FLAGS, ids=repr)
def test_inversion(flag):
    assert outcome(njit(lambda x: ~x), flag) == outcome(lambda x: ~x, flag)
    assert outcome(njit(lambda x: x & ~x), flag) == outcome(lambda x: x & ~x, flag)


@pytest.mark.parametrize("number", [0, 1, 5, 12, -1, -4, 1 << 40])
@pytest.mark.parametrize("flag", [Mode.A, Mode.AB, Mode(0)], ids=repr)
def test_flags_of_ints_with_ints(flag, number):
    def use(a, b):
        changed = a
        changed |= b
        return (
            a | b,
            b | a,
            a & b,
            b & a,
            a ^ b,
            changed,
            a | True,
            True | a,
            a + b,
            a * 2,
            -a,
            a << 1,
            a == b,
        )

    assert repr(njit(use)(flag, number)) == repr(use(flag, number))


def test_flags_of_ints_are_numbers_of_their_own_class():
    class Code(enum.IntEnum):
        TWO = 2

    def use(a, b):
        kinds = isinstance(a, int), isinstance(a, Mode), isinstance(a, Perm)
        return a | Code.TWO, Code.TWO | a, kinds, a < 2, b[a]

    found, expected = njit(use)(Mode.A, [5, 6]), use(Mode.A, [5, 6])
    assert repr(found) == repr(expected)

    def filled(n):
        kept = np.zeros(3, np.int64)
        for at in range(n):
            kept[at] = Mode.A | Mode.C
        return kept

    np.testing.assert_array_equal(njit(filled)(2), filled(2))


CALLED = [0, 1, 3, 5, 6, 7, 8, 9, -1, -2, -8, -9, 1 << 50]


@pytest.mark.parametrize("value", CALLED)
@pytest.mark.parametrize("cls", [Perm, Mode] if IS_FIRST else [Perm, Mode, Loose, Kept, Strict])
def test_calls_of_classes(cls, value):
    assert outcome(njit(lambda x: cls(x)), value) == outcome(cls, value)


def test_calls_with_members_and_what_is_no_int():
    assert njit(lambda x: (Perm(x), Perm(True), Perm["READ"], Perm["RW"]))(Perm.W) == (
        Perm.W,
        Perm.X,
        Perm.R,
        Perm.RW,
    )
    with pytest.raises(errors.TypingError):
        njit(lambda x: Perm(x))("text")
    for use in (
        lambda x: x | 1,
        lambda x: x | Mode.A,
        lambda x: x < Perm.R,
        lambda x: 1 in x,
        lambda x: x + x,
    ):
        with pytest.raises(errors.TypingError):
            njit(use)(Perm.W)
        with pytest.raises(TypeError):
            use(Perm.W)


@needs_flag_boundaries
@pytest.mark.parametrize("flag", FLAGS, ids=repr)
def test_items(flag):
    def use(x):
        names = [one.name for one in x]
        return list(x), len(x), names, [one for one in type(x)], len(type(x))

    assert repr(njit(use)(flag)) == repr(use(flag))


def test_loops_over_the_class_and_match():
    def use(x):
        total = Perm.NONE
        for one in Perm:
            if one in x:
                total |= one
        match x:
            case Perm.R:
                kind = "read"
            case Perm.RW:
                kind = "both"
            case _:
                kind = "other"
        return total, kind, x in (Perm.R, Perm.W), {Perm.R: 1, Perm.RW: 2}.get(x, 0)

    for flag in (Perm.R, Perm.RW, Perm.NONE, Perm(7)):
        assert repr(njit(use)(flag)) == repr(use(flag))


def test_properties_and_methods():
    class Style(enum.Flag):
        BOLD = 1
        ITALIC = 2

        @property
        def is_bold(self):
            return Style.BOLD in self

        def with_italic(self):
            return self | Style.ITALIC

        def __len__(self):
            return 10

        def __add__(self, other):
            return self | other

    def use(x):
        return x.is_bold, x.with_italic(), len(x), x + Style.BOLD

    for flag in (Style.BOLD, Style.ITALIC, Style(0)):
        assert njit(use)(flag) == use(flag)


def test_flags_that_are_refused():
    class Holes(enum.Flag):
        A = 3

    class Large(enum.Flag):
        A = 1 << 62

    with pytest.raises(errors.TypingError, match="flags of several bits that are no flags by themselves"):
        njit(lambda x: x)(Holes.A)
    with pytest.raises(errors.TypingError, match="negative or beyond 62 bits"):
        njit(lambda x: x)(Large.A)


@needs_flag_boundaries
def test_a_boundary_that_is_refused():
    class Ejected(enum.IntFlag, boundary=enum.EJECT):
        A = 1

    with pytest.raises(errors.TypingError, match="boundary=EJECT"):
        njit(lambda x: x)(Ejected.A)


def test_code_that_is_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("PYOPT_CACHE_DIR", str(tmp_path))

    def use(x):
        return x | Perm.X, x.name, ~x, Mode.A | 8

    for _ in range(2):
        assert repr(njit(cache=True)(use)(Perm.R)) == repr(use(Perm.R))


@vectorize
def either(a, b):
    return a | b


@njit("int64(int64, float64)")
def declared(a, b):
    return a * 2


NUMBERS = [
    lambda x: np.array([Mode.A, Mode.B]),
    lambda x: np.array([[Mode.A, 5], [Mode.B, 7]]),
    lambda x: x & Mode.A,
    lambda x: Mode.C | x,
    lambda x: x == Mode.B,
    lambda x: x[: Mode.B],
    lambda x: np.where(x & Mode.A, Mode.A, Mode.B),
    lambda x: np.zeros(Mode.B, np.int64),
    lambda x: either(x, Mode.B),
    lambda x: declared(Mode.B, 2.5),
    lambda x: x * 0.5 + Mode.B,
    lambda x: [i for i in range(9) if i & Mode.B],
    lambda x: (1, "a")[Mode.A],
    lambda x: sum([Mode.A, Mode.B]) + max([Mode.A, Mode.C]),
]


@pytest.mark.parametrize("use", NUMBERS)
@pytest.mark.parametrize("kind", [np.int64, np.uint8])
def test_flags_of_ints_beside_arrays(use, kind):
    array = np.arange(4, dtype=kind)
    found, expected = njit(use)(array), use(array)
    np.testing.assert_array_equal(found, expected)
    assert getattr(found, "dtype", None) == getattr(expected, "dtype", None)


def test_flags_of_ints_are_arguments_of_what_takes_ints():
    assert declared(Mode.B, Mode.A) == 4
    np.testing.assert_array_equal(either(np.arange(3), Mode.B), np.arange(3) | 2)
