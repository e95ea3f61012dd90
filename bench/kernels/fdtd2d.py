"""Electromagnetic waves by finite differences in time (Polybench's fdtd-2d)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def fdtd2d(ex, ey, hz, pulse):
    nx, ny = ex.shape
    for t in range(len(pulse)):
        for j in range(ny):
            ey[0, j] = pulse[t]
        for i in range(1, nx):
            for j in range(ny):
                ey[i, j] -= 0.5 * (hz[i, j] - hz[i - 1, j])
        for i in range(nx):
            for j in range(1, ny):
                ex[i, j] -= 0.5 * (hz[i, j] - hz[i, j - 1])
        for i in range(nx - 1):
            for j in range(ny - 1):
                hz[i, j] -= 0.7 * (ex[i, j + 1] - ex[i, j] + ey[i + 1, j] - ey[i, j])


def make_args(size):
    """Three fields and a pulse."""
    random = np.random.default_rng(37)
    fields = (random.random((size, size + size // 4)) for _field in range(3))
    return *fields, np.arange(4.0)


def reference(ex, ey, hz, pulse):
    """Differences of shifted views."""
    for value in pulse:
        ey[0] = value
        ey[1:] -= 0.5 * (hz[1:] - hz[:-1])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


KERNEL = Kernel(
    function=fdtd2d,
    make_args=make_args,
    small=6,
    large=320,
    reference=reference,
    in_place=True,
)
