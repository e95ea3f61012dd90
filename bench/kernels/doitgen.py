"""A tensor times a matrix, in place through a vector (Polybench's doitgen)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def doitgen(a, c4):
    nr, nq, np_ = a.shape
    total = np.empty(np_)
    for r in range(nr):
        for q in range(nq):
            for p in range(np_):
                total[p] = 0.0
                for s in range(np_):
                    total[p] += a[r, q, s] * c4[s, p]
            for p in range(np_):
                a[r, q, p] = total[p]


def make_args(size):
    """A tensor and a matrix of positive numbers."""
    random = np.random.default_rng(40)
    return random.random((size, size // 2, size)), random.random((size, size))


def reference(a, c4):
    """BLAS's."""
    a[:] = a @ c4


KERNEL = Kernel(
    function=doitgen,
    make_args=make_args,
    small=4,
    large=50,
    reference=reference,
    tolerance=1e-12,
    in_place=True,
)
