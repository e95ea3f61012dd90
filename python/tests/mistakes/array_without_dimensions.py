import numpy as np

from pyopt import njit


@njit
def fill(x):
    out = np.zeros(3)
    out[0] = x[0] if x.ndim > 0 else x
    return out


fill(np.array(3.0))
