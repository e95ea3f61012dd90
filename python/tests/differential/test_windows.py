"""Windows around places: every sign of the bounds, of the step and of the place."""

import numpy as np
import pytest
from compare import check

from pyopt import njit

SIGNS = (-3, -2, -1, 0, 1, 2, 3)


def window(a, i, first, last):
    total = 0.0
    for d in range(first, last):
        total = total * 3.0 + a[i + d]
    return total


def stepped(a, i, first, last, step):
    total = 0.0
    for d in range(first, last, step):
        total = total * 3.0 + a[i + d - 1] + a[1 + d + i]
    return total


def written(a, i, first, last):
    for d in range(first, last):
        a[i + d] = a[d - i] + 1.0


def plane(m, i, j, k):
    total = 0.0
    for di in range(-k, k + 1):
        for dj in range(-k, k + 1):
            total = total * 3.0 + m[i + di, j + dj]
    return total


def smoothed(a, out, k):
    for i in range(k, a.size - k):
        total = 0.0
        for d in range(-k, k + 1):
            total += a[i + d]
        out[i] = total
    return out


def test_signs_of_bounds_and_places():
    a = np.arange(1.0, 12.0)
    for i in (-4, -1, 0, 1, 5):
        for first in SIGNS:
            for last in SIGNS:
                check(window, a, i, first, last)
                check(written, a, i, first, last)


@pytest.mark.parametrize("step", [-2, -1, 1, 2])
def test_steps(step):
    a = np.arange(1.0, 16.0)
    for i in (-5, 0, 1, 5):
        for first in SIGNS:
            for last in SIGNS:
                check(stepped, a, i, first, last, step)


def test_windows_of_planes_and_rows():
    m = np.arange(35.0).reshape(5, 7)
    for k in (0, 1, 2):
        for i in range(-2, 3):
            for j in range(-3, 5):
                check(plane, m, i, j, k)
    for k in (0, 1, 3, 5, 6):
        check(smoothed, np.arange(11.0), np.zeros(11), k)


def around(a, i, first, n):
    total = 0.0
    for d in range(first, first + n):
        total += a[i + d]
    return total


def test_sums_that_wrap_around():
    """Terms whose sum leaves the range of int64 give a place as if they hadn't."""
    a = np.arange(1.0, 10.0)
    compiled = njit(around)
    assert compiled(a, 2**62, -(2**62), 4) == 10.0
    assert compiled(a, 2**62 + 1, -(2**62), 4) == 14.0
    assert compiled(a, -(2**63), -(2**63) + 2, 3) == 12.0
    assert compiled(a, 2**62, -(2**62) - 2, 4) == 9.0 + 8.0 + 1.0 + 2.0
