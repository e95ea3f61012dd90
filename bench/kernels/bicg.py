"""A p and r A in one sweep over A (Polybench's bicg)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def bicg(a, p, r, q, s):
    rows, columns = a.shape
    for j in range(columns):
        s[j] = 0.0
    for i in range(rows):
        q[i] = 0.0
        for j in range(columns):
            s[j] += r[i] * a[i, j]
            q[i] += a[i, j] * p[j]


def make_args(size):
    """A matrix, two vectors of positive numbers, and two for the results."""
    random = np.random.default_rng(23)
    columns = size + size // 4
    p, r = random.random(columns), random.random(size)
    return random.random((size, columns)), p, r, np.empty(size), np.empty(columns)


def reference(a, p, r, q, s):
    """BLAS's."""
    q[:] = a @ p
    s[:] = r @ a


KERNEL = Kernel(
    function=bicg,
    make_args=make_args,
    small=4,
    large=900,
    reference=reference,
    tolerance=1e-12,
    in_place=True,
)
