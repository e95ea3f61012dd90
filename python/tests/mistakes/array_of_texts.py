import numpy as np

from pyopt import njit


@njit
def name(n):
    names = np.array(["a", "bc"])
    return names[n]


name(0)
