"""Extremes that ``prange`` loops find by comparing."""

import numpy as np
import pytest
from on_threads import check, warns_of

from pyopt import prange


def largest(a, start):
    m = start
    for i in prange(len(a)):
        if a[i] > m:
            m = a[i]
    return m


def smallest(a, start):
    m = start
    for i in prange(len(a)):
        if a[i] < m:
            m = a[i]
    return m


def flipped(a, start):
    m = start
    for i in prange(len(a)):
        if m < a[i]:
            m = a[i]
    return m


def conditional_expression(a, start):
    m = start
    for i in prange(len(a)):
        m = a[i] if a[i] > m else m
    return m


def named_element(a, start):
    m = start
    for i in prange(len(a)):
        x = a[i] * 2
        if x > m:
            m = x
    return m


def under_conditions(a, start):
    m = start
    for i in prange(len(a)):
        if i % 3 != 0 and a[i] > m and i % 5 != 1:
            m = a[i]
    return m


def in_inner_loop(a, start):
    m = start
    for i in prange(len(a)):
        for j in range(i):
            if a[i] - a[j] > m:
                m = a[i] - a[j]
    return m


def with_continue(a, start):
    m = start
    for i in prange(len(a)):
        if a[i] != a[i]:
            continue
        if a[i] < m:
            m = a[i]
    return m


def by_builtins(a, start):
    low = start
    high = start
    for i in prange(len(a)):
        low = min(low, a[i])
        high = max(high, a[i])
    return low, high


def mixed(a, start):
    m = start
    for i in prange(len(a)):
        if i % 2:
            m = max(m, a[i])
        elif a[i] > m:
            m = a[i]
    return m


def both(a, start):
    low = start
    high = start
    for i in prange(len(a)):
        if a[i] < low:
            low = a[i]
        if a[i] > high:
            high = a[i]
    return low, high


FUNCTIONS = (
    largest,
    smallest,
    flipped,
    conditional_expression,
    named_element,
    under_conditions,
    in_inner_loop,
    with_continue,
    by_builtins,
    mixed,
    both,
)


def floats():
    numbers = np.random.default_rng(7)
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0])
    for size in (0, 1, 2, 8, 33):
        yield numbers.normal(size=size)
        yield numbers.choice(special, size)
        yield numbers.choice([0.0, -0.0], size)
        yield numbers.normal(size=2 * size)[::2].astype(np.float32)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_floats(function):
    for dtype in (np.float64, np.float32):
        starts = [dtype(start) for start in (0.0, -0.0, -np.inf, np.inf, np.nan)]
        check(function, *((a, start) for a in floats() if a.dtype == dtype for start in starts))


@pytest.mark.parametrize("dtype", ["i8", "i4", "u1", "u8"])
@pytest.mark.parametrize("function", [largest, smallest, conditional_expression, in_inner_loop, both])
def test_integers(function, dtype):
    numbers = np.random.default_rng(8)
    if dtype != "i8" and function is in_inner_loop:
        pytest.skip("differences of NumPy's narrow numbers wrap around in the interpreter")
    info = np.iinfo(dtype)
    for size in (0, 1, 9, 50):
        a = numbers.integers(0, 100, size).astype(dtype)
        check(function, (a, a.dtype.type(3)), (a, info.min), (a, info.max))


def at_least(a, start):
    m = start
    for i in prange(len(a)):
        if a[i] >= m:
            m = a[i]
    return m


def unless_less(a, start):
    m = start
    for i in prange(len(a)):
        if not a[i] <= m:
            m = a[i]
    return m


def test_last_of_equal_values():
    check(at_least, *((np.arange(n) % 7, 2) for n in (0, 1, 5, 30)))
    zeros = [(np.array([0.0, -0.0, 0.0, -0.0][:n] * 3), 0.0) for n in (0, 1, 4)]
    check(at_least, *zeros, serial=True)
    warns_of(at_least, zeros[-1], "write > or <")


def other_value(a, start):
    m = start
    for i in prange(len(a)):
        if a[i] > m:
            m = a[i] + 1
    return m


def other_direction(a, start):
    m = start
    for i in prange(len(a)):
        if a[i] > m:
            m = a[i]
        elif a[i] < -m:
            m = a[i]
    return m


def stored_between(a, start):
    m = start
    for i in prange(len(a)):
        if a[i] > m:
            a[i] = 0
            m = a[i]
    return m


def scaled(a, start):
    m = start
    for i in prange(len(a)):
        if a[i] > m * 2:
            m = a[i]
    return m


@pytest.mark.parametrize("function", [other_value, other_direction, stored_between, scaled, unless_less])
def test_others_stay_on_one_thread(function):
    numbers = np.random.default_rng(9)
    check(function, *((numbers.normal(size=n), 0.5) for n in (0, 1, 6, 40)), serial=True)


def second_argument(a, start):
    m = start
    for i in prange(len(a)):
        m = min(a[i], m)
    return m


def test_order_of_arguments():
    check(second_argument, *((np.arange(n), 3) for n in (0, 1, 30)))
    special = np.array([1.0, np.nan, 3.0, 2.0, np.nan, 5.0])
    check(second_argument, (special, 9.0), (special[:2], 9.0), serial=True)
    warns_of(second_argument, (special, 9.0), "let it be the first one")
