"""Lists and tuples assigned to parts of arrays, as NumPy does: their items are an array."""

import numpy as np
import pytest

from pyopt import errors, njit, prange

OPTIONS = [{}, {"parallel": True}]


def display_to_row(a, x):
    for i in range(a.shape[0]):
        a[i] = [x, i, 2]
    return a


def tuple_to_row(a, x):
    a[0] = (x, 1, 2.5)
    a[-1] = (1, 2, 3)
    return a


def list_to_rows(a, x):
    items = [x, x + 1]
    items.append(x + 2)
    a[1:] = items
    a[:, 1] = 7
    return a


def on_threads(a, x):
    for i in prange(a.shape[0]):
        a[i] = [x, x + i, i]
    return a


def nested(a, x):
    a[:2] = [[x, 1, 2], [3, 4, x]]
    return a


def broadcast(a, x):
    a[:] = [x]
    return a


def through_mask(a, x):
    a[a[:, 0] > 1] = [x, 8, 9]
    return a


def through_positions(a, x):
    a[np.array([0, 2])] = (x, 8, 9)
    return a


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize(
    "function",
    [
        *(display_to_row, tuple_to_row, list_to_rows, on_threads, nested, broadcast),
        *(through_mask, through_positions),
    ],
)
def test_assignment(function, options):
    compiled = njit(**options)(function)
    base = np.arange(24.0).reshape(4, 6)
    for array in (np.arange(12.0).reshape(4, 3), base[:, ::2], base[::-1, 3:], base.astype("f4")[:, :3]):
        for x in (5, -1.5):
            expected = function(array.copy(), x)
            np.testing.assert_array_equal(compiled(array.copy(), x), expected)
    ints = np.arange(12).reshape(4, 3)
    np.testing.assert_array_equal(compiled(ints.copy(), 5), function(ints.copy(), 5))


def test_wrong_lengths():
    @njit
    def row(a, items):
        a[0] = items

    for items in ([1.0, 2.0], [1.0] * 4):
        with pytest.raises(ValueError):
            row(np.zeros((2, 3)), items)


def test_no_number_is_a_list():
    @njit
    def element(a):
        a[0, 0] = [1.0]

    with pytest.raises(errors.TypingError, match="can't assign list"):
        element(np.zeros((2, 3)))
