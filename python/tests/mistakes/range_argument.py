from pyopt import njit


@njit
def f(r):
    total = 0
    for i in r:
        total += i
    return total


f(range(3))
