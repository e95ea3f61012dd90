"""A merge sort from below, between two arrays."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def merge_sort(values):
    n = values.size
    source = values.copy()
    target = np.empty_like(source)
    width = 1
    while width < n:
        for start in range(0, n, 2 * width):
            middle = min(start + width, n)
            end = min(start + 2 * width, n)
            left, right = start, middle
            for k in range(start, end):
                if left < middle and (right >= end or source[left] <= source[right]):
                    target[k] = source[left]
                    left += 1
                else:
                    target[k] = source[right]
                    right += 1
        source, target = target, source
        width *= 2
    return source


KERNEL = Kernel(
    function=merge_sort,
    make_args=lambda size: (np.random.default_rng(122).random(size),),
    small=20,
    large=100_000,
    reference=lambda values: np.sort(values, kind="stable"),
)
