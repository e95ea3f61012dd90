"""The sum of a 2-D array by two loops."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def sum2d(a):
    rows, columns = a.shape
    total = 0.0
    for i in range(rows):
        for j in range(columns):
            total += a[i, j]
    return total


KERNEL = Kernel(
    function=sum2d,
    make_args=lambda size: (np.random.default_rng(1).random((size, size)),),
    small=4,
    large=2000,
    reference=lambda a: a.sum(),
    tolerance=1e-12,
)
