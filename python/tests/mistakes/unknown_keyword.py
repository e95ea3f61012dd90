import numpy as np

from pyopt import njit


@njit
def f(a):
    return np.sum(a, axes=0)


f(np.ones(3))
