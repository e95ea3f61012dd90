import numpy as np

from pyopt import njit


@njit
def f(a):
    return np.sum(a, axis=2)


f(np.ones((2, 3)))
