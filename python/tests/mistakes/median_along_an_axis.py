import numpy as np

from pyopt import njit


@njit
def middles(x):
    return np.median(x, axis=1)


middles(np.ones((3, 4)))
