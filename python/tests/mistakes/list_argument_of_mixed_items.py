from pyopt import njit


@njit
def f(items):
    return items[0]


f([1, "a"])
