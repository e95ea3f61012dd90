"""Indices that go down, across the ends of an array, are what they are in Python."""

import itertools

import numpy as np
import pytest

from pyopt import njit


def range_downwards(a, start, weight, stop):
    total = 0.0
    for item in range(start, stop, -1):
        total = total * 1.5 + a[item - weight]
        a[item - weight] = total % 7.0
    return total


def every_other(a, start, weight, stop):
    total = 0.0
    for item in range(start, stop, -2):
        total = total * 1.5 + a[item - weight]
        a[item - weight] = total % 7.0
    return total


def from_the_end(a, start, weight, count):
    for position in range(count):
        a[a.size - weight - position] += position + start
    return a[0]


def twice_as_fast(a, start, weight, count):
    for position in range(count):
        a[weight + start - 2 * position] = position + a[start - position]
    return a[0]


@pytest.mark.parametrize(
    "function", [range_downwards, every_other, from_the_end, twice_as_fast], ids=lambda f: f.__name__
)
def test_indices_downwards_wrap_around_as_in_python(function):
    compiled = njit(function)
    compared = 0
    for args in itertools.product(range(-4, 10), range(-5, 8), range(-5, 9)):
        expected, actual = np.arange(11.0) + 1.0, np.arange(11.0) + 1.0
        try:
            result = function(expected, *args)
        except IndexError:
            continue
        assert compiled(actual, *args) == result, args
        assert (actual == expected).all(), args
        compared += 1
    assert compared > 200


def pointers(a, left, right, steps):
    """Two places that go up, from anywhere."""
    total = 0.0
    for _ in range(steps):
        if a[left] <= a[right]:
            total = total * 1.5 + a[left]
            left += 1
        else:
            total = total * 1.5 - a[right - 1]
            right += 2
        a[left] = total % 7.0
    return total


def test_places_that_go_up_from_below_zero():
    compiled = njit(pointers)
    compared = 0
    for left, right, steps in itertools.product(range(-12, 12), range(-12, 12), range(12)):
        expected, actual = np.arange(11.0) % 4.0, np.arange(11.0) % 4.0
        try:
            result = pointers(expected, left, right, steps)
        except IndexError:
            continue
        assert compiled(actual, left, right, steps) == result, (left, right, steps)
        assert (actual == expected).all(), (left, right, steps)
        compared += 1
    assert compared > 2000
