"""An array expression of three vectors."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit(parallel=True)
def expression(a, b, c):
    return a * b + c * 2.0 - a / (b + 1.5)


def make_args(size):
    """Three vectors."""
    return tuple(np.random.default_rng(60).random((3, size)))


KERNEL = Kernel(
    function=expression,
    make_args=make_args,
    small=5,
    large=2_000_000,
    tolerance=1e-12,
)
