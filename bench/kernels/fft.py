"""A fast Fourier transform of two real arrays in place, radix two."""

import math

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def fft(real, imaginary):
    n = real.size
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j ^= bit
        if i < j:
            real[i], real[j] = real[j], real[i]
            imaginary[i], imaginary[j] = imaginary[j], imaginary[i]
    length = 2
    while length <= n:
        angle = -2.0 * np.pi / length
        step_real, step_imaginary = math.cos(angle), math.sin(angle)
        for start in range(0, n, length):
            w_real, w_imaginary = 1.0, 0.0
            for k in range(start, start + length // 2):
                other = k + length // 2
                x = real[other] * w_real - imaginary[other] * w_imaginary
                y = real[other] * w_imaginary + imaginary[other] * w_real
                real[other] = real[k] - x
                imaginary[other] = imaginary[k] - y
                real[k] += x
                imaginary[k] += y
                w_real, w_imaginary = (
                    w_real * step_real - w_imaginary * step_imaginary,
                    w_real * step_imaginary + w_imaginary * step_real,
                )
        length *= 2


def make_args(size):
    """Noise."""
    real, imaginary = np.random.default_rng(112).random((2, size)) + 0.5
    return real, imaginary


KERNEL = Kernel(
    function=fft, make_args=make_args, small=8, large=1 << 15, tolerance=1e-6, in_place=True
)
