from pyopt import njit

settings = {"alpha": 1.0, "beta": 2}


@njit
def scale(options, x):
    return options["alpha"] * x


scale(settings, 3.0)
