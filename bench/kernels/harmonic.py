"""A float loop: the partial sum of the harmonic series."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def harmonic(n):
    total = 0.0
    for i in range(1, n):
        total += 1.0 / i
    return total


KERNEL = Kernel(
    function=harmonic,
    make_args=lambda size: (size,),
    small=10,
    large=10_000_000,
    reference=lambda n: (1.0 / np.arange(1, n)).sum(),
    tolerance=1e-12,
)
