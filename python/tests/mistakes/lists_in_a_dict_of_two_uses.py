from pyopt import njit


@njit
def group():
    groups = {}
    groups.setdefault("a", []).append(1)
    groups.setdefault("b", []).append("x")
    return groups


group()
