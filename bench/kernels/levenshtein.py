"""The Levenshtein distance of two byte strings held in arrays."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def levenshtein(a, b):
    m = len(a)
    n = len(b)
    previous = np.arange(n + 1)
    current = np.zeros(n + 1, np.int64)
    for i in range(m):
        current[0] = i + 1
        for j in range(n):
            cost = 0 if a[i] == b[j] else 1
            current[j + 1] = min(previous[j] + cost, previous[j + 1] + 1, current[j] + 1)
        previous, current = current, previous
    return previous[n]


def make_args(size):
    """Two strings over four letters."""
    random = np.random.default_rng(6)
    letters = np.frombuffer(b"ACGT", np.uint8)
    return random.choice(letters, size), random.choice(letters, size + size // 8)


KERNEL = Kernel(
    function=levenshtein,
    make_args=make_args,
    small=8,
    large=1200,
)
