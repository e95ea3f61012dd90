"""A matrix product whose innermost loop runs along the rows."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel
from bench.kernels.matmul import make_args


@njit
def matmul_ikj(a, b):
    rows, inner = a.shape
    columns = b.shape[1]
    out = np.zeros((rows, columns))
    for i in range(rows):
        for k in range(inner):
            for j in range(columns):
                out[i, j] += a[i, k] * b[k, j]
    return out


KERNEL = Kernel(
    function=matmul_ikj,
    make_args=make_args,
    small=4,
    large=140,
    reference=lambda a, b: a @ b,
    tolerance=1e-12,
)
