from pyopt import njit


@njit
def collect():
    items = [1]
    items.append(2.5)
    items.append("three")
    return items


collect()
