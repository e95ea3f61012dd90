"""Averages of nine neighbours in place (Polybench's seidel-2d)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def seidel2d(steps, a):
    n = a.shape[0]
    for _step in range(steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] = (
                    a[i - 1, j - 1]
                    + a[i - 1, j]
                    + a[i - 1, j + 1]
                    + a[i, j - 1]
                    + a[i, j]
                    + a[i, j + 1]
                    + a[i + 1, j - 1]
                    + a[i + 1, j]
                    + a[i + 1, j + 1]
                ) / 9.0


KERNEL = Kernel(
    function=seidel2d,
    make_args=lambda size: (4, np.random.default_rng(35).random((size, size))),
    small=8,
    large=450,
    in_place=True,
)
