"""Counts of keys in a hash table with open addressing, in two arrays."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def hash_counts(keys, mask):
    table = np.full(mask + 1, -1, np.int64)
    counts = np.zeros(mask + 1, np.int64)
    for key in keys:
        slot = (key * 2654435761 >> 7) & mask
        while table[slot] != -1 and table[slot] != key:
            slot = (slot + 1) & mask
        table[slot] = key
        counts[slot] += 1
    return counts


def make_args(size):
    """Keys of which every fourth is new, and a table that is at most half full."""
    keys = np.random.default_rng(100).integers(0, size // 4, size)
    return keys, (1 << (size // 2).bit_length()) - 1


KERNEL = Kernel(function=hash_counts, make_args=make_args, small=20, large=400_000)
