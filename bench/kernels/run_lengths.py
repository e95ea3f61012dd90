"""Run-length coding: pairs of a value and how often it follows itself."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def run_lengths(values, out):
    count = 0
    start = 0
    for i in range(1, values.size + 1):
        if i == values.size or values[i] != values[start]:
            out[count, 0] = values[start]
            out[count, 1] = i - start
            count += 1
            start = i
    return count


def make_args(size):
    """Bytes in runs of four on average, and room for the pairs."""
    random = np.random.default_rng(103)
    values = np.repeat(random.integers(0, 256, size), random.integers(1, 8, size))
    return values[:size].astype(np.uint8), np.zeros((size, 2), np.int64)


KERNEL = Kernel(function=run_lengths, make_args=make_args, small=20, large=2_000_000, in_place=True)
