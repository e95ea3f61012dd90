"""Complex numbers in NumPy's order (by real, then by imaginary parts), their variance and whole powers."""

import numpy as np
import pytest
from compare import Ulps, check

NAN = float("nan")


def ordered(a):
    return np.sort(a), np.argsort(a), np.unique(a)


def extremes(a):
    return np.min(a), a.max(), np.argmin(a), a.argmax()


def along(a):
    return np.min(a, axis=0), np.max(a, axis=1, keepdims=True), np.argmax(a, axis=0)


def compared(a):
    b = a[::-1]
    return a < b, a <= b, a > b, a >= b, np.maximum(a, b), np.minimum(a, b), np.fmax(a, b), np.fmin(a, b)


def spread(a):
    return np.var(a), a.std(), np.var(a, ddof=1)


def powers(a, n):
    return a**2, a**-1, a**n, a**0, a ** (n + 0.5)


NUMBERS = [
    [1 + 2j, 1 + 1j, 1 - 1j, 3j],
    [0, -0.0, -1j, 2 - 1j, 2 + 1j, 2],
    [5],
    [complex(1, NAN), complex(NAN, 1), 2, complex(NAN, NAN), 1 + 1j],
]


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("numbers", NUMBERS)
def test_order(dtype, numbers):
    a = np.array(numbers, dtype)
    check(extremes, a)
    check(compared, a)
    check(along, np.stack([a, a[::-1]]))
    if not np.isnan(a).any():
        check(ordered, a)


@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_sorting_with_nan(dtype):
    a = np.array([complex(1, NAN), complex(NAN, 1), 2, complex(NAN, NAN), 1 + 1j, complex(0, NAN)], dtype)
    check(lambda a: np.sort(a), a)


@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_variance(dtype):
    check(spread, np.array([1 + 2j, 3 - 1j, -2, 0.5j], dtype), tolerance=Ulps(8), numpy=True)


@pytest.mark.parametrize("n", [-7, -1, 0, 1, 2, 3, 5, 16])
def test_whole_powers_are_products(n):
    """They are exact where NumPy's are."""
    check(powers, np.array([7j, 3 + 4j, -1 - 1j, 2, 0.5 - 1j]), n, tolerance=Ulps(4))
