"""How often the words of a text occur, by a dict of texts."""

import random

from bench.api import njit
from bench.kernel import Kernel


@njit
def count_words(text):
    counts = {}
    for word in text.split():
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1
    most = 0
    for count in counts.values():
        most = max(most, count)
    return len(counts) * 1_000_000 + most


def make_args(size):
    """A text of words of which few are frequent."""
    made = random.Random(1)
    words = [
        "".join(made.choices("abcdefghij", k=made.randint(2, 9))) for _word in range(size // 10 + 1)
    ]
    return (" ".join(words[int(len(words) * made.random() ** 3)] for _word in range(size)),)


KERNEL = Kernel(function=count_words, make_args=make_args, small=20, large=200_000)
