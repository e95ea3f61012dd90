"""A parallel loop over rows with a serial loop inside."""

import numpy as np

from bench.api import njit, prange
from bench.kernel import Kernel


@njit(parallel=True)
def prange_rows(a):
    rows, columns = a.shape
    out = np.empty(rows)
    for i in prange(rows):
        total = 0.0
        for j in range(columns):
            total += np.sqrt(a[i, j])
        out[i] = total
    return out


KERNEL = Kernel(
    function=prange_rows,
    make_args=lambda size: (np.random.default_rng(8).random((size, size)),),
    small=4,
    large=1200,
    reference=lambda a: np.sqrt(a).sum(axis=1),
    tolerance=1e-12,
)
