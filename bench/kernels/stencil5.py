"""A 5-point stencil over a 2-D array."""

import numpy as np

from bench.api import njit, stencil
from bench.kernel import Kernel


@stencil
def five_point(a):
    return 0.2 * (a[0, 0] + a[-1, 0] + a[1, 0] + a[0, -1] + a[0, 1])


@njit(parallel=True)
def stencil5(a):
    return five_point(a)


def reference(a):
    """Sum shifted views in the kernel's order."""
    out = np.zeros_like(a)
    centre = a[1:-1, 1:-1] + a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]
    out[1:-1, 1:-1] = 0.2 * centre
    return out


KERNEL = Kernel(
    function=stencil5,
    make_args=lambda size: (np.random.default_rng(10).random((size, size)),),
    small=6,
    large=500,
    reference=reference,
)
