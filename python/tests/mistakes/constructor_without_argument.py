from pyopt import types
from pyopt.experimental import jitclass


@jitclass([("x", types.int64)])
class Point:
    def __init__(self, x):
        self.x = x


Point()
