import datetime

from pyopt import njit


@njit
def f(x):
    return datetime.datetime.now()


f(1)
