"""Regions of equal pixels, each filled through a stack in an array."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def flood_fill(image):
    height, width = image.shape
    labels = np.zeros((height, width), np.int32)
    stack = np.empty((height * width, 2), np.int64)
    count = 0
    for start_y in range(height):
        for start_x in range(width):
            if labels[start_y, start_x] != 0:
                continue
            count += 1
            colour = image[start_y, start_x]
            labels[start_y, start_x] = count
            stack[0, 0] = start_y
            stack[0, 1] = start_x
            depth = 1
            while depth > 0:
                depth -= 1
                y = stack[depth, 0]
                x = stack[depth, 1]
                for direction in range(4):
                    ny = y + (direction == 0) - (direction == 1)
                    nx = x + (direction == 2) - (direction == 3)
                    if ny < 0 or ny >= height or nx < 0 or nx >= width:
                        continue
                    if labels[ny, nx] == 0 and image[ny, nx] == colour:
                        labels[ny, nx] = count
                        stack[depth, 0] = ny
                        stack[depth, 1] = nx
                        depth += 1
    return labels


KERNEL = Kernel(
    function=flood_fill,
    make_args=lambda size: (
        np.random.default_rng(124).integers(0, 2, (size, size)).astype(np.uint8),
    ),
    small=5,
    large=300,
)
