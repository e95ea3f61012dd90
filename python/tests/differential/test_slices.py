"""Slices as arguments, results, constants and values: their parts, `indices`, and what they select."""

import itertools

import numpy as np
import pytest
from compare import check

from pyopt import njit

ODD = slice(1, 7, 2)
PARTS = (None, -12, -3, 0, 2, 11)
STEPS = (None, -3, -1, 1, 2)
SLICES = [slice(*parts) for parts in itertools.product(PARTS, PARTS, STEPS)]
A = np.arange(24).reshape(2, 3, 4)
INDICES = (
    slice(1),
    ...,
    (slice(None), 1),
    (..., 0),
    (1, slice(None, None, -1), 2),
    (None, ...),
    slice(None, None, -1),
)


def attributes(part):
    return part.start, part.stop, part.step


def indices(part, length):
    return part.indices(length)


def made(a, start, stop, step):
    return a[slice(stop)], a[slice(start, stop)], a[slice(start, stop, step)], a[slice(None)]


def constant(a):
    return a[ODD], a[...]


def given_back(part):
    return part, (part, ...)


def compared(one, other):
    return one == other, one != other


def select(a, index):
    return a[index]


def assign(a, index, value):
    a[index] = value


def test_parts_and_indices():
    for part in SLICES:
        check(attributes, part)
        for length in (0, 1, 5, 10):
            check(indices, part, length)
    with pytest.raises(ValueError, match="length should not be negative"):
        njit(indices)(slice(1), -1)
    with pytest.raises(ValueError, match="slice step cannot be zero"):
        njit(indices)(slice(None, None, 0), 1)


def test_making_them():
    a = np.arange(10)
    check(constant, a)
    for start, stop, step in itertools.product((-3, 0, 4), (0, 5, 20), (1, -1, 3)):
        check(made, a, start, stop, step)


def test_results_and_comparisons():
    compiled = njit(given_back)
    for part in SLICES[::7]:
        assert compiled(part) == (part, (part, ...))
    for one, other in itertools.product(SLICES[::11], SLICES[::13]):
        check(compared, one, other)


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_indexing(index):
    check(select, A, index)
    check(select, np.arange(48).reshape(2, 3, 8)[::-1, :, ::2], index)
    check(assign, A.copy(), index, 7)


def test_steps_of_zero():
    for index in (slice(None, None, 0), (0, slice(1, 2, 0))):
        check(select, A, index)
        check(assign, A.copy(), index, 1)


def test_refused():
    with pytest.raises(TypeError, match="its parts are ints and None"):
        njit(select)(A, slice(1.5))
