"""Heat by alternating directions: recurrences along rows and columns (Polybench's adi)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def sweep(u, v, p, q):
    n = u.shape[0]
    for i in range(1, n - 1):
        v[0, i] = 1.0
        p[i, 0] = 0.0
        q[i, 0] = 1.0
        for j in range(1, n - 1):
            p[i, j] = 0.4 / (0.4 * p[i, j - 1] + 1.8)
            explicit = 0.3 * u[j, i - 1] + 0.4 * u[j, i] + 0.3 * u[j, i + 1]
            q[i, j] = (explicit + 0.4 * q[i, j - 1]) / (0.4 * p[i, j - 1] + 1.8)
        v[n - 1, i] = 1.0
        for j in range(n - 2, 0, -1):
            v[j, i] = p[i, j] * v[j + 1, i] + q[i, j]


@njit
def adi(steps, u):
    v = np.zeros(u.shape)
    p = np.zeros(u.shape)
    q = np.zeros(u.shape)
    for _step in range(steps):
        sweep(u, v, p, q)
        sweep(v, u, p, q)


KERNEL = Kernel(
    function=adi,
    make_args=lambda size: (3, np.random.default_rng(41).random((size, size))),
    small=6,
    large=300,
    tolerance=1e-12,
    in_place=True,
)
