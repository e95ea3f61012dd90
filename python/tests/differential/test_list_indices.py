"""Arrays that are indexed by lists, which count as arrays."""

import numpy as np
import pytest
from differential.compare import check

from pyopt import errors, njit


def reads(a, i):
    return a[[0, 2]], a[[i, -1, i]], a[:, [1, 0]], a[[0, 1], [i, 2]], a[[True, False, True]], a[..., [i]]


def writes(a, i):
    a[[0, 2]] = 7
    a[:, [i]] += 1
    a[[1, 1], [0, 2]] = [5, 6]
    return a


def grown(a, i):
    rows = [i]
    for row in range(i):
        rows.append(row)
    return a[rows], a[rows, rows], a[rows, 1:], a[[row for row in rows if row >= 0]]


@pytest.mark.parametrize("function", [reads, writes, grown], ids=lambda one: one.__name__)
@pytest.mark.parametrize("dtype", ["i4", "f8", "c16"])
def test_like_numpy(function, dtype):
    whole = np.arange(24).reshape(6, 4).astype(dtype)
    for view in (whole[:3], whole[::-2], np.asfortranarray(whole[:3])):
        check(function, view.copy(order="K"), 1)
        check(function, view.copy(order="K"), 2)


def test_errors():
    with pytest.raises(IndexError):
        njit(lambda a: a[[0, 3]])(np.arange(3))
    with pytest.raises(errors.TypingError):
        njit(lambda a: a[[0.5]])(np.arange(3))
