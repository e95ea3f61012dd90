"""A 2-D convolution with several channels, by seven loops' worth of nest (NPBench's conv2d)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def conv2d(image, weights):
    height, width, inputs = image.shape
    size, _, _, outputs = weights.shape
    out = np.zeros((height - size + 1, width - size + 1, outputs))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            for di in range(size):
                for dj in range(size):
                    for c in range(inputs):
                        for o in range(outputs):
                            out[i, j, o] += image[i + di, j + dj, c] * weights[di, dj, c, o]
    return out


def make_args(size):
    """An image and the weights of 3 by 3 neighbours."""
    random = np.random.default_rng(44)
    return random.random((size, size, 4)), random.random((3, 3, 4, 16))


KERNEL = Kernel(
    function=conv2d,
    make_args=make_args,
    small=5,
    large=60,
    tolerance=1e-12,
)
