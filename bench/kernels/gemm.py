"""alpha A B + beta C with the loop over the columns innermost (Polybench's gemm)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def gemm(alpha, beta, c, a, b):
    rows, columns = c.shape
    inner = a.shape[1]
    for i in range(rows):
        for j in range(columns):
            c[i, j] *= beta
        for k in range(inner):
            for j in range(columns):
                c[i, j] += alpha * a[i, k] * b[k, j]


def make_args(size):
    """Three matrices of positive numbers."""
    random = np.random.default_rng(20)
    return 1.5, 1.2, *(random.random((size, size)) for _matrix in range(3))


def reference(alpha, beta, c, a, b):
    """BLAS's."""
    c[:] = alpha * (a @ b) + beta * c


KERNEL = Kernel(
    function=gemm,
    make_args=make_args,
    small=4,
    large=130,
    reference=reference,
    tolerance=1e-12,
    in_place=True,
)
