"""A chain of array expressions and a sum that fuse into one parallel loop."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit(parallel=True)
def fused_chain(a, b):
    difference = a - b
    squared = difference * difference
    damped = np.sqrt(squared + 1.0)
    return damped.sum()


def make_args(size):
    """Two vectors."""
    random = np.random.default_rng(9)
    return random.random(size), random.random(size)


def reference(a, b):
    """The same chain, with its temporaries."""
    difference = a - b
    return np.sqrt(difference * difference + 1.0).sum()


KERNEL = Kernel(
    function=fused_chain,
    make_args=make_args,
    small=8,
    large=4_000_000,
    reference=reference,
    tolerance=1e-12,
)
