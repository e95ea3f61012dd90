from pyopt import njit


@njit
def inverse(x):
    try:
        result = 1 / x
    except ZeroDivisionError:
        result = 0.0
    return result


inverse(0.0)
