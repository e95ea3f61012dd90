"""Unions, intersections and differences of sets of ints."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def set_algebra(a, b, c):
    first = set(a)
    second = set(b)
    third = set(c)
    found = len(first | second) + 3 * len(first & third) + 5 * len((second - first) ^ third)
    first.update(third)
    first.difference_update(second)
    if first.issubset(third):
        found += 1
    for one in first:
        found += one & 1
    return found


def make_args(size):
    """Three arrays that have about half of their numbers in common."""
    random = np.random.default_rng(4)
    return tuple(random.integers(0, size, size) for _set in range(3))


KERNEL = Kernel(function=set_algebra, make_args=make_args, small=20, large=100_000)
