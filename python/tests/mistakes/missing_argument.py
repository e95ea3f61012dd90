from pyopt import njit


@njit
def add(a, b):
    return a + b


@njit
def double(x):
    return add(x)


double(3.0)
