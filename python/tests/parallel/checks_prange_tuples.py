"""Tuples that ``prange`` loops reduce element by element."""

import numpy as np
import pytest
from on_threads import check, warns_of

from pyopt import prange


def sum_and_largest(a):
    t = (0, -1)
    for i in prange(len(a)):
        t = (t[0] + a[i], max(t[1], a[i]))
    return t


def unpacked(a):
    t = (0, 1, 0)
    for i in prange(len(a)):
        total, count, ored = t
        t = (total + a[i], count + 1, ored | a[i])
    return t


def nested(a):
    t = ((0, 0), -5)
    for i in prange(len(a)):
        t = ((t[0][0] + a[i], t[0][1] + 1), max(t[1], a[i]))
    return t


def conditional(a):
    t = (0, 100)
    for i in prange(len(a)):
        if a[i] % 2 == 0:
            t = (t[0] + 1, t[1])
        else:
            t = (t[0], min(t[1], a[i]))
    return t


def in_inner_loop(a):
    t = (0, 0)
    for i in prange(len(a)):
        for j in range(i):
            if a[j] > 3:
                continue
            t = (t[0] + a[i], t[1] ^ a[j])
    return t


def given(a, t):
    for i in prange(len(a)):
        t = (t[0] + a[i], t[1] * 2)
    return t


def two_tuples(a):
    s = (0, 0)
    t = (0, 0)
    for i in prange(len(a)):
        s = (s[0] + 1, s[1] + a[i])
        t = (t[0] - 1, t[1] - a[i])
    return s, t


def passed_on(a):
    t = (0, 7)
    for i in prange(len(a)):
        t = (t[0] + a[i], t[1])
    return t


@pytest.mark.parametrize(
    "function", [sum_and_largest, unpacked, nested, conditional, in_inner_loop, two_tuples, passed_on]
)
def test_integers(function):
    numbers = np.random.default_rng(1)
    check(function, *((numbers.integers(-9, 9, n),) for n in (0, 1, 3, 40)))


def test_given_start():
    check(given, *((np.arange(n), (n, 3)) for n in (0, 1, 3, 30)))


def test_floats():
    numbers = np.random.default_rng(2)
    a = numbers.normal(size=500)
    check(sum_and_largest, (a,), (a[::3],), (a[:0],), tolerance=1e-12)


def swapped(a):
    t = (0, 1)
    for i in prange(len(a)):
        t = (t[1] + a[i], t[0])
    return t


def dependent(a):
    t = (0, 0)
    for i in prange(len(a)):
        t = (t[0] + a[i], max(t[1], t[0]))
    return t


@pytest.mark.parametrize(
    ("function", "reason"),
    [(swapped, "moved to another variable"), (dependent, "is reduced by two different operators")],
)
def test_others_stay_on_one_thread(function, reason):
    check(function, *((np.arange(n),) for n in (0, 1, 3, 40)), serial=True)
    warns_of(function, (np.arange(4),), reason)
