"""A summed-area table: prefix sums along both axes of an image."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def summed_area(image):
    height, width = image.shape
    out = np.zeros((height + 1, width + 1), np.int64)
    for y in range(height):
        row = 0
        for x in range(width):
            row += np.int64(image[y, x])
            out[y + 1, x + 1] = out[y, x + 1] + row
    return out


KERNEL = Kernel(
    function=summed_area,
    make_args=lambda size: (
        np.random.default_rng(114).integers(0, 256, (size, size)).astype(np.uint8),
    ),
    small=5,
    large=1000,
    reference=lambda image: np.pad(image.astype(np.int64).cumsum(0).cumsum(1), ((1, 0), (1, 0))),
)
