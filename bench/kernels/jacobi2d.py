"""Averages of five neighbours by loops, there and back (Polybench's jacobi-2d)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def jacobi2d(steps, a, b):
    n = a.shape[0]
    for _step in range(steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                b[i, j] = 0.2 * (a[i, j] + a[i, j - 1] + a[i, j + 1] + a[i + 1, j] + a[i - 1, j])
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] = 0.2 * (b[i, j] + b[i, j - 1] + b[i, j + 1] + b[i + 1, j] + b[i - 1, j])


def make_args(size):
    """Steps and two matrices."""
    random = np.random.default_rng(34)
    return 5, random.random((size, size)), random.random((size, size))


def average(a):
    """The interior from shifted views."""
    return 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])


def reference(steps, a, b):
    """Sums of shifted views."""
    for _step in range(steps):
        b[1:-1, 1:-1] = average(a)
        a[1:-1, 1:-1] = average(b)


KERNEL = Kernel(
    function=jacobi2d,
    make_args=make_args,
    small=8,
    large=450,
    reference=reference,
    in_place=True,
)
