"""Operators of `Counter`, and the end of an `OrderedDict` that `popitem` takes, against CPython."""

import operator
from collections import Counter, OrderedDict

import pytest

from pyopt import njit

PAIRS = [
    ("abca", "bcd"),
    ("", "aab"),
    ("aab", ""),
    ("zzz", "zzz"),
    ("hello world", "low"),
]


def shown(counter):
    return list(counter.items())


@pytest.mark.parametrize("function", [operator.add, operator.sub, operator.or_, operator.and_])
@pytest.mark.parametrize("pair", PAIRS)
def test_operators(function, pair):
    @njit
    def combined(left, right):
        one, other = Counter(left), Counter(right)
        # Counts that aren't above zero are left out of results.
        other["y"] = -2
        one["x"] = -1
        made = function(one, other)
        return made, one, other

    found, expected = combined(*pair), combined.py_func(*pair)
    assert [shown(one) for one in found] == [shown(one) for one in expected]
    assert type(found[0]) is Counter


def added(c, d):
    c += d


def taken(c, d):
    c -= d


def joined(c, d):
    c |= d


def shared(c, d):
    c &= d


@pytest.mark.parametrize("change", [added, taken, joined, shared])
@pytest.mark.parametrize("pair", PAIRS)
def test_assignments_change_the_counter_itself(change, pair):
    inner = njit(change)

    @njit
    def changed(left, right):
        one, other = Counter(left), Counter(right)
        one["x"] = -1
        same = one
        inner(one, other)
        return same, other

    expected = Counter(pair[0])
    expected["x"] = -1
    change(expected, Counter(pair[1]))
    found, other = changed(*pair)
    assert (shown(found), other) == (shown(expected), Counter(pair[1]))


def test_counters_subtract_counts():
    @njit
    def less(left, right):
        one = Counter(left)
        one.subtract(Counter(right))
        one.subtract({"a": 3})
        one.subtract(right)
        return one

    for left, right in PAIRS:
        assert shown(less(left, right)) == shown(less.py_func(left, right))


def test_ordered_dicts_give_up_either_end():
    @njit
    def ends(n):
        d = OrderedDict()
        for i in range(n):
            d[i] = i * i
        return d.popitem(last=False), d.popitem(), d.popitem(True), d.popitem(False), d

    assert ends(6) == ends.py_func(6)
    with pytest.raises(KeyError):
        ends(2)
