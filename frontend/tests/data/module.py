"""A module whose names the front end resolves."""

import json
import math
import os.path
from math import pi, sqrt

import numpy as np
import numpy.linalg as la
from pyopt import njit, prange, stencil
import numba as nb

N, M = 10, -2.5
SHAPE = (N, 3)
MODE = "fast"
cosine = np.cos
limits = [1, 2]

try:
    import scipy
except ImportError:
    scipy = None

if N > 5:
    CHOICE = 1
else:
    CHOICE = 2

counter = 0


def plain(x, scale=2.0, *, offset=N):
    return x * scale + offset


@njit
def uses(x):
    total = 0.0
    for i in prange(N):
        total += sqrt(x) * np.pi + plain(x) + cosine(M) + SHAPE[0] + pi
    assert total > 0
    return total + la.norm(x) + len(x)


@nb.njit(parallel={"fusion": False}, fastmath=True, cache=True, locals={})
def parallel(x):
    return uses(x) + CHOICE + counter + limits[0] + missing


@stencil(neighborhood=((-1, 1),), cval=0.5)
def average(a):
    return (a[-1] + a[1]) / 2


@nb.vectorize
def ufunc(x):
    return x


@njit(fastmath={"nnan"})
def smooth(a):
    global counter
    counter += 1
    return average(a) + ufunc(a) + math.tau + scipy.special(os.path, json)


# The code is what it is for the tests.
# ruff: noqa
