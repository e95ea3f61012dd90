"""The length of every row, by a sum of an expression inside a `prange`."""

import math

import numpy as np

from bench.api import njit, prange
from bench.kernel import Kernel


@njit(parallel=True)
def row_norms(matrix):
    out = np.empty(matrix.shape[0])
    for i in prange(matrix.shape[0]):
        out[i] = math.sqrt((matrix[i] * matrix[i]).sum())
    return out


KERNEL = Kernel(
    function=row_norms,
    make_args=lambda size: (np.random.default_rng(130).random((size, 256)),),
    small=5,
    large=8000,
    tolerance=1e-12,
)
