import numpy as np

from pyopt import njit


@njit
def middle(a):
    position = len(a) / 2
    return a[position]


middle(np.ones(4))
