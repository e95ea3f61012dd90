"""A bilateral filter whose window is clamped at the borders by `min` and `max`."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def bilateral(image, radius, scale):
    height, width = image.shape
    out = np.empty_like(image)
    for y in range(height):
        for x in range(width):
            total = 0.0
            weights = 0.0
            for dy in range(-radius, radius + 1):
                for dx in range(-radius, radius + 1):
                    value = image[min(max(y + dy, 0), height - 1), min(max(x + dx, 0), width - 1)]
                    difference = (value - image[y, x]) * scale
                    weight = 1.0 / (1.0 + difference * difference)
                    total += weight * value
                    weights += weight
            out[y, x] = total / weights
    return out


KERNEL = Kernel(
    function=bilateral,
    make_args=lambda size: (np.random.default_rng(108).random((size, size)), 2, 4.0),
    small=5,
    large=150,
)
