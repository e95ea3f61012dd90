"""Lines and columns of a text."""

import random

from bench.api import njit
from bench.kernel import Kernel


@njit
def split_text(text):
    total = 0
    for line in text.split("\n"):
        columns = line.split(",")
        total += len(columns[1]) * len(columns[0].strip()) - len(columns)
    return total


def make_args(size):
    """Lines of a name, an int and a few columns."""
    made = random.Random(7)
    lines = (
        f" {'x' * made.randint(0, 9)} ,{made.randint(-999, 999)}{',c' * made.randint(0, 4)}"
        for _line in range(size)
    )
    return ("\n".join(lines),)


KERNEL = Kernel(function=split_text, make_args=make_args, small=20, large=100_000)
