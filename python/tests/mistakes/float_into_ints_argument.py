from pyopt import njit


@njit
def push(items):
    items.append(2.5)


push([7])
