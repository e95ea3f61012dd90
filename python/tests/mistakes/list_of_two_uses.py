from pyopt import njit


@njit
def words(n):
    items = []
    for i in range(n):
        if i % 2:
            items.append(i)
        else:
            items.append("even")
    return items


words(3)
