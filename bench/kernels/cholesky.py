"""Cholesky's decomposition in place (Polybench's cholesky)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def cholesky(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
        for k in range(i):
            a[i, i] -= a[i, k] * a[i, k]
        a[i, i] = np.sqrt(a[i, i])


def make_args(size):
    """A positive definite matrix."""
    a = np.random.default_rng(29).random((size, size))
    return (a @ a.T + size * np.eye(size),)


def reference(a):
    """LAPACK's, the upper triangle left alone."""
    lower = np.tril_indices(len(a))
    a[lower] = np.linalg.cholesky(a)[lower]


KERNEL = Kernel(
    function=cholesky,
    make_args=make_args,
    small=4,
    large=230,
    reference=reference,
    tolerance=1e-9,
    in_place=True,
)
