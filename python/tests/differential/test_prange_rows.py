"""Parallel loops over rows with serial loops inside, and loops that depend on each other."""

import numpy as np
import pytest
from arrays import LAYOUTS_1D, LAYOUTS_2D, matrix, vector
from compare import check

from pyopt import njit, prange

MODES = pytest.mark.parametrize("parallel", [True, False], ids=["parallel", "serial"])

# Rows


def row_sums(a):
    out = np.empty(a.shape[0])
    for i in prange(a.shape[0]):
        total = 0.0
        for j in range(a.shape[1]):
            total += a[i, j]
        out[i] = total
    return out


def row_sums_renamed(matrix):
    rows, columns = matrix.shape
    result = np.empty(rows)
    for r in prange(rows):
        acc = 0.0
        for c in range(columns):
            acc += matrix[r, c]
        result[r] = acc
    return result


def row_sums_in_place(a):
    out = np.zeros(a.shape[0])
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            out[i] += a[i, j]
    return out


def row_maxima(a):
    out = np.zeros(a.shape[0])
    for i in prange(a.shape[0]):
        best = a[i, 0]
        for j in range(1, a.shape[1]):
            if a[i, j] > best:
                best = a[i, j]
        out[i] = best
    return out


def row_positions(a):
    out = np.zeros(a.shape[0], np.int64)
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > a[i, out[i]]:
                out[i] = j
    return out


def row_scaled(a):
    out = np.empty(a.shape)
    for i in prange(a.shape[0]):
        factor = 1.0 + i
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] * factor
    return out


def row_step(a):
    out = np.zeros(a.shape[0])
    for i in prange(0, a.shape[0], 2):
        for j in range(a.shape[1] - 1, -1, -1):
            out[i] = out[i] * 0.5 + a[i, j]
    return out


def row_searches(a):
    out = np.full(a.shape[0], -1)
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > 5:
                out[i] = j
                break
    return out


def row_while(a):
    out = np.zeros(a.shape[0])
    for i in prange(a.shape[0]):
        j = 0
        while j < a.shape[1] and out[i] < 10.0:
            out[i] += abs(a[i, j])
            j += 1
    return out


def row_triangle(a):
    out = np.zeros(a.shape)
    for i in prange(a.shape[0]):
        for j in range(min(i, a.shape[1])):
            out[i, j] = a[i, j] - a[i, 0]
    return out


def row_roots(a):
    out = np.empty(a.shape[0])
    for i in prange(a.shape[0]):
        total = 0.0
        for j in range(a.shape[1]):
            total += np.sqrt(abs(a[i, j]))
        out[i] = total
    return out


@njit
def row_length(a, i):
    total = 0.0
    for j in range(a.shape[1]):
        total += a[i, j] * a[i, j]
    return total


def row_calls(a):
    out = np.empty(a.shape[0])
    for i in prange(a.shape[0]):
        out[i] = row_length(a, i)
    return out


def both_parallel(a):
    out = np.empty(a.shape)
    for i in prange(a.shape[0]):
        for j in prange(a.shape[1]):
            out[i, j] = a[i, j] + i * j
    return out


def rows_then_sum(a):
    out = np.empty(a.shape[0])
    for i in prange(a.shape[0]):
        out[i] = a[i, 0] * 2
    total = 0
    for i in prange(a.shape[0]):
        if out[i] > 0:
            total += 1
    return out, total


ROWS = (
    row_sums,
    row_sums_renamed,
    row_sums_in_place,
    row_maxima,
    row_positions,
    row_scaled,
    row_step,
    row_searches,
    row_while,
    row_triangle,
    row_roots,
    row_calls,
    both_parallel,
    rows_then_sum,
)


@MODES
@pytest.mark.parametrize("function", ROWS)
def test_rows(function, parallel):
    for shape in ((7, 5), (1, 1), (0, 3), (300, 40)):
        check(function, matrix(*shape), parallel=parallel)


@pytest.mark.parametrize("layout", LAYOUTS_2D)
@pytest.mark.parametrize("function", [row_sums, row_scaled, both_parallel])
def test_rows_in_other_layouts(function, layout):
    check(function, matrix(60, 31, "f8", layout), parallel=True)


def write_in_place(a):
    for i in prange(a.shape[0]):
        a[i] = a[i] * 2 + i


@pytest.mark.parametrize("layout", [name for name in LAYOUTS_1D if name != "readonly"])
def test_arguments_written_in_parallel(layout):
    check(write_in_place, vector(3000, "f8", layout), parallel=True)
    check(write_in_place, vector(3000, "i8", layout), parallel=True)


# Two loops over the same data stay apart where one reads what the other writes (Numba #9829 and others).


def shifted_reads(a):
    b = np.zeros(len(a))
    for i in prange(len(a)):
        b[i] = a[i] * 2.0
    c = np.zeros(len(a))
    for i in prange(len(a) - 1):
        c[i] = b[i + 1] + b[0]
    return c


def written_again(a):
    b = np.zeros(len(a))
    for i in prange(len(a)):
        b[i] = a[i]
    for i in prange(len(a)):
        b[i] = b[len(a) - 1 - i] * 0.0 + 1.0 if i == 0 else b[i]
    return b


def read_after_reduction(a):
    total = 0
    for i in prange(len(a)):
        total += i
    out = np.zeros(len(a))
    for i in prange(len(a)):
        out[i] = total + a[i]
    return out


@MODES
@pytest.mark.parametrize("function", [shifted_reads, written_again, read_after_reduction])
def test_loops_that_depend_on_each_other(function, parallel):
    for n in (1, 10, 5000):
        check(function, vector(n), parallel=parallel)
