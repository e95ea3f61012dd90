"""A recursive filter along the rows of an image, forth and back (Polybench's deriche)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def deriche(image):
    rows, columns = image.shape
    forth = np.empty((rows, columns))
    out = np.empty((rows, columns))
    for i in range(rows):
        before = 0.0
        second = 0.0
        pixel = 0.0
        for j in range(columns):
            forth[i, j] = 0.18 * image[i, j] - 0.14 * pixel + 1.2 * before - 0.37 * second
            pixel = image[i, j]
            second = before
            before = forth[i, j]
        before = 0.0
        second = 0.0
        pixel = 0.0
        last = 0.0
        for j in range(columns - 1, -1, -1):
            back = 0.22 * pixel - 0.12 * last + 1.2 * before - 0.37 * second
            last = pixel
            pixel = image[i, j]
            second = before
            before = back
            out[i, j] = forth[i, j] + back
    return out


KERNEL = Kernel(
    function=deriche,
    make_args=lambda size: (1.0 + np.random.default_rng(52).random((size, size)),),
    small=5,
    large=600,
    tolerance=1e-9,
)
