"""Bubble sort in place."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def bubble_sort(a):
    n = len(a)
    for end in range(n - 1, 0, -1):
        for i in range(end):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]


KERNEL = Kernel(
    function=bubble_sort,
    make_args=lambda size: (np.random.default_rng(2).random(size),),
    small=8,
    large=3000,
    reference=lambda a: a.sort(),
    in_place=True,
)
