"""alpha A x + beta B x by loops (Polybench's gesummv)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def gesummv(alpha, beta, a, b, x):
    n = len(x)
    y = np.empty(n)
    for i in range(n):
        first = 0.0
        second = 0.0
        for j in range(n):
            first += a[i, j] * x[j]
            second += b[i, j] * x[j]
        y[i] = alpha * first + beta * second
    return y


def make_args(size):
    """Two matrices and a vector of positive numbers."""
    random = np.random.default_rng(25)
    return 1.5, 1.2, random.random((size, size)), random.random((size, size)), random.random(size)


KERNEL = Kernel(
    function=gesummv,
    make_args=make_args,
    small=4,
    large=1000,
    reference=lambda alpha, beta, a, b, x: alpha * (a @ x) + beta * (b @ x),
    tolerance=1e-12,
)
