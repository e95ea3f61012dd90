"""Levinson's and Durbin's recursion for a Toeplitz system (Polybench's durbin)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def durbin(r):
    n = len(r)
    y = np.empty(n)
    z = np.empty(n)
    y[0] = -r[0]
    beta = 1.0
    alpha = -r[0]
    for k in range(1, n):
        beta = (1.0 - alpha * alpha) * beta
        total = 0.0
        for i in range(k):
            total += r[k - i - 1] * y[i]
        alpha = -(r[k] + total) / beta
        for i in range(k):
            z[i] = y[i] + alpha * y[k - i - 1]
        for i in range(k):
            y[i] = z[i]
        y[k] = alpha
    return y


KERNEL = Kernel(
    function=durbin,
    make_args=lambda size: (0.5 / np.arange(2, size + 2) ** 2,),
    small=4,
    large=2000,
    tolerance=1e-9,
)
