"""Floats as texts: the shortest that is read back as the same, and with digits that are given."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def format_floats(x):
    found = 0
    for one in x:
        found += len(str(one)) + len(f"{one:.3f}")
    return found


def make_args(size):
    """Numbers of a few magnitudes."""
    random = np.random.default_rng(8)
    return (random.uniform(1, 10, size) * 10.0 ** random.integers(-3, 4, size),)


# Numba has no texts of floats.
KERNEL = Kernel(
    function=format_floats, make_args=make_args, small=20, large=50_000, unsupported=("Numba",)
)
