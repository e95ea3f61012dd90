from pyopt import njit


@njit
def scaled(x, **options):
    return x * options.get("scale", 1)


scaled(3.0, scale=2)
