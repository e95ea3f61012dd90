"""A rolling median by a sorted window that one number enters and another one leaves."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def rolling_median(values, width):
    out = np.empty(values.size - width + 1)
    window = np.sort(values[:width])
    out[0] = window[width // 2]
    for i in range(width, values.size):
        old = values[i - width]
        new = values[i]
        slot = 0
        while window[slot] != old:
            slot += 1
        while slot + 1 < width and window[slot + 1] < new:
            window[slot] = window[slot + 1]
            slot += 1
        while slot > 0 and window[slot - 1] > new:
            window[slot] = window[slot - 1]
            slot -= 1
        window[slot] = new
        out[i - width + 1] = window[width // 2]
    return out


KERNEL = Kernel(
    function=rolling_median,
    make_args=lambda size: (np.random.default_rng(113).random(size), 9),
    small=20,
    large=200_000,
)
