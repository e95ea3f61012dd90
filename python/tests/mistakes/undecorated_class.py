from pyopt import njit


class Particle:
    def __init__(self, x):
        self.x = x
        self.history = []


@njit
def position(x):
    particle = Particle(x)
    return particle.x


position(3.0)
