"""Sums under keys that are ints, with lookups and removals."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def int_dict(keys, values):
    sums = {}
    for at in range(len(keys)):
        key = keys[at]
        if key in sums:
            sums[key] += values[at]
        else:
            sums[key] = values[at]
    for key in keys[::3]:
        if key in sums:
            del sums[key]
    total = 0
    for key, value in sums.items():
        total += key ^ value
    return total


def make_args(size):
    """Keys of which every fourth is new."""
    random = np.random.default_rng(2)
    return random.integers(0, 1 << 40, size // 4 + 1)[
        random.integers(0, size // 4 + 1, size)
    ], random.integers(0, 100, size)


KERNEL = Kernel(function=int_dict, make_args=make_args, small=20, large=400_000)
