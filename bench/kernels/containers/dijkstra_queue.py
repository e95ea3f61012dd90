"""Shortest paths by a priority queue, in a graph that is a dict of lists."""

from heapq import heappop, heappush

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def dijkstra_queue(sources, targets, lengths):
    graph = {}
    for at in range(len(sources)):
        source = sources[at]
        if source not in graph:
            graph[source] = [(targets[at], lengths[at])]
        else:
            graph[source].append((targets[at], lengths[at]))
    distances = {sources[0]: 0}
    queue = [(0, sources[0])]
    while len(queue) > 0:
        distance, node = heappop(queue)
        if distance > distances[node] or node not in graph:
            continue
        for target, length in graph[node]:
            new = distance + length
            if target not in distances or new < distances[target]:
                distances[target] = new
                heappush(queue, (new, target))
    total = 0
    for distance in distances.values():
        total += distance
    return total


def make_args(size):
    """The edges of a graph with five times as many as nodes."""
    random = np.random.default_rng(10)
    nodes = random.integers(0, 1 << 40, size // 5)
    return *(nodes[random.integers(0, size // 5, size)] for _end in range(2)), random.integers(
        1, 100, size
    )


# Numba has no dicts of lists but its own.
KERNEL = Kernel(
    function=dijkstra_queue, make_args=make_args, small=30, large=100_000, unsupported=("Numba",)
)
