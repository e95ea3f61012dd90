"""Base pairs of an RNA sequence by dynamic programming (Polybench's nussinov)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def nussinov(sequence):
    n = len(sequence)
    table = np.zeros((n, n), np.int64)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            best = max(table[i, j - 1], table[i + 1, j])
            pairs = 1 if sequence[i] + sequence[j] == 3 and i < j - 1 else 0
            best = max(best, table[i + 1, j - 1] + pairs)
            for k in range(i + 1, j):
                best = max(best, table[i, k] + table[k + 1, j])
            table[i, j] = best
    return table


KERNEL = Kernel(
    function=nussinov,
    make_args=lambda size: (np.random.default_rng(39).integers(0, 4, size),),
    small=8,
    large=220,
)
