import numpy as np

from pyopt import njit


class Frame:
    def __init__(self):
        self.values = np.ones((2, 2))


@njit
def total(frame):
    return frame.values.sum()


total(Frame())
