from pyopt import njit


@njit
def total(rows):
    result = 0
    for row in rows:
        for value in row:
            result += value
    return result


total([[1, 2], [3, 4]])
