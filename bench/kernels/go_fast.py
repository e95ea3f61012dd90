"""A trace of tanh added to a matrix (the example of Numba's documentation, in NPBench)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def go_fast(a):
    trace = 0.0
    for i in range(a.shape[0]):
        trace += np.tanh(a[i, i])
    return a + trace


KERNEL = Kernel(
    function=go_fast,
    make_args=lambda size: (np.random.default_rng(53).random((size, size)),),
    small=5,
    large=700,
    reference=lambda a: a + np.tanh(np.diagonal(a)).sum(),
    tolerance=1e-12,
)
