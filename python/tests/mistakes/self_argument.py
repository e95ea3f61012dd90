import threading

import numpy as np

from pyopt import njit


class Model:
    def __init__(self):
        self.weights = np.ones(3)
        self.lock = threading.Lock()

    @njit
    def predict(self, x):
        with self.lock:
            return (self.weights * x).sum()


Model().predict(2.0)
