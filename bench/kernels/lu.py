"""LU decomposition in place, without pivoting (Polybench's lu)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def lu(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[k, j]
            a[i, j] /= a[j, j]
        for j in range(i, n):
            for k in range(i):
                a[i, j] -= a[i, k] * a[k, j]


def make_args(size):
    """A matrix that is decomposed without pivots."""
    random = np.random.default_rng(28)
    return (random.random((size, size)) + size * np.eye(size),)


def reference(a):
    """A rank-one update a step."""
    for k in range(len(a)):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])


KERNEL = Kernel(
    function=lu,
    make_args=make_args,
    small=4,
    large=190,
    reference=reference,
    tolerance=1e-10,
    in_place=True,
)
