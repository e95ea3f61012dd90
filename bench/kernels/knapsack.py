"""The best value of things up to a weight, by dynamic programming over one row."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def knapsack(weights, values, capacity):
    best = np.zeros(capacity + 1, np.int64)
    for item in range(weights.size):
        weight = weights[item]
        value = values[item]
        for room in range(capacity, weight - 1, -1):
            taken = best[room - weight] + value
            if taken > best[room]:
                best[room] = taken
    return best[capacity]


def make_args(size):
    """A hundred things."""
    random = np.random.default_rng(120)
    return random.integers(1, 50, 100), random.integers(1, 100, 100), size


KERNEL = Kernel(function=knapsack, make_args=make_args, small=60, large=20_000)
