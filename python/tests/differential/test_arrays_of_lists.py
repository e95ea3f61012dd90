"""Arrays made of lists that change."""

import numpy as np
import pytest
from compare import compile_once
from memory import growth

from pyopt import njit


def same(function, *args):
    found, expected = compile_once(function)(*args), function(*args)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def of_numbers(items):
    return np.array(items)


def viewed(items):
    return np.asarray(items)


def of_type(items):
    return np.array(items, dtype=np.float32)


def grown(n):
    made = []
    for i in range(n):
        made.append(i * 0.5)
    return np.array(made)


def of_rows(n):
    rows = []
    for i in range(n):
        rows.append([i, i + 1, i * i])
    return np.array(rows)


def joined(n):
    parts = [np.zeros(2)]
    for i in range(n):
        parts.append(np.arange(float(i)))
    return np.concatenate(parts)


def joined_columns(n):
    parts = [np.ones((3, i + 1)) * i for i in range(n + 1)]
    return np.concatenate(parts, axis=1)


def stacked(n):
    parts = [np.arange(4.0) * i for i in range(n + 1)]
    return np.stack(parts)


def stacked_behind(n):
    parts = [np.arange(6.0).reshape(2, 3) * i for i in range(n + 1)]
    return np.stack(parts, axis=-1)


@pytest.mark.parametrize("function", [of_numbers, viewed, of_type], ids=lambda function: function.__name__)
def test_lists_of_numbers(function):
    for items in ([1, 2, 3], [1.5], [1j, 2j], [True, False], [[1, 2], [3, 4]], [[0.5], [1.5]]):
        if function is not of_type or not isinstance(items[0], complex):
            same(function, items)


@pytest.mark.parametrize(
    "function",
    [grown, of_rows, joined, joined_columns, stacked, stacked_behind],
    ids=lambda function: function.__name__,
)
def test_lists_that_grow(function):
    for n in (1, 2, 5):
        same(function, n)
    assert growth(lambda: compile_once(function)(3)) == 0


def uneven(n):
    rows = [[1]]
    rows.append([n, n])
    return np.array(rows)


def unequal(n):
    parts = [np.zeros(i + 1) for i in range(n)]
    return np.stack(parts)


@pytest.mark.parametrize("function", [uneven, unequal])
def test_sizes_are_checked(function):
    compiled = compile_once(function)

    def call():
        with pytest.raises(ValueError, match="lengths|same shape"):
            compiled(2)

    assert growth(call) == 0


def test_lists_of_tuples():
    def rows(items):
        return np.array(items), np.asarray(items).sum(axis=0), np.array(items, dtype=np.float32)

    for items in ([(1, 2), (3, 4), (5, 6)], [(1, 2.5)], [(1.5, -0.0, 3.0), (1.0, 2.0, np.inf)], [(True, 3)]):
        for found, expected in zip(njit(rows)(items), rows(items), strict=True):
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected)
