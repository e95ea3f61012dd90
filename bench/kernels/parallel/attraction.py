"""Forces between all pairs of bodies."""

import numpy as np

from bench.api import njit, prange
from bench.kernel import Kernel


@njit(parallel=True)
def attraction(place, mass):
    force = np.zeros_like(place)
    for i in prange(place.shape[0]):
        x, y, z = 0.0, 0.0, 0.0
        for j in range(place.shape[0]):
            a = place[j, 0] - place[i, 0]
            b = place[j, 1] - place[i, 1]
            c = place[j, 2] - place[i, 2]
            square = a * a + b * b + c * c + 0.01
            weight = mass[j] / (square * np.sqrt(square))
            x += weight * a
            y += weight * b
            z += weight * c
        force[i, 0] = x
        force[i, 1] = y
        force[i, 2] = z
    return force


def make_args(size):
    """Places and masses."""
    random = np.random.default_rng(72)
    return random.random((size, 3)), random.random(size)


KERNEL = Kernel(
    function=attraction,
    make_args=make_args,
    small=5,
    large=700,
    tolerance=1e-9,
)
