"""The states of this thread's generators of random numbers, for programs that keep and restore them."""

import numpy as np

from pyopt import _core

# What stands for the address of a generator's state.
_NUMPY, _PYTHON = 0, 1


def rnd_get_np_state_ptr():
    """Give what stands for the generator of ``numpy.random``."""
    return _NUMPY


def rnd_get_py_state_ptr():
    """Give what stands for the generator of Python's ``random``."""
    return _PYTHON


def rnd_get_state(generator):
    """Give the position of a generator's next word, and the list of its words."""
    return _core.random_state(generator == _PYTHON)


def rnd_set_state(generator, state):
    """Have a generator go on from a position and words."""
    position, words = state
    _core.set_random_state(generator == _PYTHON, position, words)


def rnd_seed(generator, seed):
    """Give a generator the state that NumPy makes of a number or of bytes."""
    if isinstance(seed, (bytes, bytearray)):
        seed = np.frombuffer(seed, np.uint32)
    _, words, position, *_ = np.random.RandomState(seed).get_state()
    rnd_set_state(generator, (position, words.tolist()))
