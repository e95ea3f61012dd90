from pyopt import njit


@njit
def put(items):
    items.append(1)


@njit
def collect():
    items = []
    put(items)
    items.append("a")
    return items


collect()
