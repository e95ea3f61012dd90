"""Named tuples and lists that aren't changed: arguments, results, fields, operators."""

from collections import namedtuple

import numpy as np
import pytest
from compare import compile_once

import pyopt
from pyopt import errors

Rect = namedtuple("Rect", ("width", "height"))
Point = namedtuple("Point", ("x", "y", "z"))
Empty = namedtuple("Empty", ())

PAIRS = [Rect(3, 4), Rect(3, 4.5), Rect(0, -1), Rect(3, 4)]


def same(function, *args):
    got, expected = compile_once(function)(*args), function(*args)
    assert got == expected and types(got) == types(expected), (args, got, expected)
    return got


def types(value):
    inner = [types(item) for item in value] if isinstance(value, (tuple, list)) else []
    return type(value), inner


def fields(p):
    return p.x, p.y + p.z, p[0], p[-1], len(p), bool(p)


def areas(a, b):
    return a.width * a.height + b.width * b.height


def compared(a, b):
    return a == b, a != b, a < b, a >= b, a == (3, 4)


def swapped(r):
    return Rect(r.height, r.width), Rect(height=r.width, width=2), r


def kinds(r):
    return isinstance(r, tuple), isinstance(r, Rect), isinstance(r, (Point, int)), isinstance(r, list)


def unpacked(r):
    width, height = r
    return width, height, r[:1], r + (1,), 3 in r


def total(r):
    result = 0.0
    for side in r:
        result += side
    return result


def chosen(c, a, b):
    r = Rect(a, b) if c else Rect(b, a)
    return r.width, r


def nested(r):
    return Point(r, (r, 1.5), Empty())


def of_arrays(a):
    r = Rect(a, a[1:])
    return r, Rect(r.height, r.width).width.sum()


def lists(a, b):
    made = [a, b, 2.5]
    total = 0.0
    for item in made:
        total += item
    return made, made[0], made[1:], len(made), total, b in made, made + [1], [[a], []]


def list_kinds(a):
    return (
        isinstance([a], list),
        isinstance([a], tuple),
        [a] == [a],
        [a] == (a,),
        [a] != (a,),
        tuple([a, a]),
        list((a, 1)),
    )


def extremes(a, b):
    return min([a, b, 3]), max([b, 7.5]), sum([a, b]), np.array([a, b]), bool([]), any([a, b])


def test_arguments_and_fields():
    for p in (Point(1, 2, 3), Point(1.5, 2, 3), Point(-1, 2.5, 1j)):
        same(fields, p)
    same(areas, Rect(1, 2), Rect(2.5, 3))
    for a in PAIRS:
        for b in PAIRS:
            same(compared, a, b)
    for r in PAIRS:
        same(swapped, r)
        same(kinds, r)
        same(unpacked, r)
        same(nested, r)
    same(total, Rect(3, 4))
    same(kinds, (1, 2))
    same(chosen, True, 1, 2)
    same(chosen, False, 1.5, 2.5)


def test_other_classes_are_other_types():
    other = namedtuple("Rect", ("height", "width"))
    assert same(areas, other(1, 2), Rect(3, 4)) == 14
    assert repr(pyopt.typeof(Rect(1, 2.5))) == "Rect(int64, float64)"


def test_arrays_in_named_tuples():
    a = np.arange(5.0)
    for _ in range(3):
        r, total = compile_once(of_arrays)(a)
        assert type(r) is Rect and total == 10.0
        assert r.width is a
        np.testing.assert_array_equal(r.height, a[1:])


def test_lists():
    same(lists, 1, 2)
    same(list_kinds, 3)
    got, expected = compile_once(extremes)(2, 1), extremes(2, 1)
    assert got[:3] == expected[:3] and got[4:] == expected[4:]
    np.testing.assert_array_equal(got[3], expected[3])


def mixes(a):
    return [a] + (a,)


def misses(a):
    return Rect(a)


@pytest.mark.parametrize(
    "function, message",
    [
        (mixes, "can't concatenate"),
        (misses, "missing required argument: 'height'"),
    ],
)
def test_refused(function, message):
    with pytest.raises(errors.TypingError, match=message):
        compile_once(function)(1)
