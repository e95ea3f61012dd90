"""Loops whose iterations take different times, and what bodies know of the arrays they work on."""

import io

import numpy as np
import pytest

from pyopt import get_num_threads, njit, prange, set_num_threads
from pyopt.errors import ParallelSafetyWarning


@njit
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def of_calls(n):
    out = np.zeros(n, np.int64)
    total = 0
    for i in prange(n):
        out[i] = collatz(i + 1)
        total += out[i]
    return out, total


def triangle(n):
    out = np.zeros(n)
    for i in prange(n):
        s = 0.0
        for j in range(i):
            s += j * 0.5
        out[i] = s
    return out


def by_memory(n):
    lengths = np.arange(n) * 7919 % 31
    out = np.zeros(n, np.int64)
    for i in prange(n):
        for j in range(lengths[i]):
            out[i] += j
    return out


def under_a_condition(n):
    out = np.zeros(n)
    for i in prange(n):
        if i % 3 == 0:
            for j in range(n):
                out[i] += j
    return out


def even(n):
    out = np.zeros(n)
    for i in prange(n):
        for j in range(n):
            out[i] += i * j
    return out


@pytest.mark.parametrize("n", [0, 1, 3, 100, 1000])
@pytest.mark.parametrize(
    ("function", "schedule"),
    [
        (of_calls, "dynamic schedule: "),
        (triangle, "dynamic schedule: a loop inside runs as often as the index says"),
        (by_memory, "dynamic schedule: a loop inside runs as often as an iteration finds out"),
        (under_a_condition, "dynamic schedule: a loop inside runs under a condition"),
        (even, "static schedule: all iterations do the same"),
    ],
)
def test_schedules(function, schedule, n):
    compiled = njit(parallel=True)(function)
    most = get_num_threads()
    for threads in {1, most}:
        set_num_threads(threads)
        np.testing.assert_equal(compiled(n), function(n))
    set_num_threads(most)
    told = io.StringIO()
    compiled.parallel_diagnostics(level=3, file=told)
    assert schedule in told.getvalue()


def product(a, b, out):
    for i in prange(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            out[i, j] = s
    return out


def product_into_new(a, b):
    return product_inlined(a, b, np.empty((a.shape[0], b.shape[1])))


product_inlined = njit(product)


def product_into_a_choice(a, b, own):
    out = np.empty((a.shape[0], b.shape[1])) if own else b
    for i in prange(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            out[i, j] = s
    return out


def two_views_of_one(n):
    memory = np.arange(2.0 * n)
    first, second = memory[:-1], memory[1:]
    out = np.zeros(len(first))
    for i in prange(len(first)):
        for j in range(4):
            second[i] = second[i] + 1
            out[i] += first[i] - first[i] + second[i]
    return out


@pytest.mark.parametrize("n", [1, 5, 12])
def test_bodies_know_what_overlaps(n):
    a, b = np.arange(n * n, dtype=float).reshape(n, n), np.ones((n, n)).cumsum(0)
    np.testing.assert_array_equal(njit(parallel=True)(product_into_new)(a, b), a @ b)
    # In place, one row after the other, on one thread.
    most = get_num_threads()
    set_num_threads(1)
    for own in (True, False):
        expected = product_into_a_choice(a, b.copy(), own)
        found = njit(parallel=True)(product_into_a_choice)(a, b.copy(), own)
        np.testing.assert_array_equal(found, expected)
    for rows in (slice(None), slice(None, None, -1)):
        memory, same = a.copy(), a.copy()
        product(memory, memory[rows], memory)
        njit(parallel=True)(product)(same, same[rows], same)
        np.testing.assert_array_equal(same, memory)
    with pytest.warns(ParallelSafetyWarning, match="writes an element that another one reads"):
        found = njit(parallel=True)(two_views_of_one)(n + 1)
    np.testing.assert_array_equal(found, two_views_of_one(n + 1))
    set_num_threads(most)
