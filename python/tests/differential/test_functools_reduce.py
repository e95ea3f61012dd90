"""``functools.reduce`` in compiled code, serial and on threads."""

import functools
from functools import reduce

import numpy as np
import pytest

from pyopt import njit

MODES = [{}, {"parallel": True}, {"parallel": {"reduction": False}}]


@njit
def larger(a, b):
    return a if a > b else b


def by_lambda(a):
    return reduce(lambda x, y: min(x, y), a, 10)


def by_function(a):
    return reduce(larger, a, a[0])


def sums(a):
    return functools.reduce(lambda x, y: x + y, a, 0)


def in_order(a):
    # No reduction: the order of the items matters.
    return reduce(lambda x, y: 2 * x - y, a, 1)


def products_of_ints(a):
    return reduce(lambda x, y: x * y, a, 1)


def without_initial(a):
    return reduce(lambda x, y: x + 3 * y, a)


def of_list(n):
    return reduce(lambda x, y: x * 3 + y, [n, n + 1, 2]), reduce(lambda x, y: x + y, [n, n], n)


def of_range(n):
    return reduce(lambda x, y: x * 2 - y, range(n), 5)


def of_tuple(n):
    return reduce(lambda x, y: x - y, (n, 1, 2))


def of_generator(n):
    return reduce(lambda x, y: x + y, (i * i for i in range(n)), 0)


def of_rows(a):
    return reduce(lambda x, y: x + y, a, np.zeros(a.shape[1]))


def best_pair(a):
    return reduce(lambda x, y: (max(x[0], y), x[1] + 1), a, (a[0], 0))


def vectors():
    numbers = (np.arange(1003) * 37 % 101).astype("f8")
    return [
        numbers,
        numbers[::-3],
        numbers[:1],
        numbers.astype("f4")[5:],
        numbers.astype("i4") % 3 - 1,
        numbers.astype("i8")[:17],
        numbers.astype("u1"),
    ]


@pytest.mark.parametrize("options", MODES, ids=str)
@pytest.mark.parametrize(
    "function", [by_lambda, by_function, sums, products_of_ints, without_initial, best_pair]
)
def test_vectors(function, options):
    compiled = njit(**options)(function)
    for a in vectors():
        # Ints have 64 bits.
        with np.errstate(all="ignore"):
            expected = function(a.astype("i8") if a.dtype.kind in "iu" else a.astype("f8"))
        tolerance = 1e-5 if a.dtype == "f4" else 1e-12
        np.testing.assert_allclose(compiled(a), expected, rtol=tolerance)


@pytest.mark.parametrize("options", MODES, ids=str)
def test_order_is_kept(options):
    compiled = njit(**options)(in_order)
    for a in (np.arange(50.0), np.arange(20) % 7, np.arange(0.0)):
        assert compiled(a) == in_order(a)


@pytest.mark.parametrize("options", MODES, ids=str)
@pytest.mark.parametrize("function", [of_list, of_range, of_tuple, of_generator])
def test_other_iterables(function, options):
    compiled = njit(**options)(function)
    for n in (0, 1, 5):
        assert compiled(n) == function(n)


@pytest.mark.parametrize("options", MODES, ids=str)
def test_rows(options):
    for a in (np.arange(12.0).reshape(3, 4), np.zeros((0, 2)), np.arange(12.0).reshape(4, 3).T):
        np.testing.assert_array_equal(njit(**options)(of_rows)(a), of_rows(a))


@pytest.mark.parametrize("options", MODES, ids=str)
def test_empty(options):
    assert njit(**options)(sums)(np.zeros(0)) == 0
    for function in (without_initial, lambda a: reduce(lambda x, y: x + y, a)):
        with pytest.raises(TypeError, match=r"reduce\(\) of empty iterable with no initial value"):
            njit(**options)(function)(np.zeros(0))
