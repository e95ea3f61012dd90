"""A Viterbi decoder that takes the best predecessor by `argmax` of a short array."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def viterbi(observed, transition, emission):
    states = transition.shape[0]
    score = np.zeros(states)
    following = np.empty(states)
    previous = np.empty((observed.size, states), np.int64)
    for t in range(observed.size):
        for s in range(states):
            candidates = score + transition[s]
            best = np.argmax(candidates)
            previous[t, s] = best
            following[s] = candidates[best] + emission[s, observed[t]]
        score[:] = following
    path = np.empty(observed.size, np.int64)
    state = np.argmax(score)
    for t in range(observed.size - 1, -1, -1):
        path[t] = state
        state = previous[t, state]
    return path


def make_args(size):
    """Eight states, twenty symbols."""
    random = np.random.default_rng(118)
    return random.integers(0, 20, size), random.random((8, 8)), random.random((8, 20))


KERNEL = Kernel(function=viterbi, make_args=make_args, small=6, large=30_000)
