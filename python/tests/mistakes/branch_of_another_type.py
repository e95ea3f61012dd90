from pyopt import njit


def named(x):
    class Name:
        pass

    return len(x)


@njit
def f(x):
    if isinstance(x, str):
        return named(x)
    return x


f(3)
