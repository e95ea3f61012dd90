"""alpha A B C + beta D, each product by three loops (Polybench's 2mm)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def two_mm(alpha, beta, a, b, c, d):
    ni, nk = a.shape
    nj = b.shape[1]
    nl = c.shape[1]
    product = np.empty((ni, nj))
    for i in range(ni):
        for j in range(nj):
            product[i, j] = 0.0
            for k in range(nk):
                product[i, j] += alpha * a[i, k] * b[k, j]
    for i in range(ni):
        for j in range(nl):
            d[i, j] *= beta
            for k in range(nj):
                d[i, j] += product[i, k] * c[k, j]


def make_args(size):
    """Four matrices of positive numbers."""
    random = np.random.default_rng(21)
    return 1.5, 1.2, *(random.random((size, size)) for _matrix in range(4))


def reference(alpha, beta, a, b, c, d):
    """BLAS's."""
    d[:] = (alpha * a @ b) @ c + beta * d


KERNEL = Kernel(
    function=two_mm,
    make_args=make_args,
    small=4,
    large=100,
    reference=reference,
    tolerance=1e-12,
    in_place=True,
)
