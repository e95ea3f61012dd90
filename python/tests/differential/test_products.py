"""Products of matrices and vectors: the runtime's kernels against NumPy."""

import numpy as np
import pytest
from memory import growth

from pyopt import njit

DTYPES = ["f4", "f8", "c8", "c16", "i4", "i8", "u2"]


@njit
def at(a, b):
    return a @ b


@njit
def dot(a, b):
    return np.dot(a, b)


@njit
def matmul(a, b):
    return np.matmul(a, b)


@njit(parallel=True)
def on_threads(a, b):
    return a @ b


def numbers(rng, shape, dtype):
    """Small numbers, so that sums of integers fit and sums of floats are nearly exact."""
    values = rng.integers(0, 9, shape) if np.dtype(dtype).kind in "iu" else rng.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.normal(size=shape)
    return values.astype(dtype)


def layouts(a):
    """An array in several layouts."""
    yield a
    yield np.asfortranarray(a)
    wide = np.zeros((*a.shape[:-1], 2 * a.shape[-1]), a.dtype)
    wide[..., ::2] = a
    yield wide[..., ::2]
    yield a[::-1].copy()[::-1]
    packed = np.zeros(a.shape, [("tag", "u1"), ("value", a.dtype)])
    packed["value"] = a
    yield packed["value"]


def check(a, b, functions=(at, dot, matmul, on_threads)):
    """Compare with NumPy."""
    expected = a @ b
    tolerance = 1e-4 if expected.dtype in (np.float32, np.complex64) else 1e-11
    for function in functions:
        result = function(a, b)
        assert result.dtype == expected.dtype
        assert result.shape == expected.shape
        np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shapes", [((3, 4), (4, 5)), ((3, 4), (4,)), ((4,), (4, 5))])
def test_layouts(shapes, dtype):
    rng = np.random.default_rng(3)
    a, b = (numbers(rng, shape, dtype) for shape in shapes)
    for left in layouts(a):
        for right in layouts(b):
            check(left, right, (at,))
    check(a, b)


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_sizes(dtype):
    rng = np.random.default_rng(4)
    for rows, terms, columns in [(0, 3, 2), (2, 3, 0), (2, 0, 3), (0, 0, 0), (1, 1, 1), (70, 33, 129)]:
        a, b = numbers(rng, (rows, terms), dtype), numbers(rng, (terms, columns), dtype)
        check(a, b)
        if columns:
            check(a, b[:, 0])
        if rows:
            check(a[0], b)
        check(b.T, a.T)


@pytest.mark.parametrize("left", ["f4", "f8", "c8", "i4", "u1"])
@pytest.mark.parametrize("right", ["f4", "f8", "c16", "i8"])
def test_mixed_dtypes(left, right):
    rng = np.random.default_rng(5)
    a, b = numbers(rng, (4, 6), left), numbers(rng, (6, 3), right)
    # As for other operators, an int32 with a float32 is a float64 in NumPy, and in compiled code.
    check(a, b, (at,))
    check(a, b[:, 1], (at,))
    check(a[1], b, (at,))


def test_special_values():
    a = np.array([[np.nan, 0.0], [np.inf, 1.0], [-0.0, -0.0]])
    b = np.array([[1.0, 0.0], [0.0, -1.0]])
    with np.errstate(invalid="ignore"):
        first, second = a @ b, b @ a.T
    for function in (at, on_threads):
        np.testing.assert_array_equal(function(a, b), first)
        np.testing.assert_array_equal(function(b, a.T), second)


def test_operands_may_be_one_array():
    a = np.random.default_rng(6).random((30, 30))
    check(a, a)
    check(a.T, a)
    check(a[::2, ::2], a[15:, :7])


def test_the_memory_of_the_product_may_have_been_used():
    @njit
    def products(a, b):
        out = np.zeros((a.shape[0], b.shape[1]))
        for k in range(20):
            poison = np.full((a.shape[0], b.shape[1]), np.nan)
            out += (a * k) @ b
            poison[0, 0] = k
        return out

    a, b = np.random.default_rng(7).random((2, 9, 9))
    np.testing.assert_allclose(products(a, b), products.py_func(a, b))


def test_sizes_that_do_not_fit():
    a = np.ones((3, 4))
    for left, right in [(a, a), (a, a[0][:3]), (a[0][:2], a)]:
        for function in (at, dot, on_threads):
            with pytest.raises(ValueError, match="not aligned"):
                function(left, right)


def test_nothing_leaks():
    a = np.random.default_rng(8).random((6, 6))

    def run():
        at(at(a, a.astype(np.float32)), a[0])
        with pytest.raises(ValueError, match="not aligned"):
            at(a[:, :3].astype("f4"), a)

    assert growth(run) == 0
