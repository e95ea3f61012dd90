"""A sparse matrix and a vector, a prange over rows of different lengths."""

import numpy as np

from bench.api import njit, prange
from bench.kernel import Kernel


@njit(parallel=True)
def sparse(data, places, starts, x):
    out = np.empty(len(starts) - 1)
    for i in prange(len(starts) - 1):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += data[k] * x[places[k]]
        out[i] = total
    return out


def make_args(size):
    """Rows of up to 20 elements, in the compressed form, and a vector."""
    random = np.random.default_rng(73)
    starts = np.concatenate(([0], np.cumsum(random.integers(0, 20, size))))
    return (
        random.random(starts[-1]),
        random.integers(0, size, starts[-1]),
        starts,
        random.random(size),
    )


KERNEL = Kernel(
    function=sparse,
    make_args=make_args,
    small=5,
    large=50_000,
    tolerance=1e-12,
)
