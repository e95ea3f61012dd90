from pyopt import njit


@njit
def collect():
    items = [1, 2]
    items.append(3)
    items.insert(0, "x")
    return items


collect()
