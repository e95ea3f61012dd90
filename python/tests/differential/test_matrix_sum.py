"""Sums of matrices by loops."""

import numpy as np
import pytest
from arrays import LAYOUTS_2D, matrix
from compare import check

DTYPES = ("i1", "i2", "i4", "i8", "u1", "u4", "f4", "f8")

# Sum of a 2-D array


def sum2d(a):
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            total += a[i, j]
    return total


def sum2d_renamed(grid):
    height, width = grid.shape
    acc = 0.0
    for row in range(height):
        for column in range(width):
            acc = acc + grid[row, column]
    return acc


def sum2d_columns_first(a):
    total = 0.0
    for j in range(a.shape[1]):
        for i in range(a.shape[0]):
            total += a[i, j]
    return total


def sum2d_two_brackets(a):
    total = 0.0
    for i in range(len(a)):
        for j in range(len(a[i])):
            total += a[i][j]
    return total


def sum2d_backwards(a):
    total = 0.0
    for i in range(a.shape[0] - 1, -1, -1):
        for j in range(a.shape[1] - 1, -1, -1):
            total += a[i, j]
    return total


def sum2d_negative_indices(a):
    total = 0.0
    for i in range(-a.shape[0], 0):
        for j in range(1, a.shape[1] + 1):
            total += a[i, -j]
    return total


def sum2d_while(a):
    total = 0.0
    i = 0
    while i < a.shape[0]:
        j = 0
        while j < a.shape[1]:
            total += a[i, j]
            j += 1
        i += 1
    return total


def sum2d_row_totals(a):
    total = 0.0
    for i in range(a.shape[0]):
        row = 0.0
        for j in range(a.shape[1]):
            row += a[i, j]
        total += row
    return total


def sum2d_step(a):
    total = 0.0
    for i in range(0, a.shape[0], 2):
        for j in range(1, a.shape[1], 3):
            total += a[i, j]
    return total


def sum2d_condition(a):
    total = 0.0
    count = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > 2:
                total += a[i, j]
                count += 1
            elif a[i, j] == 1:
                continue
            else:
                total -= 1
    return total, count


def sum2d_triangle(a):
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(i, a.shape[1]):
            total += a[i, j] * 2.0
    return total


def sum2d_break(a):
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if total > 20:
                break
            total += abs(a[i, j])
    return total


def sum2d_squares(a):
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            value = float(a[i, j])
            total += value * value
    return total


def sum2d_row_views(a):
    total = 0.0
    for i in range(a.shape[0]):
        row = a[i]
        for j in range(row.shape[0]):
            total += row[j]
    return total


SUMS = (
    sum2d,
    sum2d_renamed,
    sum2d_columns_first,
    sum2d_two_brackets,
    sum2d_backwards,
    sum2d_negative_indices,
    sum2d_while,
    sum2d_row_totals,
    sum2d_step,
    sum2d_condition,
    sum2d_triangle,
    sum2d_break,
    sum2d_squares,
    sum2d_row_views,
)


@pytest.mark.parametrize("layout", LAYOUTS_2D)
@pytest.mark.parametrize("function", SUMS)
def test_sum_of_a_matrix(function, layout):
    for shape in ((5, 7), (1, 1), (3, 0), (0, 4)):
        check(function, matrix(*shape, layout=layout))


@pytest.mark.parametrize("dtype", (*DTYPES, "u2", "u8", "?"))
@pytest.mark.parametrize("function", [sum2d, sum2d_while, sum2d_negative_indices])
def test_sum_of_a_matrix_of_other_types(function, dtype):
    for layout in ("C", "F", "strided"):
        check(function, matrix(4, 6, dtype, layout))


def integer_total(a):
    total = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            total += int(a[i, j]) * (i - j)
    return total


@pytest.mark.parametrize("dtype", (*DTYPES, "?"))
def test_integer_totals(dtype):
    check(integer_total, matrix(4, 6, dtype))


def rank3(a):
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                total = total * 0.5 + a[i, j, k]
    return total


def test_three_dimensions():
    cube = np.arange(60.0).reshape(3, 4, 5)
    for array in (
        cube,
        cube.T,
        cube[::-1],
        cube[:, ::2, 1:],
        cube.transpose(1, 2, 0),
        np.asfortranarray(cube),
    ):
        check(rank3, array)
