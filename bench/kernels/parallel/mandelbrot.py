"""A set of Mandelbrot's: rows of the picture differ in what they take."""

import numpy as np

from bench.api import njit, prange
from bench.kernel import Kernel


@njit(parallel=True)
def mandelbrot(height, width):
    out = np.zeros((height, width), np.int64)
    for i in prange(height):
        y = 2.0 * i / height - 1.0
        for j in range(width):
            x = 3.0 * j / width - 2.0
            a, b, count = 0.0, 0.0, 0
            while a * a + b * b < 4.0 and count < 60:
                a, b = a * a - b * b + x, 2.0 * a * b + y
                count += 1
            out[i, j] = count
    return out


def make_args(size):
    """The size of the picture."""
    return size, size


KERNEL = Kernel(
    function=mandelbrot,
    make_args=make_args,
    small=7,
    large=400,
    tolerance=0.0,
)
