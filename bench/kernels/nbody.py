"""Bodies that attract each other, by loops over pairs (NPBench's nbody)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def accelerate(position, mass, acceleration):
    n = len(mass)
    for i in range(n):
        ax = 0.0
        ay = 0.0
        az = 0.0
        for j in range(n):
            dx = position[j, 0] - position[i, 0]
            dy = position[j, 1] - position[i, 1]
            dz = position[j, 2] - position[i, 2]
            square = dx * dx + dy * dy + dz * dz + 0.01
            weight = mass[j] / (square * np.sqrt(square))
            ax += dx * weight
            ay += dy * weight
            az += dz * weight
        acceleration[i, 0] = ax
        acceleration[i, 1] = ay
        acceleration[i, 2] = az


@njit
def nbody(steps, position, velocity, mass):
    acceleration = np.empty(position.shape)
    for _step in range(steps):
        accelerate(position, mass, acceleration)
        velocity += acceleration * 0.01
        position += velocity * 0.01


def make_args(size):
    """Steps, positions, velocities, masses."""
    random = np.random.default_rng(42)
    return 3, random.random((size, 3)), random.random((size, 3)), random.random(size)


KERNEL = Kernel(
    function=nbody,
    make_args=make_args,
    small=5,
    large=300,
    tolerance=1e-9,
    in_place=True,
)
