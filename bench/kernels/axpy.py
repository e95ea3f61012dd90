"""y += alpha * x by a loop."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def axpy(alpha, x, y):
    for i in range(x.shape[0]):
        y[i] += alpha * x[i]


def make_args(size):
    """A factor and two vectors."""
    random = np.random.default_rng(4)
    return 0.75, random.random(size), random.random(size)


def reference(alpha, x, y):
    """NumPy's version, with a temporary."""
    y += alpha * x


KERNEL = Kernel(
    function=axpy,
    make_args=make_args,
    small=8,
    large=2_000_000,
    reference=reference,
    in_place=True,
)
