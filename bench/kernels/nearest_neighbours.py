"""The k nearest of some points for each of them, by insertion into a short sorted array."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def nearest_neighbours(points, k):
    n = points.shape[0]
    out = np.empty((n, k), np.int64)
    least = np.empty(k)
    for i in range(n):
        least[:] = np.inf
        for j in range(n):
            distance = 0.0
            for d in range(points.shape[1]):
                distance += (points[i, d] - points[j, d]) ** 2
            if distance < least[k - 1]:
                slot = k - 1
                while slot > 0 and least[slot - 1] > distance:
                    least[slot] = least[slot - 1]
                    out[i, slot] = out[i, slot - 1]
                    slot -= 1
                least[slot] = distance
                out[i, slot] = j
    return out


KERNEL = Kernel(
    function=nearest_neighbours,
    make_args=lambda size: (np.random.default_rng(109).random((size, 3)), 4),
    small=8,
    large=600,
)
