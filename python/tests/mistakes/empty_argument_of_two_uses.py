from pyopt import njit


@njit
def push(items):
    items.append(1)
    items += ["a"]


push([])
