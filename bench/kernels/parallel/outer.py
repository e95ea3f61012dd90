"""A column, a row and a matrix, broadcast."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit(parallel=True)
def outer(column, row, a):
    return column[:, None] * row + a


def make_args(size):
    """A column, a row and a matrix."""
    random = np.random.default_rng(70)
    return random.random(size), random.random(size), random.random((size, size))


KERNEL = Kernel(
    function=outer,
    make_args=make_args,
    small=5,
    large=1500,
    tolerance=1e-12,
    # It takes a dimension of size 1 for another size: AssertionError.
    unsupported=("Numba",),
)
