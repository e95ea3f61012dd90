"""A stencil of five points."""

import numpy as np

from bench.api import njit, stencil
from bench.kernel import Kernel


@stencil
def kernel(a):
    """Take the mean of a point and its neighbours."""
    return 0.2 * (a[0, 0] + a[-1, 0] + a[1, 0] + a[0, -1] + a[0, 1])


@njit(parallel=True)
def five_points(a):
    return kernel(a)


def make_args(size):
    """A matrix."""
    return (np.random.default_rng(65).random((size, size)),)


def reference(a):
    """The same by slices."""
    out = np.zeros_like(a)
    out[1:-1, 1:-1] = 0.2 * (
        a[1:-1, 1:-1] + a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]
    )
    return out


KERNEL = Kernel(
    function=five_points,
    make_args=make_args,
    small=5,
    large=1500,
    reference=reference,
    tolerance=1e-12,
)
