"""Escape times of the Mandelbrot set, written into a 2-D array."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel

MAX_ITERATIONS = 50


@njit
def mandelbrot(out, x0, x1, y0, y1):
    height, width = out.shape
    for row in range(height):
        ci = y0 + (y1 - y0) * row / height
        for column in range(width):
            cr = x0 + (x1 - x0) * column / width
            zr = 0.0
            zi = 0.0
            steps = 0
            while steps < MAX_ITERATIONS and zr * zr + zi * zi <= 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
                steps += 1
            out[row, column] = steps


def reference(out, x0, x1, y0, y1):
    """Advance every point that has not escaped yet."""
    height, width = out.shape
    ci = (y0 + (y1 - y0) * np.arange(height) / height)[:, None]
    cr = (x0 + (x1 - x0) * np.arange(width) / width)[None, :]
    zr = np.zeros(out.shape)
    zi = np.zeros(out.shape)
    out[:] = 0
    for _step in range(MAX_ITERATIONS):
        inside = zr * zr + zi * zi <= 4.0
        out[inside] += 1
        zr, zi = (
            np.where(inside, zr * zr - zi * zi + cr, zr),
            np.where(inside, 2.0 * zr * zi + ci, zi),
        )


KERNEL = Kernel(
    function=mandelbrot,
    make_args=lambda size: (np.zeros((size, size * 3 // 2), np.int64), -2.0, 1.0, -1.0, 1.0),
    small=4,
    large=320,
    reference=reference,
    in_place=True,
)
