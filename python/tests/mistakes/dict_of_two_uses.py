from pyopt import njit


@njit
def count(key):
    table = {}
    table["a"] = 1
    table[key] = "one"
    return table


count("b")
