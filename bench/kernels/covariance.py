"""The covariance matrix of columns of data, by array operations (NPBench's covariance)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def covariance(data):
    n, m = data.shape
    mean = np.zeros(m)
    for i in range(n):
        mean += data[i]
    mean /= n
    result = np.zeros((m, m))
    for i in range(m):
        for j in range(i, m):
            result[i, j] = np.sum((data[:, i] - mean[i]) * (data[:, j] - mean[j])) / (n - 1.0)
            result[j, i] = result[i, j]
    return result


def make_args(size):
    """Columns that correlate, so that no result is nearly zero."""
    random = np.random.default_rng(32)
    return (random.random((size, size)) + 2.0 * random.random((size, 1)),)


KERNEL = Kernel(
    function=covariance,
    make_args=make_args,
    small=6,
    large=220,
    reference=lambda data: np.cov(data, rowvar=False),
    tolerance=1e-9,
)
