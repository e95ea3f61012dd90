"""Gather and scatter through int32 indices, as in a finite-element assembly."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def gather_scatter(elements, values, weights):
    out = np.zeros(values.size)
    for e in range(elements.shape[0]):
        a = elements[e, 0]
        b = elements[e, 1]
        c = elements[e, 2]
        mean = (values[a] + values[b] + values[c]) / 3.0 * weights[e]
        out[a] += mean
        out[b] += mean
        out[c] += mean
    return out


def make_args(size):
    """Twice as many triangles as nodes."""
    random = np.random.default_rng(115)
    elements = random.integers(0, size, (2 * size, 3)).astype(np.int32)
    return elements, random.random(size), random.random(2 * size)


KERNEL = Kernel(function=gather_scatter, make_args=make_args, small=6, large=150_000)
