"""What chunks of iterations leave in arrays is released, also when an iteration raises."""

import numpy as np
import pytest
from memory import growth

from pyopt import njit, prange, set_num_threads
from pyopt.extending import reduction


@reduction(identity=(0, 0.0))
def checked(a, b):
    if b[0] < 0:
        raise ValueError("negative")
    return (a[0] + b[0], a[1] + b[1])


def rows(m):
    acc = np.zeros(m.shape[1])
    for i in prange(len(m)):
        if m[i, 0] < 0:
            raise ValueError("negative")
        acc += m[i] * 2
    return acc


def new_rows(m):
    acc = np.zeros(m.shape[1])
    for i in prange(len(m)):
        if m[i, 0] < 0:
            raise ValueError("negative")
        acc = np.maximum(acc, m[i] * 2)
    return acc


def place(m):
    best, where = -np.inf, -1
    for i in prange(len(m)):
        if m[i, 0] < 0:
            raise ValueError("negative")
        total = (m[i] * 2).sum()
        if total > best:
            best, where = total, i
    return best, where


def tuples(m):
    acc = (0, 0.0)
    for i in prange(len(m)):
        if m[i, 1] > 0:
            acc = checked(acc, (int(m[i, 0]), (m[i] * 2).sum()))
    return acc


@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize("function", [rows, new_rows, place, tuples])
def test_nothing_stays(function, threads):
    set_num_threads(threads)
    compiled = njit(parallel=True)(function)
    m = np.ones((40, 5))
    assert growth(lambda: compiled(m)) == 0
    assert growth(lambda: compiled(m[:0])) == 0
    for at in (0, 23, 39):
        falls = m.copy()
        falls[at, 0] = -1

        def run(falls=falls):
            with pytest.raises(ValueError, match="negative"):
                compiled(falls)

        assert growth(run) == 0
