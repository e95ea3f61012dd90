import numpy as np

from pyopt import njit


@njit
def sample(n):
    generator = np.random.default_rng(3)
    return generator.normal(size=n)


sample(3)
