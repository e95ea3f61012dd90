from pyopt import njit


@njit
def collect():
    seen = set()
    seen.add(1)
    seen.update(["a"])
    return seen


collect()
