"""An image of bytes to grey levels, in integers."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def grayscale(image):
    height, width, _channels = image.shape
    out = np.empty((height, width), np.uint8)
    for y in range(height):
        for x in range(width):
            red = np.int64(image[y, x, 0])
            green = np.int64(image[y, x, 1])
            blue = np.int64(image[y, x, 2])
            out[y, x] = (red * 77 + green * 150 + blue * 29) >> 8
    return out


KERNEL = Kernel(
    function=grayscale,
    make_args=lambda size: (
        np.random.default_rng(116).integers(0, 256, (size, size, 3)).astype(np.uint8),
    ),
    small=5,
    large=600,
)
