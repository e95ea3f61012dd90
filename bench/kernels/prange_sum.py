"""A parallel sum reduction."""

import numpy as np

from bench.api import njit, prange
from bench.kernel import Kernel


@njit(parallel=True)
def prange_sum(a):
    total = 0.0
    for i in prange(a.shape[0]):
        total += a[i] * a[i]
    return total


KERNEL = Kernel(
    function=prange_sum,
    make_args=lambda size: (np.random.default_rng(7).random(size),),
    small=8,
    large=4_000_000,
    reference=lambda a: (a * a).sum(),
    tolerance=1e-12,
)
