import numpy as np

from pyopt import njit


@njit
def slope(x):
    return np.gradient(x * 2)


slope(np.ones(4))
