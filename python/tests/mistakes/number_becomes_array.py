import numpy as np

from pyopt import njit


@njit
def accumulate(n):
    total = 0
    for _ in range(n):
        total = total + np.ones(3)
    return total


accumulate(3)
