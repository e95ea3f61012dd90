"""A radix sort of uint32 by bytes."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def radix_sort(values):
    source = values.copy()
    target = np.empty_like(source)
    for shift in range(0, 32, 8):
        counts = np.zeros(256, np.int64)
        for i in range(source.size):
            counts[(source[i] >> np.uint32(shift)) & np.uint32(255)] += 1
        total = 0
        for i in range(256):
            counts[i], total = total, total + counts[i]
        for i in range(source.size):
            digit = (source[i] >> np.uint32(shift)) & np.uint32(255)
            target[counts[digit]] = source[i]
            counts[digit] += 1
        source, target = target, source
    return source


KERNEL = Kernel(
    function=radix_sort,
    make_args=lambda size: (
        np.random.default_rng(123).integers(0, 1 << 32, size).astype(np.uint32),
    ),
    small=20,
    large=200_000,
    reference=np.sort,
)
