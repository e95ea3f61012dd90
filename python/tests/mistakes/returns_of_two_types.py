from pyopt import njit


@njit
def root(x):
    if x < 0:
        return "negative"
    return x**0.5


root(3.0)
