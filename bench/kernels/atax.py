"""A^T (A x) by loops (Polybench's atax)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def atax(a, x):
    rows, columns = a.shape
    y = np.zeros(columns)
    for i in range(rows):
        total = 0.0
        for j in range(columns):
            total += a[i, j] * x[j]
        for j in range(columns):
            y[j] += a[i, j] * total
    return y


def make_args(size):
    """A matrix and a vector of positive numbers."""
    random = np.random.default_rng(22)
    return random.random((size, size + size // 4)), random.random(size + size // 4)


KERNEL = Kernel(
    function=atax,
    make_args=make_args,
    small=4,
    large=1100,
    reference=lambda a, x: (a @ x) @ a,
    tolerance=1e-12,
)
