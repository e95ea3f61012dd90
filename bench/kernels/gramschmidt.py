"""QR decomposition by Gram and Schmidt, down the columns (Polybench's gramschmidt)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def gramschmidt(a, r, q):
    rows, columns = a.shape
    for k in range(columns):
        norm = 0.0
        for i in range(rows):
            norm += a[i, k] * a[i, k]
        r[k, k] = np.sqrt(norm)
        for i in range(rows):
            q[i, k] = a[i, k] / r[k, k]
        for j in range(k + 1, columns):
            r[k, j] = 0.0
            for i in range(rows):
                r[k, j] += q[i, k] * a[i, j]
            for i in range(rows):
                a[i, j] -= q[i, k] * r[k, j]


def make_args(size):
    """A well-conditioned matrix and two for the factors."""
    a = np.random.default_rng(30).random((size, size)) + size * np.eye(size)
    return a, np.zeros((size, size)), np.zeros((size, size))


KERNEL = Kernel(
    function=gramschmidt,
    make_args=make_args,
    small=4,
    large=120,
    tolerance=1e-6,
    in_place=True,
)
