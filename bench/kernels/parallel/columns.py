"""Sums along both axes of a matrix, and its centred columns."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit(parallel=True)
def columns(a):
    means = a.sum(axis=0) / a.shape[0]
    return (a - means).sum(axis=1)


def make_args(size):
    """A square matrix."""
    return (np.random.default_rng(69).random((size, size)) + 1.0,)


KERNEL = Kernel(
    function=columns,
    make_args=make_args,
    small=5,
    large=1500,
    tolerance=1e-6,
)
