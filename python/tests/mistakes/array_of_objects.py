import numpy as np

from pyopt import njit


@njit
def first(a):
    return a[0]


first(np.array([1, "a", None], dtype=object))
