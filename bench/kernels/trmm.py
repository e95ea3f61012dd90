"""alpha A^T B with a unit lower triangular A (Polybench's trmm)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def trmm(alpha, a, b):
    rows, columns = b.shape
    for i in range(rows):
        for j in range(columns):
            for k in range(i + 1, rows):
                b[i, j] += a[k, i] * b[k, j]
            b[i, j] = alpha * b[i, j]


def make_args(size):
    """Two matrices of positive numbers."""
    random = np.random.default_rng(27)
    return 1.5, random.random((size, size)), random.random((size, size))


def reference(alpha, a, b):
    """BLAS's."""
    b[:] = alpha * ((np.tril(a, -1) + np.eye(len(a))).T @ b)


KERNEL = Kernel(
    function=trmm,
    make_args=make_args,
    small=4,
    large=160,
    reference=reference,
    tolerance=1e-12,
    in_place=True,
)
