"""Averages of three neighbours, there and back (Polybench's jacobi-1d)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def jacobi1d(steps, a, b):
    n = len(a)
    for _step in range(steps):
        for i in range(1, n - 1):
            b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1])
        for i in range(1, n - 1):
            a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1])


def make_args(size):
    """Steps and two vectors."""
    random = np.random.default_rng(33)
    return size // 20 + 1, random.random(size), random.random(size)


def reference(steps, a, b):
    """Sums of shifted views."""
    for _step in range(steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])


KERNEL = Kernel(
    function=jacobi1d,
    make_args=make_args,
    small=8,
    large=6000,
    reference=reference,
    in_place=True,
)
