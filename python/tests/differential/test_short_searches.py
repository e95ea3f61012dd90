"""The positions of extremes of short arrays, which are searched one element after the other."""

import numpy as np
import pytest

from pyopt import njit


@njit
def positions(a):
    return np.argmax(a), np.argmin(a)


def expected(a):
    return np.argmax(a), np.argmin(a)


SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 5e-324]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 31, 32, 33, 40])
def test_floats_with_special_values(dtype, size):
    random = np.random.default_rng(size)
    for share in (0.05, 0.5, 1.0):
        for _try in range(60):
            a = random.normal(size=size).round(1)
            special = random.random(size) < share
            a[special] = random.choice(SPECIAL, special.sum())
            a = a.astype(dtype)
            assert positions(a) == expected(a), a


@pytest.mark.parametrize("size", [1, 4, 9, 32, 33])
def test_nan_at_every_place(size):
    for place in range(size):
        for other in range(place, size):
            a = np.arange(float(size))
            a[[place, other]] = np.nan
            assert positions(a) == (place, place)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64, np.bool_, np.complex128])
def test_other_numbers(dtype):
    random = np.random.default_rng(5)
    for size in (1, 2, 7, 32):
        for _try in range(30):
            a = random.integers(0, 4, size).astype(dtype)
            assert positions(a) == expected(a), a


def test_views_in_other_orders():
    a = np.random.default_rng(6).random((6, 7))
    a[2, 3] = np.nan
    for view in (a[2], a[:, 3], a[2, ::-1], a[::-2, 1], a.T[3]):
        assert positions(view) == expected(view)
