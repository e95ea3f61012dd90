"""Logistic regression, as in Numba's documentation."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit(parallel=True)
def regression(labels, points, weights, iterations):
    for _iteration in range(iterations):
        weights = weights - 0.0001 * np.dot(
            ((1.0 / (1.0 + np.exp(-labels * np.dot(points, weights))) - 1.0) * labels), points
        )
    return weights


def make_args(size):
    """Labels, points, weights and a number of iterations."""
    random = np.random.default_rng(71)
    labels = np.where(random.random(size) < 0.5, -1.0, 1.0)
    return labels, random.random((size, 10)), np.zeros(10), 4


KERNEL = Kernel(
    function=regression,
    make_args=make_args,
    small=5,
    large=200_000,
    tolerance=1e-9,
)
