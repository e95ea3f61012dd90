from pyopt import njit


@njit
def collect():
    rows = [[]]
    rows[0].append(1)
    for row in rows:
        row.append("a")
    return rows


collect()
