from pyopt import njit

counter = 0


@njit
def count(x):
    global counter
    counter += 1
    return x + counter


count(3)
