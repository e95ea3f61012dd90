"""Array expressions with temporaries, and a sum."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit(parallel=True)
def chain(a, b):
    difference = a - b
    squared = difference * difference
    damped = np.sqrt(squared + 1.0)
    return damped.sum()


def make_args(size):
    """Two vectors."""
    return tuple(np.random.default_rng(61).random((2, size)))


KERNEL = Kernel(
    function=chain,
    make_args=make_args,
    small=5,
    large=4_000_000,
    tolerance=1e-12,
)
