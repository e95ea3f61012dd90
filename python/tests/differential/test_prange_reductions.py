"""Reductions over prange, and the same programs without ``parallel=True``."""

import numpy as np
import pytest
from arrays import LAYOUTS_1D, vector
from compare import SumOf, check

from pyopt import prange

MODES = pytest.mark.parametrize("parallel", [True, False], ids=["parallel", "serial"])

# Reductions. Each is called with one array; the terms bound the error of the sum.


def prange_sum(a):
    total = 0.0
    for i in prange(a.shape[0]):
        total += a[i]
    return total


def prange_sum_renamed(numbers):
    acc = 0.0
    for index in prange(numbers.shape[0]):
        acc += numbers[index]
    return acc


def prange_sum_squares(a):
    total = 0.0
    for i in prange(len(a)):
        total += a[i] * a[i]
    return total


def prange_sum_written_out(a):
    total = 0.0
    for i in prange(len(a)):
        x = a[i]
        total = total + x
    return total


def prange_sum_start(a):
    total = 100.0
    for i in prange(len(a)):
        total += a[i]
    return total - 1.0


def prange_sum_bounds(a):
    total = 0.0
    for i in prange(2, a.size - 1):
        total += a[i]
    return total


def prange_sum_step(a):
    total = 0.0
    for i in prange(1, len(a), 3):
        total += a[i]
    return total


def prange_sum_down(a):
    total = 0.0
    for i in prange(len(a) - 1, -1, -1):
        total += a[i]
    return total


def prange_sum_branch(a):
    total = 0.0
    for i in prange(len(a)):
        if a[i] > 0:
            total += a[i]
        elif i % 2 == 0:
            total += 1.0
    return total


def prange_sum_continue(a):
    total = 0.0
    for i in prange(len(a)):
        if i % 5 == 0:
            continue
        total += a[i]
    return total


def prange_difference(a):
    total = 0.0
    for i in prange(len(a)):
        total -= a[i]
    return total


def prange_inner_loop(a):
    total = 0.0
    for i in prange(len(a)):
        part = 0.0
        for j in range(i % 4):
            part += a[i] * j
        total += part
    return total


def prange_inner_while(a):
    total = 0.0
    for i in prange(len(a)):
        k = i % 7
        while k > 0:
            total += a[i] / 8.0
            k -= 2
    return total


def prange_two_sums(a):
    positive = 0.0
    negative = 0.0
    for i in prange(len(a)):
        if a[i] > 0:
            positive += a[i]
        else:
            negative += a[i]
    return positive, negative


def prange_two_loops(a):
    total = 0.0
    for i in prange(len(a)):
        total += a[i]
    mean = total / max(len(a), 1)
    spread = 0.0
    for i in prange(len(a)):
        spread += abs(a[i] - mean)
    return total, spread


REDUCTIONS = (
    prange_sum,
    prange_sum_renamed,
    prange_sum_squares,
    prange_sum_written_out,
    prange_sum_start,
    prange_sum_bounds,
    prange_sum_step,
    prange_sum_down,
    prange_sum_branch,
    prange_sum_continue,
    prange_difference,
    prange_inner_loop,
    prange_inner_while,
    prange_two_sums,
    prange_two_loops,
)


@MODES
@pytest.mark.parametrize("function", REDUCTIONS)
def test_sums(function, parallel):
    for n in (0, 1, 5, 1000, 30011):
        a = vector(n)
        # The largest factor of a term above is 64, and the largest constant 100.
        terms = np.concatenate([64 * a, np.ones(n), [100.0]])
        check(function, a, tolerance=SumOf(terms) if parallel else None, parallel=parallel)


@pytest.mark.parametrize("layout", LAYOUTS_1D)
@pytest.mark.parametrize("function", [prange_sum, prange_sum_step, prange_sum_branch])
def test_sums_in_other_layouts(function, layout):
    a = vector(5000, "f8", layout)
    check(function, a, tolerance=SumOf(a, np.ones(5000)), parallel=True)


@pytest.mark.parametrize("dtype", ["f4", "i4", "i8", "u1", "?"])
def test_sums_of_other_types(dtype):
    a = vector(5000, dtype)
    check(prange_sum, a, tolerance=SumOf(a.astype("f8")), parallel=True)


# Reductions of integers and others are exact.


def count(a):
    hits = 0
    for i in prange(len(a)):
        if a[i] > 1:
            hits += 1
    return hits


def integer_sum(a):
    total = 3
    for i in prange(len(a)):
        total += i * i
    return total


def integer_product(a):
    product = 1
    for i in prange(len(a)):
        product *= 2 * i + 1
    return product


def largest(a):
    best = -1e300
    for i in prange(len(a)):
        best = max(best, a[i])
    return best


def smallest(a):
    best = 1e300
    for i in prange(len(a)):
        best = min(a[i], best)
    return best


def several(a):
    low = 1e300
    high = -1e300
    hits = 0
    for i in prange(len(a)):
        low = min(low, a[i])
        high = max(high, a[i])
        hits += 1
    return low, high, hits


def last_value(a):
    n = 0
    for i in prange(10):
        n += i
    return n + len(a)


@MODES
@pytest.mark.parametrize(
    "function", [count, integer_sum, integer_product, largest, smallest, several, last_value]
)
def test_exact_reductions(function, parallel):
    for n in (0, 1, 7, 4000):
        check(function, vector(n), parallel=parallel)
