"""exp, log, sin, cos and tanh of every element, as array expressions."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def vector_math(x):
    return np.sin(x) * np.exp(-x) + np.cos(x) * np.log(x + 2.0) + np.tanh(x)


def make_args(size):
    """Numbers from 0 to 1, so that no sum is nearly zero."""
    return (np.random.default_rng(47).random(size),)


KERNEL = Kernel(
    function=vector_math,
    make_args=make_args,
    small=5,
    large=100_000,
    reference=lambda x: np.sin(x) * np.exp(-x) + np.cos(x) * np.log(x + 2.0) + np.tanh(x),
    tolerance=1e-14,
)
