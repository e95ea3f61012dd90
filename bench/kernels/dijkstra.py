"""Shortest paths by Dijkstra's algorithm, with a binary heap in arrays."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def push(keys, nodes, count, key, node):
    child = count
    while child > 0:
        parent = (child - 1) // 2
        if keys[parent] <= key:
            break
        keys[child] = keys[parent]
        nodes[child] = nodes[parent]
        child = parent
    keys[child] = key
    nodes[child] = node


@njit
def sift(keys, nodes, count, key, node):
    parent = 0
    while 2 * parent + 1 < count:
        child = 2 * parent + 1
        if child + 1 < count and keys[child + 1] < keys[child]:
            child += 1
        if keys[child] >= key:
            break
        keys[parent] = keys[child]
        nodes[parent] = nodes[child]
        parent = child
    keys[parent] = key
    nodes[parent] = node


@njit
def dijkstra(starts, targets, weights):
    distances = np.full(starts.size - 1, np.inf)
    keys = np.empty(targets.size + 1)
    nodes = np.empty(targets.size + 1, np.int64)
    distances[0] = 0.0
    keys[0] = 0.0
    nodes[0] = 0
    count = 1
    while count > 0:
        distance = keys[0]
        node = nodes[0]
        count -= 1
        if count > 0:
            sift(keys, nodes, count, keys[count], nodes[count])
        if distance > distances[node]:
            continue
        for edge in range(starts[node], starts[node + 1]):
            target = targets[edge]
            through = distance + weights[edge]
            if through < distances[target]:
                distances[target] = through
                push(keys, nodes, count, through, target)
                count += 1
    return distances


def make_args(size):
    """Four edges a node."""
    random = np.random.default_rng(102)
    starts = np.arange(size + 1) * 4
    return starts, random.integers(0, size, size * 4), random.random(size * 4)


KERNEL = Kernel(function=dijkstra, make_args=make_args, small=8, large=20_000)
