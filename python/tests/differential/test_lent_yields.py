"""Views that generators yield, during and after the generator's life; generators that helpers prepare."""

import numpy as np
import pytest
from memory import live

from pyopt import njit


@njit
def rows(a):
    for i in range(a.shape[0]):
        yield a[i]


@njit
def doubled_rows(a):
    return rows(a * 2.0)


@njit
def chained(a):
    return doubled_rows(a + 1.0)


def summed(a):
    total = 0.0
    for row in doubled_rows(a):
        for other in chained(a):
            total += (row * other).sum()
    return total


def last(a):
    found = a[0]
    for row in doubled_rows(a):
        found = row
    return found


def last_two(a):
    one = a[0]
    other = a[0]
    for row in rows(a):
        one, other = row, one
    return one, other


def kept(a):
    found = []
    for row in chained(a):
        found.append(row)
    return found


def first(a):
    return next(doubled_rows(a))


def of_two_generators(a):
    generator = doubled_rows(a)
    one = next(generator)
    two = next(generator)
    generator = chained(a)
    return one, two, next(generator)


def parts(a):
    return [row for row in (row[1:] for row in doubled_rows(a))]  # noqa: C416


def chosen(a):
    found = a[0]
    for row in chained(a):
        if row[0] > 4:
            found = row
            break
    return found


@pytest.mark.parametrize("function", [summed, last, last_two, kept, first, of_two_generators, parts, chosen])
def test_items_outlive_what_they_need_not(function):
    a = np.arange(12.0).reshape(4, 3)
    compiled = njit(function)
    compiled(a)
    before = live()
    for _ in range(3):
        found = compiled(a)
        others = [np.full(3, 7.0) for _ in range(50)]
        np.testing.assert_array_equal(found, function(a))
        del found, others
    assert live() == before


def test_items_are_there_when_something_raises():
    @njit
    def f(a, n):
        count = 0
        for row in doubled_rows(a):
            count += 1
            if count == n:
                raise ValueError(row[1])
        return count

    a = np.arange(12.0).reshape(4, 3)
    assert f(a, 9) == 4
    before = live()
    for n in range(1, 5):
        with pytest.raises(ValueError, match=str(a[n - 1, 1] * 2)):
            f(a, n)
    assert live() == before


@pytest.mark.parametrize(
    "shape", [(), (5,), (0, 3), (4, 3), (2, 0, 3), (2, 3, 4), (2, 3, 2, 2), (1, 2, 1, 3, 2)]
)
@pytest.mark.parametrize("order", ["C", "F", "backward"])
def test_iterators_over_positions(shape, order):
    def one(a):
        return [x.item() for x in np.nditer(a)]

    def two(a, b):
        return [(x.item(), y.item()) for x, y in np.nditer((a, b))]

    def changed(a):
        for x in np.nditer(a):
            x[()] = x.item() + 1

    a = np.arange(float(np.prod(shape, dtype=int))).reshape(shape)
    if order == "F":
        a = np.asfortranarray(a)
    elif order == "backward" and shape:
        a = a[::-1]
    expected = [x.item() for x in np.nditer(a, flags=["zerosize_ok"])]
    assert njit(one)(a) == expected
    b = a.T.copy().T
    both = np.nditer([a, b], flags=["zerosize_ok"])
    assert njit(two)(a, b) == [(x.item(), y.item()) for x, y in both]
    if a.ndim:
        more = a + 1
        njit(changed)(a)
        np.testing.assert_array_equal(a, more)
