from pyopt import njit


@njit
def width(x):
    text = f"value {x:.3f}"
    return len(text)


width(3.0)
