"""The correlation matrix of columns of data (Polybench's correlation)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def correlation(data):
    n, m = data.shape
    mean = np.zeros(m)
    deviation = np.zeros(m)
    result = np.empty((m, m))
    for i in range(n):
        for j in range(m):
            mean[j] += data[i, j]
    for j in range(m):
        mean[j] /= n
    for i in range(n):
        for j in range(m):
            deviation[j] += (data[i, j] - mean[j]) * (data[i, j] - mean[j])
    for j in range(m):
        deviation[j] = np.sqrt(deviation[j] / n)
        if deviation[j] <= 0.1:
            deviation[j] = 1.0
    for i in range(n):
        for j in range(m):
            data[i, j] = (data[i, j] - mean[j]) / (np.sqrt(n) * deviation[j])
    for i in range(m):
        result[i, i] = 1.0
        for j in range(i + 1, m):
            total = 0.0
            for k in range(n):
                total += data[k, i] * data[k, j]
            result[i, j] = total
            result[j, i] = total
    return result


def make_args(size):
    """Columns that correlate, so that no result is nearly zero."""
    random = np.random.default_rng(31)
    return (random.random((size, size)) + 2.0 * random.random((size, 1)),)


KERNEL = Kernel(
    function=correlation,
    make_args=make_args,
    small=6,
    large=170,
    tolerance=1e-9,
    in_place=True,
)
