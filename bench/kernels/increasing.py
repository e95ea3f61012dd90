"""The length of the longest increasing subsequence, by binary search in an array."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def increasing(values):
    tails = np.empty(values.size, np.int64)
    length = 0
    for value in values:
        low, high = 0, length
        while low < high:
            middle = (low + high) // 2
            if tails[middle] < value:
                low = middle + 1
            else:
                high = middle
        tails[low] = value
        if low == length:
            length += 1
    return length


KERNEL = Kernel(
    function=increasing,
    make_args=lambda size: (np.random.default_rng(121).permutation(size),),
    small=20,
    large=400_000,
)
