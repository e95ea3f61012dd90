"""Nests whose loops may not change places, or may: the same bits in any case."""

import numpy as np
import pytest

from pyopt import njit


def shortest_paths(path):
    # Each step needs what all earlier ones left.
    n = path.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                path[i, j] = min(path[i, j], path[i, k] + path[k, j])


def shortest_paths_of_its_own(distances):
    path = distances.copy()
    n = path.shape[0]
    for k in range(n):
        for j in range(n):
            for i in range(n):
                path[i, j] = min(path[i, j], path[i, k] + path[k, j])
    return path


def down_columns(a):
    out = np.empty(a.shape)
    for j in range(a.shape[1]):
        for i in range(a.shape[0]):
            out[i, j] = 2.0 * a[i, j] + 1.0
    return out


def down_columns_in_place(a):
    for j in range(a.shape[1]):
        for i in range(a.shape[0]):
            a[i, j] = 2.0 * a[i, j] + 1.0


def from_the_upper_right(a):
    # In another order an element would be read after it was written.
    for j in range(a.shape[1] - 1):
        for i in range(1, a.shape[0]):
            a[i, j] = a[i - 1, j + 1] + a[i, j]


def transposed(a):
    out = np.zeros((a.shape[1], a.shape[0]))
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[j, i] = a[i, j]
    return out


def last_one_wins(a):
    # Every element is stored to several times; the last one counts.
    out = np.zeros((a.shape[0], a.shape[1]))
    for j in range(a.shape[1]):
        for i in range(a.shape[0]):
            out[i // 2, j // 2] = a[i, j]
    return out


def sums_in_a_row(a):
    total = np.zeros(a.shape[0])
    for j in range(a.shape[1]):
        for i in range(a.shape[0]):
            total[i] += a[i, j]
    return total


def product_in_place(a):
    # What is added up stays in its order when the loop over k goes outside.
    out = np.zeros((a.shape[0], a.shape[0]))
    for i in range(a.shape[0]):
        for j in range(a.shape[0]):
            for k in range(a.shape[1]):
                out[i, j] += a[i, k] * a[j - 1, k - 1]
                out[i, j] -= a[k % a.shape[0], j % a.shape[1]]
    return out


def product_from_before(a):
    # What stands before the inner loop is done once for each j.
    out = np.zeros((a.shape[0], a.shape[1]))
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            start = out[i, j - 1]
            for k in range(a.shape[0]):
                out[i, j] += start + a[k, j]
    return out


def counted_between(a):
    out = np.zeros(a.shape)
    count = np.zeros(4)
    for j in range(a.shape[1]):
        if j % 3 == 1:
            count[0] += 1.0
        for i in range(a.shape[0]):
            out[i, j] = 2.0 * a[i, j]
    for j in range(a.shape[1]):
        for i in range(a.shape[0]):
            a[i, j] = out[i, j] + count[0]
    return count


FUNCTIONS = [
    shortest_paths,
    shortest_paths_of_its_own,
    down_columns,
    down_columns_in_place,
    from_the_upper_right,
    transposed,
    last_one_wins,
    sums_in_a_row,
    product_in_place,
    product_from_before,
    counted_between,
]
SIZES = [0, 1, 2, 3, 7, 16, 33]


def check(function, compiled, make):
    ours, theirs = make(), make()
    found, expected = compiled(ours), function(theirs)
    np.testing.assert_array_equal(ours, theirs)
    if expected is None:
        assert found is None
    else:
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("size", SIZES)
def test_square(function, size):
    random = np.random.default_rng(size).uniform(0, 10, (size, size))
    compiled = njit(function)
    check(function, compiled, random.copy)
    check(function, compiled, lambda: random.copy().T)
    check(function, compiled, lambda: np.repeat(random, 2, axis=1)[::-1, ::2])


@pytest.mark.parametrize("function", FUNCTIONS[2:])
@pytest.mark.parametrize("shape", [(3, 40), (40, 3), (1, 17), (17, 1), (0, 5), (5, 0)])
def test_rectangles(function, shape):
    random = np.random.default_rng(3).uniform(0, 10, shape)
    check(function, njit(function), random.copy)


def test_graphs_with_integers_and_rows_that_overlap():
    compiled = njit(shortest_paths)
    weights = np.random.default_rng(38).integers(1, 1000, (40, 40))
    check(shortest_paths, compiled, weights.copy)

    def sliding():
        memory = np.random.default_rng(5).uniform(0, 10, 60)
        return np.lib.stride_tricks.as_strided(memory, (20, 20), (16, 8))

    check(shortest_paths, compiled, sliding)
    check(from_the_upper_right, njit(from_the_upper_right), sliding)
    check(down_columns_in_place, njit(down_columns_in_place), sliding)
