import numpy as np

from pyopt import njit


class Model:
    def __init__(self):
        self.weights = np.ones(3)

    @njit
    def predict(self, x):
        return (self.weights * x).sum()


Model().predict(2.0)
