"""Eratosthenes' sieve: how many primes there are below a number."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def sieve(limit):
    composite = np.zeros(limit, np.bool_)
    count = 0
    for i in range(2, limit):
        if not composite[i]:
            count += 1
            for multiple in range(i * i, limit, i):
                composite[multiple] = True
    return count


KERNEL = Kernel(function=sieve, make_args=lambda size: (size,), small=30, large=2_000_000)
