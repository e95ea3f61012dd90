"""Bits that differ between neighbours, counted by Kernighan's loop, and a Gray code."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def bit_tricks(words):
    total = 0
    for i in range(1, words.size):
        word = words[i] ^ words[i - 1]
        while word:
            word &= word - 1
            total += 1
        total ^= words[i] ^ (words[i] >> 1)
    return total


KERNEL = Kernel(
    function=bit_tricks,
    make_args=lambda size: (np.random.default_rng(106).integers(0, 1 << 40, size),),
    small=20,
    large=200_000,
)
