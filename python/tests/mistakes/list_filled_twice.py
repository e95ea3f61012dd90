from pyopt import njit


@njit
def put(items, item):
    items.append(item)


@njit
def collect():
    items = []
    put(items, 1)
    put(items, "a")
    return items


collect()
