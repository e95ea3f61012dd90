"""Loops over vectors and matrices beyond the named programs."""

import numpy as np
import pytest
from arrays import LAYOUTS_1D, LAYOUTS_2D, WRITABLE_1D, laid_out, matrix, vector
from compare import SumOf, check


def maximum_position(values):
    best = 0
    for i in range(1, values.size):
        if values[i] > values[best]:
            best = i
    return best, values.ndim


def running(values):
    out = np.empty(len(values))
    total = 0.0
    for i in range(len(values)):
        total += values[i]
        out[i] = total
    return out


def insertion_sort(data):
    for i in range(1, data.size):
        key = data[i]
        j = i - 1
        while j >= 0 and data[j] > key:
            data[j + 1] = data[j]
            j -= 1
        data[j + 1] = key


def sum_from_behind(grid):
    result = 0.0
    for i in range(1, len(grid) + 1):
        for j in range(1, grid.shape[1] + 1):
            result += grid[-i][-j]
    return result


def count_positive(a):
    count = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > 0:
                count += 1
    return count


def transpose_into(out, a):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[j, i] = a[i, j]


@pytest.mark.parametrize("layout", LAYOUTS_1D)
@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "u8", "f4", "f8"])
def test_vectors(dtype, layout):
    for n in (1, 11):
        values = vector(n, dtype, layout)
        check(maximum_position, values)
        check(running, values, tolerance=SumOf(values))


@pytest.mark.parametrize("layout", WRITABLE_1D)
@pytest.mark.parametrize("dtype", ["i1", "u4", "i8", "f4", "f8"])
def test_sorting_by_insertion(dtype, layout):
    for n in (0, 2, 17):
        check(insertion_sort, vector(n, dtype, layout))


@pytest.mark.parametrize("layout", LAYOUTS_2D)
def test_matrices(layout):
    for shape in ((4, 5), (1, 3), (0, 2)):
        values = matrix(*shape, "f8", layout)
        check(sum_from_behind, values)
        check(count_positive, values)
        check(transpose_into, np.zeros(shape[::-1]), values)
    check(transpose_into, laid_out(matrix(5, 3), "F" if layout == "readonly" else layout), matrix(3, 5))
