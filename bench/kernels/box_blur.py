"""A blur by a window that is cut off at the borders of the image."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def box_blur(image, radius):
    height, width = image.shape
    out = np.empty((height, width))
    for y in range(height):
        for x in range(width):
            total = 0.0
            count = 0
            for dy in range(-radius, radius + 1):
                for dx in range(-radius, radius + 1):
                    if 0 <= y + dy < height and 0 <= x + dx < width:
                        total += image[y + dy, x + dx]
                        count += 1
            out[y, x] = total / count
    return out


KERNEL = Kernel(
    function=box_blur,
    make_args=lambda size: (np.random.default_rng(107).random((size, size)), 2),
    small=5,
    large=300,
)
