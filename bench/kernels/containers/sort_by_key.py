"""Sorting pairs by a key that is computed."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def distance(pair):
    return abs(pair[0] - pair[1])


@njit
def sort_by_key(x, y):
    pairs = [(x[at], y[at]) for at in range(len(x))]
    found = 0
    for at, (a, b) in enumerate(sorted(pairs, key=distance)):
        found = (found * 31 + at * a + b) & 0xFFFFFFFF
    return found


def make_args(size):
    """Two arrays of ints without repetitions of their differences: Numba's sort isn't stable."""
    random = np.random.default_rng(5)
    return random.integers(0, 1 << 40, size), random.integers(0, 1 << 40, size)


KERNEL = Kernel(function=sort_by_key, make_args=make_args, small=20, large=100_000)
