"""Particles to a periodic grid, each to its four neighbours (cloud in cell)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def deposit(xs, ys, n):
    grid = np.zeros((n, n))
    for i in range(xs.size):
        x = xs[i] * n
        y = ys[i] * n
        column = int(x)
        row = int(y)
        right = (column + 1) % n
        below = (row + 1) % n
        fx = x - column
        fy = y - row
        grid[row, column] += (1.0 - fx) * (1.0 - fy)
        grid[row, right] += fx * (1.0 - fy)
        grid[below, column] += (1.0 - fx) * fy
        grid[below, right] += fx * fy
    return grid


def make_args(size):
    """Particles in the unit square."""
    random = np.random.default_rng(110)
    return random.random(size), random.random(size), 64


KERNEL = Kernel(function=deposit, make_args=make_args, small=20, large=300_000)
