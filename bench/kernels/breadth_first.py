"""Distances from a node in a graph in compressed rows, by a queue in an array."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def breadth_first(starts, targets):
    n = starts.size - 1
    distances = np.full(n, -1, np.int32)
    queue = np.empty(n, np.int32)
    distances[0] = 0
    queue[0] = 0
    head, tail = 0, 1
    while head < tail:
        node = queue[head]
        head += 1
        for edge in range(starts[node], starts[node + 1]):
            target = targets[edge]
            if distances[target] < 0:
                distances[target] = distances[node] + 1
                queue[tail] = target
                tail += 1
    return distances


def make_args(size):
    """Five edges a node, indices of 32 bits."""
    targets = np.random.default_rng(125).integers(0, size, size * 5)
    return (np.arange(size + 1) * 5).astype(np.int32), targets.astype(np.int32)


KERNEL = Kernel(function=breadth_first, make_args=make_args, small=8, large=150_000)
