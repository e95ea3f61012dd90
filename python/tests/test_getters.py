"""``itemgetter``, ``attrgetter`` and ``methodcaller`` of ``operator`` in compiled code, against CPython."""

import operator
from operator import attrgetter, itemgetter, methodcaller
from typing import NamedTuple

import numpy as np
import pytest

from pyopt import errors, njit


class Point(NamedTuple):
    """What has attributes."""

    x: int
    y: float


FIRST = itemgetter(0)
BOTH = itemgetter(1, 0)
OF_ONE = itemgetter(1)
OF_TRUE = itemgetter(True)
X = attrgetter("x")
PARTS = methodcaller("split", ",", maxsplit=1)


def as_keys(pairs):
    pairs.sort(key=operator.itemgetter(1))
    return pairs, max(pairs, key=itemgetter(0)), sorted(pairs, key=BOTH), list(map(FIRST, pairs))


def items(pairs):
    get = itemgetter(-1)
    return get("abc"), get([1, 2]), get((1, 2.5)), BOTH("ab"), OF_ONE((3, 4)), OF_TRUE([3, 4]), FIRST(pairs)


def of_dicts(pairs):
    d = dict(pairs)
    return itemgetter("a")(d), sorted(d.items(), key=itemgetter(1)), itemgetter("a", "b")(d)


def at_run_time(pairs):
    return [itemgetter(at)([5, 6, 7]) for at in range(3)], itemgetter(slice(1, 3))("abcd")


def attributes(pairs):
    points = [Point(value, -value * 0.5) for _, value in pairs]
    lowest = min(points, key=attrgetter("y"))
    return lowest, sorted(points, key=attrgetter("y", "x")), X(points[0]), attrgetter("real")(1 + 2j)


def methods(pairs):
    names = [name for name, _ in pairs]
    upper = methodcaller("upper")
    return [upper(name) for name in names], PARTS("a,b,c"), list(map(methodcaller("center", 5, "*"), names))


@pytest.mark.parametrize("function", [as_keys, items, of_dicts, at_run_time, attributes, methods])
def test_like_cpython(function):
    pairs = [("b", 2), ("a", 3), ("c", 1)]
    assert njit(function)(pairs.copy()) == function(pairs.copy())


def test_as_arguments():
    @njit
    def ordered(values, key):
        return sorted(values, key=key)

    values = [(1, 9), (0, 5), (3, 7)]
    for key in (itemgetter(0), itemgetter(1), itemgetter(1, 0)):
        assert ordered(values, key) == sorted(values, key=key)
    assert len(ordered.signatures) == 3
    assert njit(lambda a, get: get(a))(np.arange(6).reshape(2, 3), attrgetter("shape")) == (2, 3)


def test_what_is_not_known():
    with pytest.raises(errors.TypingError, match="attrgetter must be constants"):
        njit(lambda name: attrgetter(name)(1j))("real")
    with pytest.raises(IndexError):
        njit(lambda: itemgetter(3)([1, 2]))()
    with pytest.raises(KeyError):
        njit(lambda: itemgetter("z")({"a": 1}))()
