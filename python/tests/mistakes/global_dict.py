from pyopt import njit

TABLE = {1: 10, 2: 20}


@njit
def look_up(x):
    return TABLE[x]


look_up(1)
