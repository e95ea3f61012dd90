"""``is`` between arrays and between lists."""

import sys

import numpy as np
import pytest

from pyopt import njit, types
from pyopt.experimental import jitclass


@njit
def arrays(a, b):
    return a is b, a is not b, a is a, a is a.copy()


def test_arrays():
    a = np.arange(3.0)
    assert arrays(a, a) == (True, False, True, False)
    assert arrays(a, a.copy()) == (False, True, True, False)
    # A type of its own is another array.
    assert arrays(a, a.astype("f4"))[:2] == (False, True)
    matrix = np.zeros((2, 3))
    assert arrays(matrix, matrix)[0] and not arrays(matrix, matrix.T)[0]
    assert not arrays(matrix[0], matrix[1])[0]
    assert not arrays(a[:2], a)[0]


def test_arrays_that_are_made_inside():
    def function(n):
        a = np.zeros(n)
        b = a
        c = np.zeros(n)
        return a is b, a is c, b is not c

    assert njit(function)(3) == function(3) == (True, False, True)


def test_lists():
    def function(n):
        one, other = [n], [n]
        same = one
        result = one is same, one is other, one is not other
        other.append(1)
        return result

    assert njit(function)(3) == function(3) == (True, False, True)

    def constant(n):
        items, other = [n, 2], [n, 2]
        return items is items, items is not other

    assert njit(constant)(1) == constant(1) == (True, True)


def test_lists_as_arguments():
    @njit
    def function(a, b):
        return a is b, a is a

    items = [1, 2]
    assert function(items, [1, 2]) == (False, True)


def test_a_list_that_is_passed_twice_is_one_list():
    @njit
    def change(a, b, both):
        a[0] = 5
        b.append(a[0] + 1)
        both[0].append(7)
        return len(a), b[0], both[1][2], a is b, a is both[1]

    items, other = [1], [1]
    pair = [items, items]
    assert change(items, items, pair) == (3, 5, 7, True, True)
    assert items == [5, 6, 7] and pair[0] is items and pair[1] is items
    pair = [other, items]
    assert change(items, other, pair)[3:] == (False, True)
    assert items == [5, 6, 7] and other == [1, 6, 7]


def test_a_list_that_is_returned_twice_is_one_list():
    @njit
    def make(n):
        items, other = [n], [n]
        items.append(2)
        other.append(2)
        nested = [items]
        nested.append(other)
        return items, items, other, nested

    first, second, other, nested = make(1)
    assert first is second and first is not other
    assert nested[0] is first and nested[1] is other and other == [1, 2]
    assert make(1)[0] is not first


def test_lists_and_arrays():
    def function(n):
        items, array = [n], np.ones(1)
        return items is array, array is not items, items is None

    assert njit(function)(1) == function(1) == (False, True, False)


@pytest.mark.parametrize("count", [1, 40])
def test_what_is_compared_is_released(count):
    def function(n):
        total = 0
        for i in range(n):
            a = np.full(100, i)
            b = a[:50] if i % 2 else a
            total += a is b[:100]
        return total

    assert njit(function)(count) >= 0


@jitclass([("whole", types.float64[:]), ("rows", types.float64[:, ::1])])
class Kept:
    def __init__(self, whole, rows):
        self.whole = whole
        self.rows = rows

    def given(self):
        return self.whole

    def part(self):
        return self.whole[1:]

    def backwards(self):
        return self.whole[::-1]


def test_arrays_that_instances_keep_come_back_as_they_are():
    whole, rows = np.arange(4.0), np.ones((2, 3))
    kept = Kept(whole, rows)
    assert kept.whole is whole
    assert kept.rows is rows
    assert kept.given() is whole
    for view in (kept.part(), kept.backwards()):
        assert view is not whole
        assert np.shares_memory(view, whole)
    np.testing.assert_array_equal(kept.backwards(), whole[::-1])
    empty, other = np.empty(0), np.arange(4.0)
    assert Kept(empty, rows).whole is empty
    kept.whole = other
    assert kept.whole is other
    before = sys.getrefcount(other)
    for _ in range(100):
        assert kept.given() is other
    assert sys.getrefcount(other) == before
