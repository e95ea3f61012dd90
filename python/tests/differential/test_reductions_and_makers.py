"""Reductions of arrays, and functions that make arrays."""

import numpy as np
import pytest
from arrays import LAYOUTS_2D, laid_out, matrix, vector
from compare import SumOf, check

# Reductions


def chain_and_sum(a, b):
    t = a * 2.0 + b
    u = np.sqrt(t * t + 1.0)
    return (u - a).sum()


def sums(a):
    return a.sum(), np.sum(a), (a * a).sum()


def other_reductions(a):
    return a.min(), a.max(), np.min(a), np.max(a), a.size, len(a)


def means(a):
    return a.mean(), np.mean(a * 2)


def truths(a):
    return (a > 1).any(), (a > 1).all(), (a > -100).all(), (a > 100).any()


@pytest.mark.parametrize("layout", LAYOUTS_2D)
def test_reductions_of_matrices(layout):
    a, b = matrix(5, 7, "f8", layout), matrix(5, 7, "f8", layout, 2)
    check(sums, a, numpy=True, tolerance=SumOf(a * a))
    check(other_reductions, a, numpy=True)
    check(means, a, numpy=True, tolerance=SumOf(a))
    check(truths, a, numpy=True)
    check(chain_and_sum, a, b, numpy=True, tolerance=SumOf(5 * abs(a) + 5 * abs(b)))


@pytest.mark.parametrize("dtype", ["f4", "i1", "i4", "i8", "u1", "u4", "?"])
def test_reductions_of_other_types(dtype):
    for n in (1, 7, 100):
        a = vector(n, dtype)
        check(lambda a: (a.sum(), np.sum(a)), a, numpy=True, tolerance=SumOf(a) if dtype == "f4" else None)
        if dtype != "?":
            check(other_reductions, a, numpy=True)


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 127, 128, 129, 1000, 10000])
def test_sums_are_as_exact_as_numpys(n):
    a = vector(n)
    check(lambda a: a.sum(), a, numpy=True, tolerance=SumOf(a))
    a = np.full(n, 0.1)
    check(lambda a: a.sum(), a, numpy=True, tolerance=SumOf(a))


def test_reductions_of_nothing():
    check(sums, np.zeros(0), numpy=True)
    check(lambda a: a.max(), np.zeros(0), numpy=True, message=False)
    check(lambda a: (a.any(), a.all()), np.zeros(0, "?"), numpy=True)


def test_reductions_see_nan():
    a = np.array([1.0, np.nan, 3.0])
    check(lambda a: (a.sum(), a.min(), a.max()), a, numpy=True)


# Making arrays

MAKERS = {
    "zeros": lambda n: np.zeros(n),
    "zeros_2d": lambda n: np.zeros((n, 3)),
    "zeros_of_type": lambda n: np.zeros(n, np.int32),
    "zeros_keyword": lambda n: np.zeros((2, n), dtype=np.float32),
    "zeros_bool": lambda n: np.zeros(n, np.bool_),
    "zeros_like": lambda n: np.zeros_like(np.ones((n, 2))),
    "ones": lambda n: np.ones(n),
    "ones_of_type": lambda n: np.ones((n, n), np.uint8),
    "ones_times": lambda n: np.ones(n) * 3.5,
    "full": lambda n: np.full(n, 2.5),
    "full_int": lambda n: np.full((n, 2), 7),
    "full_of_type": lambda n: np.full(n, 7, np.float32),
    "arange": lambda n: np.arange(n),
    "arange_bounds": lambda n: np.arange(2, n),
    "arange_step": lambda n: np.arange(1, n, 3),
    "arange_down": lambda n: np.arange(n, -n, -2),
    "arange_float": lambda n: np.arange(0.0, n, 0.5),
    "arange_float_down": lambda n: np.arange(n * 1.0, 0.0, -0.75),
    "arange_of_type": lambda n: np.arange(n, dtype=np.int32),
    "arange_complex": lambda n: np.arange(n + 3.5j),
    "arange_complex_steps": lambda n: np.arange(-1 - 2j, n + 4j, 1 + 0.5j),
    "arange_complex_start": lambda n: np.arange(1j, n + 5j, 0.75),
    "arange_of_complex_type": lambda n: np.arange(n, dtype=np.complex64),
    "arange_no_imaginary_steps": lambda n: np.arange(n + 0j),
    "linspace_complex": lambda n: np.linspace(1 - 2j, n + 0.5j, 7),
    "linspace_complex_count": lambda n: np.linspace(n, 3j, n),
    "linspace_complex_open": lambda n: np.linspace(n, 3j, n + 1, False),
    "reshape_rest": lambda n: np.arange(6 * n + 6).reshape((3, -1)),
    "reshape_rest_of_any_negative": lambda n: np.arange(6 * n + 6).reshape(-10 - n, 2),
    "arange_expression": lambda n: np.arange(n) * 2 + 1,
    "arange_divided": lambda n: np.arange(n) / 4,
    "sqrt_arange": lambda n: np.sqrt(np.arange(n)),
    "zeros_plus": lambda n: np.zeros(n) + np.ones(n),
    "shape_of_zeros": lambda n: (np.zeros((n, 4)).shape, np.zeros((n, 4)).size, np.zeros((n, 4)).ndim),
    "sum_of_arange": lambda n: np.arange(n).sum(),
    "copied": lambda n: np.arange(n).copy(),
}


@pytest.mark.parametrize("n", [0, 1, 5, 16])
@pytest.mark.parametrize("name", MAKERS)
def test_making_arrays(name, n):
    check(MAKERS[name], n, numpy=True)


def filled(n):
    out = np.empty((n, 3), np.int16)
    for i in range(n):
        for j in range(3):
            out[i, j] = 10 * i + j
    return out


def filled_like(n):
    base = np.ones(n)
    out = np.empty_like(base)
    for i in range(n):
        out[i] = base[i] / (i + 1)
    return out


@pytest.mark.parametrize("n", [0, 1, 4])
def test_empty_arrays_are_filled(n):
    check(filled, n)
    check(filled_like, n)


def test_complex_steps_are_counted():
    for bounds in [(0, 5 + 3j, 1), (5 + 3j, 0, -1 - 1j), (0, 5, 1j), (1, 5 + 3j, 0.5)]:
        check(lambda a, b, c: np.arange(a, b, c), *bounds, numpy=True)


def test_two_negative_sizes_raise():
    check(lambda a: a.reshape(-1, -4), np.arange(4.0), numpy=True, message=False)


def test_negative_sizes_raise():
    check(lambda n: np.zeros(n), -1, message=False)


def test_fresh_arrays_are_aligned():
    for n in (1, 3, 1000):
        got = check(lambda n: np.zeros(n), n)
        assert got.ctypes.data % 64 == 0 or got.size < 64
        assert got.flags.aligned


def test_write_protection_is_kept():
    frozen = laid_out(np.arange(4.0), "readonly")
    got = check(lambda a: a[1:], frozen, numpy=True)
    assert not got.flags.writeable
