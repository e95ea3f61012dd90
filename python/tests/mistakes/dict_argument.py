from pyopt import njit

settings = {"alpha": 1.0, "name": "linear"}


@njit
def scale(options, x):
    return options["alpha"] * x


scale(settings, 3.0)
