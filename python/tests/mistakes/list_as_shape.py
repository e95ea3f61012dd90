import numpy as np

from pyopt import njit


@njit
def zeros(n):
    return np.zeros([n, 2])


zeros(3)
