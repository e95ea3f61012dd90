"""Cells of a plane that a walk comes to, by a dict of pairs."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def tuple_dict(steps):
    visits = {}
    x = 0
    y = 0
    for step in steps:
        if step < 2:
            x += 2 * step - 1
        else:
            y += 2 * step - 5
        cell = (x, y)
        if cell in visits:
            visits[cell] += 1
        else:
            visits[cell] = 1
    most = 0
    edge = 0
    for (x, y), count in visits.items():
        most = max(most, count)
        if (x + 1, y) not in visits:
            edge += 1
    return most * 1_000_000 + edge


def make_args(size):
    """Steps in four directions."""
    return (np.random.default_rng(3).integers(0, 4, size),)


KERNEL = Kernel(function=tuple_dict, make_args=make_args, small=20, large=300_000)
