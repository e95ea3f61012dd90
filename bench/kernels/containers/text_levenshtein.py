"""The Levenshtein distance of two texts, in lists."""

import random

from bench.api import njit
from bench.kernel import Kernel


@njit
def text_levenshtein(a, b):
    previous = list(range(len(b) + 1))
    for i in range(len(a)):
        current = [i + 1]
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            current.append(min(previous[j] + cost, previous[j + 1] + 1, current[j] + 1))
        previous = current
    return previous[len(b)]


def make_args(size):
    """Two texts over four letters."""
    made = random.Random(9)
    return "".join(made.choices("ACGT", k=size)), "".join(made.choices("ACGT", k=size + size // 8))


KERNEL = Kernel(function=text_levenshtein, make_args=make_args, small=8, large=1000)
