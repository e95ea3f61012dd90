"""Means of four neighbours by slices of a matrix, some times over."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit(parallel=True)
def relaxation(a, b, times):
    for _time in range(times):
        b[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
        a[1:-1, 1:-1] = 0.25 * (b[:-2, 1:-1] + b[2:, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:])


def make_args(size):
    """Two matrices."""
    a, b = np.random.default_rng(64).random((2, size, size))
    return a, b, 5


KERNEL = Kernel(
    function=relaxation,
    make_args=make_args,
    small=5,
    large=1000,
    tolerance=1e-12,
    in_place=True,
)
