"""Functions with next to no body, for the cost of a call. Loaded once per implementation."""

import numpy as np

from bench.api import njit, typed

numbers = typed.List(list(range(100)))
counts = typed.Dict({number: number for number in range(100)})
lengths = typed.Dict({"one": 3.0, "three": 5.0})


@njit
def one_int(n):
    return n


@njit
def two_floats(x, y):
    return x + y


@njit
def one_array(a):
    return a.size


@njit
def three_arrays(a, b, c):
    return a.size + b.size + c.size


@njit
def new_array(n):
    return np.empty(n)
