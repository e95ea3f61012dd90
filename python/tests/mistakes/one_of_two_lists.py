from pyopt import njit


@njit
def collect(first):
    numbers = []
    texts = []
    chosen = numbers if first else texts
    numbers.append(1)
    texts.append("x")
    return chosen


collect(True)
