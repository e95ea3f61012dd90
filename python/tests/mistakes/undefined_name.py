from pyopt import njit


@njit
def scaled(x):
    return x * factor


scaled(3.0)
