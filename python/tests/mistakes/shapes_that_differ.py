import numpy as np

from pyopt import njit


@njit
def add(a, b):
    return a + b


add(np.ones(4), np.ones(3))
