"""x1 += A y1 and x2 += A^T y2, the second one down the columns (Polybench's mvt)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def mvt(x1, x2, y1, y2, a):
    n = len(x1)
    for i in range(n):
        for j in range(n):
            x1[i] += a[i, j] * y1[j]
    for i in range(n):
        for j in range(n):
            x2[i] += a[j, i] * y2[j]


def make_args(size):
    """Four vectors and a matrix of positive numbers."""
    random = np.random.default_rng(24)
    return *(random.random(size) for _vector in range(4)), random.random((size, size))


def reference(x1, x2, y1, y2, a):
    """BLAS's."""
    x1 += a @ y1
    x2 += y2 @ a


KERNEL = Kernel(
    function=mvt,
    make_args=make_args,
    small=4,
    large=1000,
    reference=reference,
    tolerance=1e-12,
    in_place=True,
)
