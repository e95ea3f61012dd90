"""A sparse matrix in compressed rows times a vector (NPBench's spmv)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def spmv(starts, columns, values, x):
    y = np.empty(len(starts) - 1)
    for i in range(len(y)):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += values[k] * x[columns[k]]
        y[i] = total
    return y


def make_args(size):
    """Ten numbers a row on average."""
    random = np.random.default_rng(50)
    starts = np.concatenate(([0], np.cumsum(random.integers(5, 16, size))))
    return (
        starts,
        random.integers(0, size, starts[-1]),
        random.random(starts[-1]),
        random.random(size),
    )


KERNEL = Kernel(
    function=spmv,
    make_args=make_args,
    small=5,
    large=100_000,
    tolerance=1e-12,
)
