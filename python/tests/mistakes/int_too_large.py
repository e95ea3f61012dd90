from pyopt import njit


@njit
def increment(x):
    return x + 1


increment(2**70)
