"""Loops over ranges: every sign, step, bound, and the variable afterwards."""

# ruff: noqa: F841 -- variables that nobody reads are among the variants

import numpy as np
import pytest
from compare import check, combinations

# Ranges


def doloops(n):
    acc = 0
    for i in range(n):
        acc += 1
        if n == 10:
            break
    return acc


def doloops_renamed(limit):
    counter = 0
    for step in range(limit):
        counter += 1
        if limit == 10:
            break
    return counter


def doloops_float(n):
    acc = 0.0
    for i in range(n):
        acc += 1.5
        if i == 10:
            break
    return acc


def doloops_break_first(n):
    acc = 0
    for i in range(n):
        if i == 10:
            break
        acc += i
    return acc


def doloops_bounds(n):
    acc = 0
    for i in range(3, n + 3):
        acc += i
        if acc > 40:
            break
    return acc, i if n > 0 else -1


def doloops_step(n):
    acc = 0
    for i in range(0, 2 * n, 2):
        acc = acc + i
        if i >= 16:
            break
    return acc


def doloops_down(n):
    acc = 1
    for i in range(n, -n, -3):
        acc *= 3
        acc += i
        if acc > 1000:
            break
    return acc


def doloops_while(n):
    acc = 0
    i = 0
    while i < n:
        acc += 1
        if n == 10:
            break
        i += 1
    return acc


def doloops_else(n):
    acc = 0
    for i in range(n):
        acc += 1
        if i == 7:
            break
    else:
        acc = -acc
    return acc


def doloops_continue(n):
    acc = 0
    for i in range(n):
        if i % 3 == 1:
            continue
        acc += i
        if acc > 30:
            break
    return acc


def doloops_two_breaks(n):
    acc = 0
    for i in range(n):
        if i == 9:
            break
        acc += 2
        if acc == 12:
            break
        acc -= 1
    return acc


def doloops_return(n):
    for i in range(n):
        if i * i > n:
            return i
    return -1


def doloops_nested(n):
    acc = 0
    for i in range(n):
        for j in range(i):
            if j == 4:
                break
            acc += j
        if acc > 50:
            break
    return acc


def doloops_unused(n):
    unused = n * 2
    other = unused + 1
    acc = 0
    for _ in range(n):
        other = acc
        acc += 1
    return acc


def doloops_changed_bound(n):
    acc = 0
    for i in range(n):
        n = n - 1
        acc += n
    return acc, n


def doloops_changed_variable(n):
    acc = 0
    for i in range(n):
        i *= 2
        acc += i
    return acc, n


DOLOOPS = (
    doloops,
    doloops_renamed,
    doloops_float,
    doloops_break_first,
    doloops_bounds,
    doloops_step,
    doloops_down,
    doloops_while,
    doloops_else,
    doloops_continue,
    doloops_two_breaks,
    doloops_return,
    doloops_nested,
    doloops_unused,
    doloops_changed_bound,
    doloops_changed_variable,
)


@pytest.mark.parametrize(("function", "args"), combinations(DOLOOPS, (-3, 0, 1, 9, 10, 11, 40)))
def test_doloops(function, args):
    check(function, *args)


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.uint8, np.uint32, np.uint64, bool])
@pytest.mark.parametrize("function", [doloops, doloops_step, doloops_else, doloops_nested])
def test_bounds_of_other_types(function, kind):
    for n in (0, 1, 10, 12):
        check(function, kind(n))


def visited(start, stop, step):
    last = -99
    count = 0
    checksum = 7
    for i in range(start, stop, step):
        last = i
        count += 1
        checksum = checksum * 31 + i
    return last, count, checksum


@pytest.mark.parametrize("step", [1, 2, 3, 7, -1, -2, -5, 100, -100])
@pytest.mark.parametrize("start", [0, 5, -5])
@pytest.mark.parametrize("stop", [0, 1, 5, 6, -5, -6, 12, -12])
def test_dynamic_ranges(start, stop, step):
    check(visited, start, stop, step)


def test_ranges_at_the_edges():
    for args in (
        (2**63 - 5, 2**63 - 1, 1),
        (2**63 - 5, 2**63 - 1, 3),
        (-(2**63), -(2**63) + 5, 2),
        (-(2**63) + 4, -(2**63), -1),
        (-(2**63), 2**63 - 1, 2**62),
        (2**63 - 1, -(2**63), -(2**62)),
        (0, 2**63 - 1, 2**63 - 1),
        (0, 10, 2**63 - 1),
        (10, 0, -(2**63)),
    ):
        check(visited, *args)


def test_a_zero_step_raises():
    check(visited, 0, 10, 0)
    check(visited, 10, 0, 0)

    def constant(n):
        total = 0
        for i in range(0, n, 0):
            total += i
        return total

    check(constant, 5)


def constant_ranges(n):
    a = b = c = d = e = 0
    for i in range(10):
        a += i * n
    for i in range(10, 0, -1):
        b = b * 2 + i
    for i in range(5, 5):
        c += 1
    for i in range(-7, 20, 4):
        d += i
    for i in range(3, -9, -5):
        e = e * 10 + i
    return a, b, c, d, e


def range_attributes(n):
    r = range(2, n, 3)
    total = 0
    for i in r:
        total += i
    return total, len(range(n))


def value_after_the_loop(n):
    i = -1
    for i in range(n):
        pass
    return i


def value_after_a_break(n):
    i = 0
    for i in range(5, 50, 5):
        if i > n:
            break
    return i


def value_after_down(n):
    k = 100
    for k in range(n, 0, -2):
        pass
    return k


def value_after_nested(n):
    i = j = 1000
    for i in range(n):
        for j in range(i):
            pass
    return i, j


def reused_variable(n):
    total = 0
    for i in range(n):
        total += i
    for i in range(n, 2 * n):
        total -= i
    while i > 3:
        i //= 2
        total += i
    return total


RANGES = (
    constant_ranges,
    range_attributes,
    value_after_the_loop,
    value_after_a_break,
    value_after_down,
    value_after_nested,
)


@pytest.mark.parametrize(("function", "args"), combinations(RANGES, (0, 1, 2, 7, 23, 60)))
def test_ranges(function, args):
    check(function, *args)


@pytest.mark.parametrize("n", [1, 2, 7, 23])
def test_a_variable_of_two_loops(n):
    check(reused_variable, n)
