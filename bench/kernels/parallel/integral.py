"""A sum over a prange."""

import numpy as np

from bench.api import njit, prange
from bench.kernel import Kernel


@njit(parallel=True)
def integral(n):
    total = 0.0
    for i in prange(n):
        x = (i + 0.5) / n
        total += 4.0 / (1.0 + x * x)
    return total / n


def make_args(size):
    """A number of rectangles."""
    return (size,)


def reference(n):
    """The same sum by NumPy."""
    x = (np.arange(n) + 0.5) / n
    return (4.0 / (1.0 + x * x)).sum() / n


KERNEL = Kernel(
    function=integral,
    make_args=make_args,
    small=5,
    large=4_000_000,
    reference=reference,
    tolerance=1e-12,
)
