from pyopt import njit


@njit
def last_index(n):
    for i in range(n):
        last = i
    return last


last_index(0)
