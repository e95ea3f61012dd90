"""How often a pattern of bytes occurs in a text, by the algorithm of Knuth, Morris and Pratt."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def matches(text, pattern):
    borders = np.zeros(pattern.size, np.int64)
    length = 0
    for i in range(1, pattern.size):
        while length > 0 and pattern[i] != pattern[length]:
            length = borders[length - 1]
        if pattern[i] == pattern[length]:
            length += 1
        borders[i] = length
    count = 0
    length = 0
    for i in range(text.size):
        while length > 0 and text[i] != pattern[length]:
            length = borders[length - 1]
        if text[i] == pattern[length]:
            length += 1
        if length == pattern.size:
            count += 1
            length = borders[length - 1]
    return count


def make_args(size):
    """A text of two letters."""
    text = np.random.default_rng(126).integers(0, 2, size).astype(np.uint8)
    return text, np.array([0, 1, 0, 0, 1, 0, 1, 0], np.uint8)


KERNEL = Kernel(function=matches, make_args=make_args, small=300, large=1_000_000)
