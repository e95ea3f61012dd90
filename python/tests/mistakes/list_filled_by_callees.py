from pyopt import njit


@njit
def fill_numbers(items):
    items.append(1)


@njit
def fill_texts(items, count):
    for _ in range(count):
        items.append("a")


@njit
def collect():
    items = []
    fill_numbers(items)
    fill_texts(items, 3)
    return items


collect()
