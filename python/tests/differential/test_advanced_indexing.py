"""Index arrays and masks among ints, slices, None and `...`: reading and assigning, against NumPy."""

import itertools

import numpy as np
import pytest
from compare import check

from pyopt import errors, njit

A = np.arange(5 * 4 * 3 * 6).reshape(5, 4, 3, 6) * 1.5
ROWS = np.array([0, 3, -1, 2])
PLANE = np.array([[0, 1], [2, -3]])
MASK = np.array([True, False, True, True, False])
INDICES = [
    (ROWS,),
    (ROWS, 1),
    (1, ROWS),
    (ROWS, slice(None), 1),
    (slice(None), ROWS),
    (slice(1, 4), PLANE[:, 0], slice(None, None, 2)),
    (slice(None), 1, np.array([0, 2])),
    (slice(None), np.array([0, 2]), 1),
    (..., ROWS),
    (ROWS, ..., 2),
    (np.array([0, 2]), None, 1),
    (None, PLANE, ...),
    (PLANE,),
    (slice(None), PLANE),
    (np.array([0, 1]), np.array([3, -1])),
    (np.array([[0], [1]]), np.array([3, -1])),
    (slice(None), np.array([0, 1]), np.array([2, -1])),
    (np.array([0, 1]), slice(None), np.array([2, -1])),
    (np.array([4, 1]), np.array([3, 0]), np.array([2, -1]), np.array([5, 5])),
    (np.array([0, 1]), np.array(2), slice(None)),
    (MASK,),
    (MASK, 1),
    (slice(None), MASK[:4]),
    (MASK, slice(None), np.array([0, 1, 2])),
    (..., MASK[:3], 0),
    (A[:, :, 0, 0] > 100,),
    (np.array([1, 2], np.uint8), slice(None, None, -1)),
]


def select(a, index):
    return a[index]


def assign(a, index, value):
    a[index] = value


def add(a, index, value):
    a[index] += value


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_reading(index):
    compiled = njit(select)
    for a in (A, np.repeat(A, 2, axis=1)[:, ::2]):
        got, expected = compiled(a, index), a[index]
        assert got.shape == expected.shape and got.dtype == expected.dtype
        np.testing.assert_array_equal(got, expected)
        before = a.copy()
        got[...] = 0
        np.testing.assert_array_equal(a, before)


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_assigning(index):
    shape = A[index].shape
    values = [7, np.arange(np.prod(shape, dtype=int)).reshape(shape), np.float32(2)]
    values += [np.arange(shape[-1])] if shape else []
    for value in values:
        check(assign, A.copy(order="F"), index, value, numpy=True)
    check(add, A.copy(), index, 3.0, numpy=True)


def test_overlap():
    for index in (np.arange(5), np.arange(5) > -1):
        a, b = np.arange(5), np.arange(5)
        njit(assign)(a, index, a[::-1])
        b[index] = b[::-1].copy()  # NumPy's own result depends on the order of its steps
        np.testing.assert_array_equal(a, b)


def test_numbers_in_arrays():
    for index in (np.array(1), np.array(-2)):
        check(select, np.arange(4), index, numpy=True)
        check(select, A, (index, 1, 2, 3), numpy=True)
        check(assign, np.arange(4), index, 9)
    check(assign, np.arange(4.0), 1, np.array(2.5))


def test_errors():
    compiled = njit(select)
    for index in ((np.array([5]),), (slice(None), np.array([-5])), (np.array([0]), np.array([4]))):
        with pytest.raises(IndexError):
            compiled(A, index)
        with pytest.raises(IndexError):
            njit(assign)(A.copy(), index, 1)
    with pytest.raises(IndexError, match="boolean index did not match"):
        compiled(A, (MASK[:3], 1))
    with pytest.raises(ValueError):
        njit(assign)(A.copy(), (ROWS, 1), np.ones(4))
    with pytest.raises(errors.TypingError, match="must be of integer"):
        compiled(A, (np.array([1.5]), 1))
    with pytest.raises(errors.TypingError, match="too many indices"):
        compiled(np.arange(3), (np.array([1]), 1))


@pytest.mark.parametrize("seed", range(6))
def test_random_indices(seed):
    rng = np.random.default_rng(seed)
    choices = [slice(None), slice(1, None), slice(None, None, -1), 0, 1, -1, None]
    compiled = njit(select)
    for _ in range(12):
        index = [choices[at] for at in rng.integers(0, len(choices), 3)]
        index[rng.integers(0, 3)] = rng.integers(-3, 3, rng.integers(1, 5))
        for one in itertools.islice((tuple(index), (..., *index[:2]), (index[0], ..., index[2])), 3):
            if any(isinstance(part, np.ndarray) for part in one):
                np.testing.assert_array_equal(compiled(A, one), A[one])
