"""Numbers and arrays from distributions: what the functions of numpy.random are written with."""

import numpy as np

from pyopt.library import implements, intrinsics, literal
from pyopt.library.broadcasting import as_tuple


def draw_all(name: literal, out, parameters):
    """Draw the elements of an array from a distribution, on threads from the generator of each."""
    v = intrinsics.reshape(out, (out.size,))
    parts = intrinsics.parts(v.size, 50)
    for part in intrinsics.prange("numpy", parts):
        begin = v.size * part // parts
        end = v.size * (part + 1) // parts
        intrinsics.draws(name, v, begin, end, parameters)
    return out


def draw_floats(name: literal, size, parameters):
    """Draw a float from a distribution, or an array of a size."""
    if size is None:
        return intrinsics.draw(name, 0.0, parameters)
    return draw_all(name, np.empty(as_tuple(size), np.float64), parameters)


def draw_ints(name: literal, size, parameters):
    """Draw an int from a distribution, or an array of a size."""
    if size is None:
        return intrinsics.draw(name, 0, parameters)
    return draw_all(name, np.empty(as_tuple(size), np.int64), parameters)


def as_real(x):
    """Make a parameter of a distribution a float."""
    if isinstance(x, (np.ndarray, tuple)):
        intrinsics.unsupported("parameters of distributions are numbers: draw in a loop for arrays of them")
    # Of a float32 Python's float may be none of 64 bits.
    return np.float64(x)


def as_count(x):
    """Make a parameter of a distribution an int."""
    if isinstance(x, (np.ndarray, tuple)):
        intrinsics.unsupported("parameters of distributions are numbers: draw in a loop for arrays of them")
    return np.int64(x)


@implements("numpy.random.seed")
def random_seed(seed=None):
    """Give this thread's generator the state that NumPy makes of a number, or one nobody can foresee."""
    if seed is None:
        intrinsics.draw("seed", None, (0, 0))
        return
    if not isinstance(seed, int):
        intrinsics.unsupported("numpy.random.seed takes an int or None")
    if seed < 0 or seed > 4294967295:
        raise ValueError("Seed must be between 0 and 2**32 - 1")
    intrinsics.draw("seed", None, (as_count(seed), 1))


@implements("numpy.random.random", "numpy.random.random_sample", "numpy.random.ranf", "numpy.random.sample")
def random_sample(size=None):
    """Draw from 0 to 1."""
    return draw_floats("unit", size, ())


@implements("numpy.random.rand")
def random_rand(*shape):
    """Draw an array of a shape from 0 to 1."""
    if len(shape) == 0:
        return random_sample()
    return random_sample(shape)


@implements("numpy.random.uniform")
def random_uniform(low=0.0, high=1.0, size=None):
    """Draw from an interval."""
    width = as_real(high) - as_real(low)
    if not np.isfinite(width):
        raise OverflowError("Range exceeds valid bounds")
    return draw_floats("uniform", size, (as_real(low), width))


def below(low, high, size):
    """Draw ints from one on, up to another one, which is excluded."""
    if low >= high:
        raise ValueError("low >= high")
    return draw_ints("integer", size, (as_count(low), as_count(high) - as_count(low) - 1))


@implements("numpy.random.randint")
def random_randint(low, high=None, size=None):
    """Draw ints below a number, or between two."""
    if high is None:
        if low <= 0:
            raise ValueError("high <= 0")
        return below(0, low, size)
    return below(low, high, size)
