"""Unpacking arrays, ranges, lists and texts to names."""

import numpy as np
import pytest
from differential.compare import in_known_words

from pyopt import errors, njit, stencil


def three(items):
    a, b, c = items
    return a, b, c


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "u8", "f4", "f8", "c8", "c16", "M8[D]"])
def test_elements(dtype):
    array = np.arange(6).astype("i8").astype(dtype)[::2]
    given, expected = njit(three)(array), three(array)
    assert [str(one) for one in given] == [str(one) for one in expected]


@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_are_views(order):
    def swap(rows):
        first, second = rows
        first[0] = 7
        return first.sum(), second * 2

    array = np.asarray(np.arange(6.0).reshape(2, 3), order=order)
    given = njit(swap)(array)
    assert given[0] == 10.0 and given[1].tolist() == [6.0, 8.0, 10.0]
    assert array[0, 0] == 7


def test_nested_and_in_loops():
    def function(points):
        (a, b), (c, d) = points[:2]
        total = a * d - b * c
        for x, y in points:
            total += x * y
        return total

    points = np.arange(10.0).reshape(5, 2)
    assert njit(function)(points) == function(points)


def wrong(unpack, *args):
    with pytest.raises(ValueError) as expected:
        unpack(*args)
    with pytest.raises(ValueError) as given:
        njit(unpack)(*args)
    return str(given.value), in_known_words(expected.value)


@pytest.mark.parametrize("length", [0, 1, 2, 4, 9])
@pytest.mark.parametrize("make", [np.zeros, lambda n: np.zeros((n, 2)), lambda n: [1] * n])
def test_wrong_lengths(length, make):
    if length == 0 and isinstance(make(0), list):
        pytest.skip("an empty list can't be passed")
    given, expected = wrong(three, make(length))
    assert given == expected


@pytest.mark.parametrize("bounds", [(0, 3, 1), (5, -1, -2), (0, 0, 1), (3, 0, 1), (0, 9, 2), (0, 10, 3)])
def test_ranges(bounds):
    def unpack(start, stop, step):
        a, b, c = range(start, stop, step)
        return a, b, c

    if len(range(*bounds)) == 3:
        assert njit(unpack)(*bounds) == unpack(*bounds)
    else:
        given, expected = wrong(unpack, *bounds)
        assert given == expected


def test_texts():
    def unpack(text):
        a, b, c = text
        return a + c == "xz", b

    def length(text):
        a, b = text
        return 1

    assert njit(lambda text: three(text)[1] == "y")("xyz")
    given, expected = wrong(length, "xyz")
    assert given == expected


def test_what_has_no_items():
    with pytest.raises(errors.TypingError, match="float64 can't be unpacked"):
        njit(three)(1.0)
    with pytest.raises(TypeError, match="0-d array"):
        njit(three)(np.array(1.0))

    @stencil
    def kernel(a):
        x, y = a
        return x + y

    with pytest.raises(ValueError, match="can't unpack its arrays"):
        kernel(np.zeros(2))


def of_iterables(n):
    a, b, c = map(int, "3 4 5".split())
    (d, e), (f, g) = {1: 2, n: 4}.items()
    h, i = (k * k for k in range(n, n + 2))
    j, *k, u = reversed([1, 2, 3, n])
    m, o = {n: 1, 0: 2}
    (p,) = {n}
    (q, r), (s, t) = zip([1, n], "xy"), enumerate("ab")
    return a, b, c, d, e, f, g, h, i, j, k, u, m, o, p, q, r, s, t


def test_iterables():
    """What is iterated is unpacked in its order; one item more is taken, to see that there is one."""
    assert njit(of_iterables)(7) == of_iterables(7)

    @njit
    def endless():
        def count():
            i = 0
            while True:
                yield i
                i += 1

        a, b = count()
        return a + b

    def pair(n):
        a, b = (i for i in range(n))
        return a, b

    with pytest.raises(ValueError, match="too many values"):
        endless()
    assert njit(pair)(2) == pair(2)
    for n in (0, 1, 3):
        given, expected = wrong(pair, n)
        assert given == expected
