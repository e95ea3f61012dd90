"""Values that follow from the position: induction variables, and those of the last iteration."""

import numpy as np
import pytest
from on_threads import check

from pyopt import prange


def read_before(a):
    j = 1
    out = np.zeros(len(a), np.int64)
    for i in prange(len(a)):
        out[i] = a[i] * j
        j += 2
    return out, j


def read_after(a):
    j = 1
    out = np.zeros(len(a), np.int64)
    for i in prange(len(a)):
        j -= 3
        out[i] = a[i] + j
    return out, j


def several_steps(a, step):
    j = 5
    out = np.zeros(len(a), np.int64)
    for i in prange(len(a)):
        j += step
        out[i] = j
        j = 4 + j
        j -= 1
    return out, j


def from_a_start(n):
    k = 10
    out = np.zeros(40, np.int64)
    for i in prange(3, n, 2):
        out[k - 10] = i
        k += 1
    return out, k


def loop_variable(n):
    total = 0
    for i in prange(n):
        total += i
    return total, i


def loop_variable_down(n):
    i = -7
    total = 0
    for i in prange(n, 0, -3):
        total += i
    return total, i


def last_element(a):
    x = -1
    for i in prange(len(a)):
        x = a[i] * 2
    return x


def last_of_branches(a):
    x = -1
    y = 0
    for i in prange(len(a)):
        x = a[i] if i % 2 == 0 else -a[i]
        y += x
    return x, y


def last_in_inner_loop(a):
    out = np.zeros(len(a), np.int64)
    for i in prange(len(a)):
        s = 0
        for j in range(i):
            s += a[j]
        out[i] = s
    return out, s


@pytest.mark.parametrize("function", [read_before, read_after, last_element, last_of_branches])
def test_arrays(function):
    check(function, *((np.arange(n) * 3 - 5,) for n in (0, 1, 2, 9, 50)))


def test_steps():
    check(several_steps, *((np.arange(n), step) for n in (0, 1, 13) for step in (0, 1, -4)))
    check(from_a_start, *((n,) for n in (-5, 0, 3, 4, 5, 40)))


def test_loop_variables():
    check(loop_variable, *((n,) for n in (-3, 0, 1, 2, 30)))
    check(loop_variable_down, *((n,) for n in (-3, 0, 1, 2, 30)))


def test_inner_loops():
    check(last_in_inner_loop, *((np.arange(n),) for n in (0, 1, 2, 30)))


# What an iteration needs from the one before stays on one thread.


def growing_step(a):
    j = 1
    k = 0
    for i in prange(len(a)):
        k += j * 2
        j += i
    return k, j


def sometimes(a):
    j = 0
    out = np.zeros(len(a), np.int64)
    for i in prange(len(a)):
        out[i] = j
        if a[i] > 5:
            j += 1
    return out


def written_later(a):
    x = 0
    for i in prange(len(a)):
        x = a[i]
        a[i] = 3
    return x


def floats(a):
    t = 0.0
    out = np.zeros(len(a))
    for i in prange(len(a)):
        out[i] = t
        t += 0.1
    return out


def filled(a):
    row = np.zeros(2)
    for i in prange(len(a)):
        row = np.zeros(2)
        row[0] = a[i]
    return row


@pytest.mark.parametrize("function", [growing_step, sometimes, written_later, floats, filled])
def test_others_stay_on_one_thread(function):
    check(function, *((np.arange(n),) for n in (0, 1, 2, 30)), serial=True)


# Branches that meet in several ways: with elif and continue, and where an exception is caught.


def counted_in_branches(a):
    count, total = 0, 0.0
    for i in prange(len(a)):
        if i % 2 == 0 and i % 3 != 0:
            count += 1
        elif i % 5 == 0:
            total += a[i]
            continue
        total -= 1
    return count, total


def in_one_of_three(a):
    low, middle, high = 0, 0.0, 1.0
    for i in prange(len(a)):
        if a[i] < -0.5:
            low += 1
        elif a[i] < 0.5:
            if i % 2:
                continue
            middle += a[i]
        else:
            high *= a[i]
            if i % 3:
                low -= 2
                continue
            middle += 1
        low += 1
    return low, middle, high


def after_an_exception(a):
    total, failures = 0.0, 0
    for i in prange(len(a)):
        try:
            if a[i] > 0.5:
                raise ValueError("large")
            if a[i] > 40:
                raise KeyError("larger")
            total += a[i]
        except ValueError:
            total += 1
            failures += 1
        if i % 3:
            continue
        total -= 2
    return total, failures


@pytest.mark.parametrize("function", [counted_in_branches, in_one_of_three, after_an_exception])
def test_branches_that_meet_in_several_ways(function):
    rng = np.random.default_rng(5)
    check(function, *((rng.normal(size=n),) for n in (0, 1, 2, 7, 100)), tolerance=1e-12)
