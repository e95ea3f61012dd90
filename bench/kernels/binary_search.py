"""Where each of some numbers belongs in a sorted array, by halving."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def binary_search(sorted_values, queries):
    total = 0
    for query in queries:
        low = 0
        high = sorted_values.size
        while low < high:
            middle = (low + high) // 2
            if sorted_values[middle] < query:
                low = middle + 1
            else:
                high = middle
        total += low
    return total


def make_args(size):
    """As many queries as numbers."""
    random = np.random.default_rng(104)
    return np.sort(random.random(size)), random.random(size)


KERNEL = Kernel(
    function=binary_search,
    make_args=make_args,
    small=10,
    large=200_000,
    reference=lambda values, queries: np.searchsorted(values, queries).sum(),
)
