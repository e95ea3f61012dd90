"""Texts that are built from parts and joined."""

from bench.api import njit
from bench.kernel import Kernel


@njit
def join_texts(n, word):
    parts = [word]
    for at in range(n):
        parts.append(str(at) + word)
    joined = ", ".join(parts)
    return len(joined) * 1_000 + len(joined.replace("7,", ";"))


def make_args(size):
    """How many parts there are, and what each ends with."""
    return size, "word"


KERNEL = Kernel(function=join_texts, make_args=make_args, small=20, large=200_000)
