"""The heat equation on a cube, there and back (Polybench's heat-3d)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def heat(a, b):
    n = a.shape[0]
    for i in range(1, n - 1):
        for j in range(1, n - 1):
            for k in range(1, n - 1):
                b[i, j, k] = (
                    0.125 * (a[i + 1, j, k] - 2.0 * a[i, j, k] + a[i - 1, j, k])
                    + 0.125 * (a[i, j + 1, k] - 2.0 * a[i, j, k] + a[i, j - 1, k])
                    + 0.125 * (a[i, j, k + 1] - 2.0 * a[i, j, k] + a[i, j, k - 1])
                    + a[i, j, k]
                )


@njit
def heat3d(steps, a, b):
    for _step in range(steps):
        heat(a, b)
        heat(b, a)


def make_args(size):
    """Steps and two cubes."""
    random = np.random.default_rng(36)
    return 3, random.random((size, size, size)), random.random((size, size, size))


KERNEL = Kernel(
    function=heat3d,
    make_args=make_args,
    small=5,
    large=60,
    in_place=True,
)
