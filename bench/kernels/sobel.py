"""The gradient of an image of bytes, by Sobel's operator."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def sobel(image):
    height, width = image.shape
    out = np.zeros((height, width), np.uint8)
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            gx = 0
            gy = 0
            for d in range(-1, 2):
                weight = 2 - abs(d)
                gx += weight * (np.int64(image[y + d, x + 1]) - np.int64(image[y + d, x - 1]))
                gy += weight * (np.int64(image[y + 1, x + d]) - np.int64(image[y - 1, x + d]))
            out[y, x] = min(abs(gx) + abs(gy), 255)
    return out


KERNEL = Kernel(
    function=sobel,
    make_args=lambda size: (
        np.random.default_rng(117).integers(0, 256, (size, size)).astype(np.uint8),
    ),
    small=5,
    large=400,
)
