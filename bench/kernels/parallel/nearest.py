"""The nearest of some centres for every point."""

import numpy as np

from bench.api import njit, prange
from bench.kernel import Kernel


@njit(parallel=True)
def nearest(points, centres):
    out = np.empty(points.shape[0], np.int64)
    for i in prange(points.shape[0]):
        best, least = 0, np.inf
        for k in range(centres.shape[0]):
            distance = 0.0
            for d in range(points.shape[1]):
                difference = points[i, d] - centres[k, d]
                distance += difference * difference
            if distance < least:
                best, least = k, distance
        out[i] = best
    return out


def make_args(size):
    """Points and centres."""
    random = np.random.default_rng(67)
    return random.random((size, 8)), random.random((16, 8))


def reference(points, centres):
    """The same by NumPy."""
    return ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2).argmin(axis=1)


KERNEL = Kernel(
    function=nearest,
    make_args=make_args,
    small=5,
    large=60_000,
    reference=reference,
    tolerance=0.0,
)
