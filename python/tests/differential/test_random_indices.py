"""Random indices, compiled and in the interpreter; and combinations that NumPy has rules of its own for."""

import numpy as np
import pytest
from random_indices import Case, check

from pyopt import njit


@pytest.mark.parametrize("seed", range(120))
def test_random_index(seed):
    case = Case(seed)
    for source, arguments in case.functions():
        check(source, case.array, arguments)


def behind(a, i, m):
    return a[:, i, ..., m]


def before_ints(a, x):
    return a[1:, x, ..., 2]


def together(a, x):
    return a[1:, x, 2]


def put_behind(a, x):
    a[:, -1, x, ...] = 5
    a[0, ..., x] *= 2
    return a


@pytest.mark.parametrize("shape", [(2, 3, 4), (1, 5, 3)])
def test_an_ellipsis_separates_even_as_nothing(shape):
    # The dimensions of index arrays come first where something is between them.
    a = np.arange(int(np.prod(shape))).reshape(shape)
    x = np.array([0, -1, 1, 0])
    m = np.arange(shape[2]) % 2 == 0
    for function, arguments in ((behind, (1, m)), (before_ints, (x,)), (together, (x,))):
        expected = function(a, *arguments)
        actual = njit(function)(a, *arguments)
        assert actual.shape == expected.shape
        np.testing.assert_array_equal(actual, expected)
    np.testing.assert_array_equal(njit(put_behind)(a.copy(), x), put_behind(a.copy(), x))


@pytest.mark.parametrize("size", [2, 3, 5, 6])
def test_masks_behind_an_ellipsis_are_checked(size):
    a = np.arange(12.0).reshape(3, 4)
    m = np.ones(size, bool)

    def read(a, m):
        return a[..., m]

    def write(a, m):
        a[0, ..., m] = 1
        return a

    for function in (read, write):
        with pytest.raises(IndexError, match="boolean index did not match"):
            njit(function)(a.copy(), m)
        with pytest.raises(IndexError, match="boolean index did not match"):
            function(a.copy(), m)


def test_index_arrays_of_other_sizes():
    def pairs(a, x, y):
        return a[x, y]

    with pytest.raises(IndexError, match="shape mismatch: indexing arrays could not be broadcast"):
        njit(pairs)(np.ones((3, 3)), np.array([0, 1]), np.array([0, 1, 2]))
