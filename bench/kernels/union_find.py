"""Connected components by union-find with path halving."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def find(parents, node):
    while parents[node] != node:
        parents[node] = parents[parents[node]]
        node = parents[node]
    return node


@njit
def components(size, edges):
    parents = np.arange(size)
    count = size
    for i in range(edges.shape[0]):
        a = find(parents, edges[i, 0])
        b = find(parents, edges[i, 1])
        if a != b:
            parents[max(a, b)] = min(a, b)
            count -= 1
    return count


def make_args(size):
    """As many edges as nodes."""
    return size, np.random.default_rng(101).integers(0, size, (size, 2))


KERNEL = Kernel(function=components, make_args=make_args, small=10, large=200_000)
