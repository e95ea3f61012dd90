from pyopt import njit


@njit
def describe(count):
    if count > 2:
        label = 1
    else:
        label = "one"
    return label


describe(3)
