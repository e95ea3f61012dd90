"""A vector less its mean, by its standard deviation, moved away from 0."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit(parallel=True)
def standardized(a):
    return (a - a.mean()) / a.std() + 10.0


def make_args(size):
    """A vector."""
    return (np.random.default_rng(68).random(size),)


KERNEL = Kernel(
    function=standardized,
    make_args=make_args,
    small=5,
    large=2_000_000,
    tolerance=1e-9,
)
