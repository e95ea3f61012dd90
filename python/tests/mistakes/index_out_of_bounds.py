import numpy as np

from pyopt import njit


@njit(boundscheck=True)
def total(a, n):
    result = 0.0
    for i in range(n):
        result += a[i]
    return result


total(np.ones(4), 10)
