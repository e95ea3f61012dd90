"""Softmax of the rows of a matrix, by loops (NPBench's softmax)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def softmax(x):
    rows, columns = x.shape
    out = np.empty_like(x)
    for i in range(rows):
        largest = x[i, 0]
        for j in range(columns):
            largest = max(largest, x[i, j])
        total = 0.0
        for j in range(columns):
            out[i, j] = np.exp(x[i, j] - largest)
        for j in range(columns):
            total += out[i, j]
        for j in range(columns):
            out[i, j] /= total
    return out


def reference(x):
    """One operation after the other."""
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


KERNEL = Kernel(
    function=softmax,
    make_args=lambda size: (np.random.default_rng(43).random((size, size)) * 8.0,),
    small=5,
    large=600,
    reference=reference,
    tolerance=1e-12,
)
