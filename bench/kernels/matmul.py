"""A matrix product by three loops."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def matmul(a, b):
    rows, inner = a.shape
    columns = b.shape[1]
    out = np.zeros((rows, columns))
    for i in range(rows):
        for j in range(columns):
            total = 0.0
            for k in range(inner):
                total += a[i, k] * b[k, j]
            out[i, j] = total
    return out


def make_args(size):
    """Two square matrices of positive numbers, so that relative errors are meaningful."""
    random = np.random.default_rng(3)
    return random.random((size, size)), random.random((size, size))


KERNEL = Kernel(
    function=matmul,
    make_args=make_args,
    small=4,
    large=180,
    reference=lambda a, b: a @ b,
    tolerance=1e-12,
)
