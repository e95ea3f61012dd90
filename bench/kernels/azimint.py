"""Averages over rings of a detector: a histogram with weights (NPBench's azimint)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def azimint(data, radius, bins):
    largest = radius.max()
    sums = np.zeros(bins)
    counts = np.zeros(bins, np.int64)
    for i in range(len(data)):
        ring = min(int(radius[i] / largest * bins), bins - 1)
        sums[ring] += data[i]
        counts[ring] += 1
    return sums / counts


def make_args(size):
    """Data, radii and a number of bins."""
    random = np.random.default_rng(45)
    return random.random(size), random.random(size), max(size // 1000, 2)


KERNEL = Kernel(
    function=azimint,
    make_args=make_args,
    small=100,
    large=1_000_000,
    tolerance=1e-12,
)
