"""Conway's game of life on a torus: neighbours by remainders."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def life(cells, steps):
    height, width = cells.shape
    for _step in range(steps):
        following = np.empty_like(cells)
        for y in range(height):
            for x in range(width):
                alive = 0
                for dy in range(-1, 2):
                    for dx in range(-1, 2):
                        if dy != 0 or dx != 0:
                            alive += cells[(y + dy) % height, (x + dx) % width]
                following[y, x] = 1 if alive == 3 or (alive == 2 and cells[y, x] == 1) else 0
        cells = following
    return cells


KERNEL = Kernel(
    function=life,
    make_args=lambda size: (
        np.random.default_rng(119).integers(0, 2, (size, size)).astype(np.int8),
        2,
    ),
    small=5,
    large=256,
)
