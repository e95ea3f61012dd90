"""Indices that walk over arrays by `while`: in loops and behind them, against CPython."""

import numpy as np
import pytest

from pyopt import njit


def last_behind(a):
    """A countdown that may end at -1, which is the last element."""
    r = len(a) - 1
    while r >= 0 and a[r] > 0:
        r -= 1
    return r, a[r]


def backtrack(avail):
    """Goes up and down, and is left below zero."""
    avail = avail.copy()
    row = 0
    count = 0
    while row >= 0:
        if avail[row] <= 0:
            row -= 1
            continue
        avail[row] -= 1
        count += 1
        if row == len(avail) - 1:
            continue
        row += 1
    return count, row, avail[row]


def skipped(a):
    """Inner loops begin where the one around ends, and end behind the last element they have seen."""
    i = 0
    total = 0
    runs = 0
    while i < len(a):
        if a[i] < 3 or a[i] > 7:
            i += 1
            continue
        while i < len(a) and 3 <= a[i] <= 7:
            total = (total * 3 + int(a[i])) % 1000003
            i += 1
        runs += 1
    return i, runs, total, a[i - 1], a[i - len(a) - 1]


def lengths(a):
    """Run lengths."""
    values = np.zeros(len(a), np.int64)
    counts = np.zeros(len(a), np.int64)
    m = 0
    i = 0
    while i < len(a):
        j = i
        while j < len(a) and a[j] == a[i]:
            j += 1
        values[m] = a[i]
        counts[m] = j - i
        m += 1
        i = j
    return m, values, counts


def from_the_end(a):
    """A variable that is negative in each iteration."""
    k = -1
    total = 0
    while k >= -len(a):
        total = (total * 5 + int(a[k])) % 1000003
        k -= 1
    return k, total


def doubled(a):
    """Children of nodes, until there is none."""
    k = 1
    total = 0
    while k < len(a):
        total += int(a[k])
        k = k + k if a[k] % 2 else 2 * k + 1
    return k, total, a[k - len(a) - 1] if k - len(a) < 1 else 0


def changed_between(a, i, j):
    """The same element is loaded twice, with a store in between that may be to it."""
    if a[i] > 4:
        a[j] = 1
        if a[i] > 4:
            return 1
        return 2
    return 3


def twice(a, i, low, high):
    """Both terms of a condition load one element."""
    if a[i] < low or a[i] > high or (a[i] == 5 and a[-1] == 5):
        return 1
    return 0


ARRAYS = [
    np.array([1]),
    np.array([0]),
    np.array([5, 5, 5]),
    np.array([9, 3, 4, 0, 7, 7, 8]),
    np.arange(12) % 9,
    np.random.default_rng(1).integers(0, 10, 50),
]
WALKS = [last_behind, backtrack, skipped, lengths, from_the_end, doubled]


@pytest.mark.parametrize("function", WALKS, ids=lambda function: function.__name__)
def test_walks(function):
    compiled = njit(function)
    for array in ARRAYS:
        for given in (array, array.astype(np.int32), np.repeat(array, 2)[::2]):
            found, expected = compiled(given), function(given)
            for one, other in zip(found, expected, strict=True):
                np.testing.assert_array_equal(one, other)


def test_loads_are_shared_only_where_nothing_was_stored():
    changed, both = njit(changed_between), njit(twice)
    array = np.array([9, 3, 4, 0, 7, 7, 5])
    for i in range(-7, 7):
        for j in range(-7, 7):
            one, other = array.copy(), array.copy()
            assert changed(one, i, j) == changed_between(other, i, j)
            np.testing.assert_array_equal(one, other)
        for low in range(10):
            for high in range(10):
                assert both(array, i, low, high) == twice(array, i, low, high)
