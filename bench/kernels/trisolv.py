"""A lower triangular system, row by row (Polybench's trisolv)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def trisolv(lower, b):
    n = len(b)
    x = np.empty(n)
    for i in range(n):
        x[i] = b[i]
        for j in range(i):
            x[i] -= lower[i, j] * x[j]
        x[i] /= lower[i, i]
    return x


def make_args(size):
    """A system that is dominated by its diagonal."""
    random = np.random.default_rng(51)
    return random.random((size, size)) / size + 2.0 * np.eye(size), 1.0 + random.random(size)


KERNEL = Kernel(
    function=trisolv,
    make_args=make_args,
    small=4,
    large=1500,
    tolerance=1e-10,
)
