import math

from pyopt import njit


@njit
def f(x):
    return math.sqroot(x)


f(2.0)
