from pyopt import njit

TABLE = {1: 10, 2: 20}


@njit
def note(x):
    TABLE[x] = 0


note(1)
