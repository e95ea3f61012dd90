from pyopt import njit


def named(x):
    class Name:
        pass

    return x


@njit
def f(x):
    return named(x) + 1


f(3)
