"""An array expression: one loop and one allocation when compiled, temporaries in NumPy."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def array_expr(a0, a1, a2):
    return a0 * a1 + a2


def make_args(size):
    """Three vectors."""
    random = np.random.default_rng(5)
    return random.random(size), random.random(size), random.random(size)


KERNEL = Kernel(
    function=array_expr,
    make_args=make_args,
    small=8,
    large=2_000_000,
    reference=lambda a0, a1, a2: a0 * a1 + a2,
)
