from pyopt import njit


@njit
def collect(first):
    if first:
        items = [1]
    else:
        items = ["a"]
    items.reverse()
    return items


collect(True)
