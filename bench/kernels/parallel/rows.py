"""Norms of the rows of a matrix, a prange around a loop."""

import numpy as np

from bench.api import njit, prange
from bench.kernel import Kernel


@njit(parallel=True)
def rows(a):
    out = np.empty(a.shape[0])
    for i in prange(a.shape[0]):
        total = 0.0
        for j in range(a.shape[1]):
            total += a[i, j] * a[i, j]
        out[i] = np.sqrt(total)
    return out


def make_args(size):
    """A square matrix."""
    return (np.random.default_rng(63).random((size, size)),)


def reference(a):
    """The same by NumPy."""
    return np.sqrt((a * a).sum(axis=1))


KERNEL = Kernel(
    function=rows,
    make_args=make_args,
    small=5,
    large=1500,
    reference=reference,
    tolerance=1e-12,
)
