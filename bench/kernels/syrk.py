"""alpha A A^T + beta C in the lower triangle (Polybench's syrk)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def syrk(alpha, beta, c, a):
    n, inner = a.shape
    for i in range(n):
        for j in range(i + 1):
            c[i, j] *= beta
        for k in range(inner):
            for j in range(i + 1):
                c[i, j] += alpha * a[i, k] * a[j, k]


def make_args(size):
    """Two matrices of positive numbers."""
    random = np.random.default_rng(26)
    return 1.5, 1.2, random.random((size, size)), random.random((size, size))


def reference(alpha, beta, c, a):
    """BLAS's, the other triangle left alone."""
    lower = np.tril_indices(len(c))
    c[lower] = (alpha * (a @ a.T) + beta * c)[lower]


KERNEL = Kernel(
    function=syrk,
    make_args=make_args,
    small=4,
    large=160,
    reference=reference,
    tolerance=1e-12,
    in_place=True,
)
