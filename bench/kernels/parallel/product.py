"""A product of matrices, row by row."""

import numpy as np

from bench.api import njit, prange
from bench.kernel import Kernel


@njit(parallel=True)
def product(a, b):
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in prange(a.shape[0]):
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                out[i, j] += a[i, k] * b[k, j]
    return out


def make_args(size):
    """Two square matrices."""
    return tuple(np.random.default_rng(66).random((2, size, size)))


def reference(a, b):
    """The same by NumPy."""
    return a @ b


KERNEL = Kernel(
    function=product,
    make_args=make_args,
    small=5,
    large=400,
    reference=reference,
    tolerance=1e-10,
)
