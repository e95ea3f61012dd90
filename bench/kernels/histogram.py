"""A histogram of numbers, by a cast to an index."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def histogram(values, low, high, bins):
    counts = np.zeros(bins, np.int64)
    scale = bins / (high - low)
    for value in values:
        if low <= value < high:
            counts[int((value - low) * scale)] += 1
    return counts


KERNEL = Kernel(
    function=histogram,
    make_args=lambda size: (np.random.default_rng(105).normal(size=size), -2.0, 2.0, 100),
    small=20,
    large=2_000_000,
)
