"""What ``prange`` loops note with an extreme: where it was found."""

import numpy as np
import pytest
from on_threads import check, warns_of

from pyopt import prange


def argmax(a, start):
    m = start
    k = -1
    for i in prange(len(a)):
        if a[i] > m:
            m = a[i]
            k = i
    return m, k


def argmin(a, start):
    m = start
    k = -1
    for i in prange(len(a)):
        if a[i] < m:
            k = i
            m = a[i]
    return m, k


def by_columns(a, start):
    m = start
    row = -1
    column = -1
    for i in prange(len(a)):
        for j in range(i % 4):
            x = a[i] - j
            if x > m:
                m = x
                row = i
                column = j
    return m, row, column


def under_conditions(a, start):
    m = start
    k = -1
    for i in prange(len(a)):
        if i % 3 == 0:
            continue
        if a[i] > m and i % 2 == 0:
            m = a[i]
            k = i
    return m, k


def as_tuple(a, start):
    best = (start, -1)
    for i in prange(len(a)):
        if a[i] > best[0]:
            best = (a[i], i)
    return best


def with_a_sum(a, start):
    m = start
    k = -1
    total = 0
    for i in prange(len(a)):
        total += i
        if m > a[i]:
            m = a[i]
            k = i
    return m, k, total


def down(a, start):
    m = start
    k = -1
    for i in prange(len(a) - 1, -1, -1):
        if a[i] > m:
            m = a[i]
            k = i
    return m, k


FUNCTIONS = (argmax, argmin, by_columns, under_conditions, as_tuple, with_a_sum, down)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_floats(function):
    rng = np.random.default_rng(11)
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 2.0])
    arrays = [rng.normal(size=n) for n in (0, 1, 2, 9, 60)] + [rng.choice(special, n) for n in (1, 9, 60)]
    starts = (0.0, -np.inf, np.inf, np.nan)
    check(function, *((a, start) for a in arrays for start in starts))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_ties(function):
    rng = np.random.default_rng(12)
    check(function, *((rng.integers(0, 4, n), start) for n in (0, 1, 9, 60) for start in (-1, 0, 3, 9)))


def position_only_sometimes(a, start):
    m = start
    k = -1
    for i in prange(len(a)):
        if a[i] > m:
            m = a[i]
            if i % 2:
                k = i
    return m, k


def position_from_before(a, start):
    m = start
    k = 0
    for i in prange(len(a)):
        if a[i] > m:
            m = a[i]
            k += i
    return m, k


def last_of_equal(a, start):
    m = start
    k = -1
    for i in prange(len(a)):
        if a[i] >= m:
            m = a[i]
            k = i
    return m, k


def second_best(a, start):
    m = start
    second = start
    for i in prange(len(a)):
        if a[i] > m:
            second = m
            m = a[i]
    return m, second


@pytest.mark.parametrize(
    "function", [position_only_sometimes, position_from_before, last_of_equal, second_best]
)
def test_others_stay_on_one_thread(function):
    rng = np.random.default_rng(13)
    arguments = [(rng.integers(0, 9, n), 2) for n in (1, 9, 60)]
    check(function, *arguments, serial=True)
    moved = function is second_best
    reason = "is moved to another variable" if moved else "is used for something else than one reduction"
    warns_of(function, arguments[0], reason)
