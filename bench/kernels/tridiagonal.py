"""Many tridiagonal systems, each by Thomas's algorithm in place."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def tridiagonal(lower, diagonal, upper, right):
    n = diagonal.shape[1]
    for system in range(diagonal.shape[0]):
        for i in range(1, n):
            factor = lower[system, i] / diagonal[system, i - 1]
            diagonal[system, i] -= factor * upper[system, i - 1]
            right[system, i] -= factor * right[system, i - 1]
        right[system, n - 1] /= diagonal[system, n - 1]
        for i in range(n - 2, -1, -1):
            right[system, i] -= upper[system, i] * right[system, i + 1]
            right[system, i] /= diagonal[system, i]


def make_args(size):
    """Systems of 64 unknowns whose diagonal dominates."""
    random = np.random.default_rng(111)
    lower, diagonal, upper, right = random.random((4, size, 64))
    return lower, diagonal + 3.0, upper, right


KERNEL = Kernel(function=tridiagonal, make_args=make_args, small=3, large=4000, in_place=True)
