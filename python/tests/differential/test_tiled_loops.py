"""Loops over rows and columns that no order suits, at sizes where they go tile by tile, and at others."""

import numpy as np
import pytest

from pyopt import njit


def transposed(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[j, i] = a[i, j]


def transposed_by_columns(a, b):
    for j in range(a.shape[1]):
        for i in range(a.shape[0]):
            b[j, i] = a[i, j] * 2 + j


def neighbours(a, b):
    for i in range(1, b.shape[0] - 1):
        for j in range(b.shape[1]):
            b[i, j] = a[j, i] + a[j, i - 1]


def steps(a, b):
    for i in range(0, a.shape[0], 3):
        for j in range(1, a.shape[1], 2):
            if a[i, j] > 1:
                b[j, i] = a[i, j]


def backwards(a, b):
    for i in range(a.shape[0] - 1, -1, -1):
        for j in range(a.shape[1]):
            b[j, i] += a[i, j]


def in_place(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[j, i] = a[i, j] + 1


def sums(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, 0] += a[i, j] * a[j, i]


FUNCTIONS = [transposed, transposed_by_columns, neighbours, steps, backwards, in_place, sums]
COMPILED = {function: njit(function) for function in FUNCTIONS}


def same(function, a, b):
    """Compare with the interpreter; an array given twice is one array."""
    results = []
    for one in (function, COMPILED[function]):
        first = a.copy()
        second = first if b is a else b.copy()
        one(first, second)
        results.append((first, second))
    for plain, compiled in zip(*results, strict=True):
        np.testing.assert_array_equal(plain, compiled)


@pytest.mark.parametrize("function", FUNCTIONS)
# Rows of 1024 and 2048 bytes are those that are tiled, from 101 iterations on.
@pytest.mark.parametrize(
    ("dtype", "size"), [("f8", 128), ("f8", 256), ("f4", 256), ("i2", 512), ("c16", 128)]
)
def test_crowded_rows(function, dtype, size):
    if dtype == "c16" and function is steps:
        dtype = "u8"  # complex numbers have no order
    a = np.random.default_rng(3).integers(0, 5, (size, size)).astype(dtype)
    same(function, a, np.zeros_like(a))


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("size", [0, 1, 5, 100, 101, 127, 129])
def test_other_sizes(function, size):
    a = np.random.default_rng(size).random((size, size))
    same(function, a, np.zeros_like(a))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_arrays_that_overlap(function):
    a = np.random.default_rng(5).integers(0, 5, (128, 128)).astype(float)
    same(function, a, a)
    for plain, view in [(slice(0, 128), slice(1, 129)), (slice(0, 128), slice(3, 131))]:
        results = []
        for one in (function, COMPILED[function]):
            memory = np.arange(132 * 128.0).reshape(132, 128) % 7
            one(memory[plain], memory[view])
            results.append(memory)
        np.testing.assert_array_equal(*results)


@pytest.mark.parametrize("function", [transposed, transposed_by_columns, steps, backwards])
@pytest.mark.parametrize("shape", [(128, 300), (300, 128), (130, 256), (101, 128), (256, 99)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_rectangles(function, shape, order):
    a = np.asarray(np.random.default_rng(7).random(shape), order=order)
    same(function, a, np.zeros(shape[::-1], order=order))
