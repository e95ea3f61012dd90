"""Iterators over positions and elements that go to functions, and what numbers of sequences are."""

import numpy as np
import pytest

from pyopt import njit

CUBE = np.arange(24.0).reshape(2, 3, 4)
ARRAYS = CUBE, CUBE[:, :, 0], CUBE[::2, 1:, ::3], CUBE.T, CUBE[0, 0], CUBE[:0], np.array(7.0)


def positions_in_order(array):
    return list(np.ndindex(array.shape)), sorted(np.ndindex(array.shape), reverse=True)


def elements_in_order(array):
    return list(array.flat), sorted(array.flat, reverse=True), sum(array.flat)


def numbered(array):
    return list(enumerate(np.ndindex(array.shape)))


def largest_position(array):
    return max(np.ndindex(array.shape))


def elements_at(array):
    return [(at, element) for at, element in list(np.ndenumerate(array))]


def later_positions(array):
    def later(positions):
        next(positions)
        return [one for one in positions]

    return later(iter(np.ndindex(array.shape)))


def outcome(function, array):
    """Give what a function gives; where there is no first position it raises."""
    try:
        return function(array)
    except (StopIteration, ValueError) as error:
        return type(error)


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{array.ndim}-{array.strides}")
@pytest.mark.parametrize(
    "function",
    [positions_in_order, elements_in_order, numbered, elements_at, largest_position, later_positions],
)
def test_iterators_are_passed_on(function, array):
    assert outcome(njit(function), array) == outcome(function, array)


def test_sizes_below_zero_are_refused():
    with pytest.raises(ValueError, match="negative dimensions are not allowed"):
        njit(lambda n: list(np.ndindex(n, 2)))(-1)


def test_numbers_of_sequences_are_arrays():
    def converted(array, items):
        rows, columns = np.int32(array.shape[:2])
        sizes = np.array([rows, columns])
        return np.int32(array.shape), np.float64((1, 2.5)), np.float32(items), np.bool_((0, 2)), sizes

    for got, wanted in zip(njit(converted)(CUBE, [1, 2]), converted(CUBE, [1, 2]), strict=True):
        assert got.dtype == wanted.dtype
        np.testing.assert_array_equal(got, wanted)
