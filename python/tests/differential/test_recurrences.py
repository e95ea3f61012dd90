"""Loops in which an iteration loads what the one before it has stored, against CPython."""

import numpy as np
import pytest

from pyopt import njit


def forwards(a, b):
    for i in range(1, len(a)):
        a[i] += a[i - 1] * b[i]


def backwards(a, b):
    for i in range(len(a) - 2, -1, -1):
        a[i] -= b[i] * a[i + 1]
        a[i] = a[i] / b[i]


def divided(a, b):
    for i in range(1, len(a)):
        a[i] = a[i - 1] / b[i]


def counted(a, b):
    found = 0
    for i in range(1, len(a)):
        x = a[i - 1]
        found += x > 0
        a[i] = x + b[i] if b[i] > 0 else x
    return found


def both(a, b):
    for i in range(1, len(a)):
        x = a[i - 1]
        b[i] = x
        a[i] = b[i - 1] + x


def shifted(a, b):
    for i in range(len(a) - 1):
        a[i + 1] = a[i]


def rows(a, b):
    for j in range(len(b)):
        for i in range(1, len(a)):
            a[i] += a[i - 1]
        b[j] = a[len(a) - 1]


FUNCTIONS = [forwards, backwards, divided, counted, both, shifted, rows]


def same(function, compiled, make):
    expected, given = make(), make()
    outcomes = []
    for run, (a, b) in ((function, expected), (compiled, given)):
        with np.errstate(all="ignore"):
            try:
                outcomes.append(run(a, b))
            except ZeroDivisionError as error:
                outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]
    for one, other in zip(expected, given, strict=True):
        np.testing.assert_array_equal(one, other)


def python(function):
    """Give the function on Python's floats: NumPy's don't raise."""

    def run(a, b):
        x, y = a.tolist(), b.tolist()
        try:
            return function(x, y)
        finally:
            a[:], b[:] = x, y

    return run


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_floats(function, dtype):
    compiled = njit(function)
    for size in (0, 1, 2, 3, 5, 40):
        chance = np.random.default_rng(size)
        first, second = (chance.integers(1, 4, size).astype(dtype) for _ in range(2))
        for at in (None, 0, size // 2, size - 1):
            divisors = second.copy()
            if at is not None and size:
                divisors[at] = 0
            if dtype is np.float32 and 0 in divisors:
                continue
            # In double precision Python's own numbers are the reference.
            reference = function if dtype is np.float32 else python(function)
            same(reference, compiled, lambda first=first, divisors=divisors: (first.copy(), divisors.copy()))


@pytest.mark.parametrize("function", [forwards, counted, both, shifted, rows])
@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.uint16])
def test_ints(function, dtype):
    compiled = njit(function)
    for size in (0, 1, 2, 3, 40):
        first, second = (np.random.default_rng(size).integers(0, 5, size).astype(dtype) for _ in range(2))
        same(function, compiled, lambda first=first, second=second: (first.copy(), second.copy()))


@pytest.mark.parametrize("function", [forwards, backwards, both, shifted])
def test_overlaps_and_strides(function):
    compiled = njit(function, error_model="numpy")

    def make(part, other):
        memory = np.arange(1.0, 41.0)
        return memory[part], memory[other]

    for part, other in [
        (slice(0, 20), slice(0, 20)),
        (slice(0, 20), slice(1, 21)),
        (slice(1, 21), slice(0, 20)),
        (slice(0, 40, 2), slice(1, 40, 2)),
        (slice(None, None, -1), slice(None)),
        (slice(20, None), slice(19, 39)),
    ]:
        same(function, compiled, lambda part=part, other=other: make(part, other))
