"""Shortest paths between all nodes, in place (Polybench's floyd-warshall)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def floyd_warshall(path):
    n = path.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                path[i, j] = min(path[i, j], path[i, k] + path[k, j])


def reference(path):
    """One node a step."""
    for k in range(len(path)):
        np.minimum(path, np.add.outer(path[:, k], path[k]), out=path)


KERNEL = Kernel(
    function=floyd_warshall,
    make_args=lambda size: (np.random.default_rng(38).integers(1, 1000, (size, size)),),
    small=5,
    large=140,
    reference=reference,
    in_place=True,
)
