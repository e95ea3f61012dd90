from pyopt import njit


@njit
def f(n):
    text = ""
    for i in range(n):
        text = text + i
    return text


f(3)
