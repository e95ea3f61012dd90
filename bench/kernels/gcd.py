"""Coprime pairs by Euclid's algorithm: a compiled function that calls another one."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


@njit
def coprime_pairs(n):
    count = 0
    for a in range(1, n):
        for b in range(1, n):
            if gcd(a, b) == 1:
                count += 1
    return count


def reference(n):
    """Count with NumPy's `gcd`."""
    numbers = np.arange(1, n)
    return np.count_nonzero(np.gcd.outer(numbers, numbers) == 1)


KERNEL = Kernel(
    function=coprime_pairs,
    make_args=lambda size: (size,),
    small=4,
    large=1500,
    reference=reference,
)
