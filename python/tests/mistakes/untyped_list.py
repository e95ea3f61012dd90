from pyopt import njit


@njit
def below(n):
    out = []
    for i in range(n):
        if i > 100:
            pass
    return out


below(3)
