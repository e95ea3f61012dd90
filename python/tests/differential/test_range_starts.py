"""Ranges that start below zero, at it or above: indices of arrays count from the end, or don't."""

import numpy as np
import pytest

from pyopt import njit


def part_sum(a, start, stop):
    total = 0.0
    for k in range(start, stop):
        total += a[k]
    return total


def stored(a, start, stop):
    for k in range(start, stop):
        a[k] = a[k - 1] + a[k + 1]


def stored_each_second(a, start, stop):
    for k in range(start, stop, 2):
        a[k] = 2.0 * a[k] + k


def stored_down(a, start, stop):
    for k in range(stop - 1, start - 1, -1):
        a[k] += k


def chosen(a, start, stop):
    least = 100.0
    for k in range(start, stop):
        if a[k] < least:
            least = a[k]
        else:
            a[k] = least - a[2 + k]
    return least


def with_offset(a, start, stop):
    count = 0
    for k in range(stop - start):
        if a[start + k] > 0.5:
            count += 1
        a[k + start] = a[k + 2 * start - start] * 0.5
    return count


def rows(a, start, stop):
    grid = a.reshape(4, 5)
    for i in range(start, stop):
        row = i % 4
        for j in range(row - 3, row + 1):
            grid[row, j] += grid[j % 4, row] + j
    return grid[start % 4, stop % 5]


def from_the_other_end(a, start, stop):
    for k in range(start, stop):
        a[len(a) - 1 - k % 10] += a[stop - k - 1]
    for k in range(stop):
        a[stop - k - 1] -= a[k]
    for k in range(stop):
        for j in range(k):
            a[k - j - 1] += a[j] * 0.5
    total = 0.0
    for k in range(stop):
        for j in range(k + 1):
            total += a[k - j - 1] * a[k - j]
    return total


def found_last(a, start, stop):
    last = -1
    for k in range(start, stop):
        if a[k] > 0.25:
            last = k
    for k in range(last, stop):
        a[k] += last
    return last


FUNCTIONS = [
    part_sum,
    stored,
    stored_each_second,
    stored_down,
    chosen,
    with_offset,
    rows,
    from_the_other_end,
    found_last,
]
# Two elements more than the greatest index, and none before the least.
BOUNDS = [(0, 18), (3, 9), (-4, 5), (-4, -1), (-3, 0), (7, 7), (9, 2), (1, 17), (-2, 1)]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_indices_from_the_end(function):
    compiled = njit(function)
    for start, stop in BOUNDS:
        random = np.random.default_rng(abs(start) + stop % 7).uniform(0, 1, 20)
        ours, theirs = random.copy(), random.copy()
        assert compiled(ours, start, stop) == function(theirs, start, stop), (start, stop)
        np.testing.assert_array_equal(ours, theirs)


def sparse_product(starts, columns, values, x):
    y = np.empty(len(starts) - 1)
    for i in range(len(y)):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += values[k] * x[columns[k]]
        y[i] = total
    return y


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint32, np.uint64])
def test_rows_of_a_sparse_matrix(dtype):
    random = np.random.default_rng(50)
    starts = np.concatenate(([0], np.cumsum(random.integers(0, 9, 40))))
    columns = random.integers(0, 30, starts[-1])
    values, x = random.random(starts[-1]), random.random(30)
    compiled = njit(sparse_product)
    expected = sparse_product(starts, columns, values, x)
    args = starts.astype(dtype), columns.astype(dtype)
    np.testing.assert_array_equal(compiled(*args, values, x), expected)
    if np.dtype(dtype).kind == "i":
        # The same rows, columns and numbers, counted from the end.
        args = (starts - starts[-1]).astype(dtype), (columns - 30).astype(dtype)
        found = compiled(args[0], args[1], values, x)
        np.testing.assert_array_equal(found, expected)


def matrix_flat(a, first, rows, columns):
    total = 0.0
    for i in range(first, first + rows):
        for j in range(columns):
            a[i * columns + j] += j
            total = total * 0.5 + a[i * columns + j]
    return total


@pytest.mark.parametrize("first", [-3, -1, 0, 1])
def test_a_matrix_in_a_flat_array(first):
    ours, theirs = np.arange(24.0), np.arange(24.0)
    compiled = njit(matrix_flat)
    assert compiled(ours, first, 3, 6) == matrix_flat(theirs, first, 3, 6)
    np.testing.assert_array_equal(ours, theirs)


def column_products(a, i, j):
    total = 0.0
    for k in range(a.shape[0]):
        column = a[:, j]
        column[k] += a[i][k % a.shape[1]]
        total += np.sum(a[:, i] * column) + a[None, k, :][0, j]
    return total


@pytest.mark.parametrize("make", [np.ascontiguousarray, np.asfortranarray, lambda a: a[::-1, ::2]])
@pytest.mark.parametrize("i,j", [(0, 1), (-1, 2), (2, -2), (-3, -1)])
def test_elements_of_rows_and_columns(make, i, j):
    numbers = np.random.default_rng(8).integers(0, 9, (5, 6)).astype(float)
    ours, theirs = make(numbers.copy()), make(numbers.copy())
    assert njit(column_products)(ours, i, j) == column_products(theirs, i, j)
    np.testing.assert_array_equal(ours, theirs)


def largest(a):
    best = a[0]
    for k in range(1, len(a)):
        best = max(best, a[k])
    least = a[0]
    for k in range(1, len(a)):
        least = min(least, a[k])
    return best, least, max(a[0], a[-1]), min(a[0], a[-1])


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64, np.float64])
def test_the_largest_and_the_least(dtype):
    compiled = njit(largest)
    for seed in range(20):
        numbers = np.random.default_rng(seed).integers(0, 250, 37).astype(np.uint8).astype(dtype)
        assert compiled(numbers) == largest(numbers)
