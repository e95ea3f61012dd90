import numpy as np

from pyopt import njit


class special:
    inverse = staticmethod(np.vectorize(lambda x: 1 / x))


@njit
def apply(x):
    return special.inverse(x)


apply(0.5)
