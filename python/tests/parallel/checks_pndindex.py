"""Loops over ``pndindex``: all positions in an array, on threads."""

import numpy as np
import pytest
from on_threads import check

import pyopt
from pyopt import njit, pndindex

SHAPES = [(0,), (1,), (7,), (0, 3), (3, 0), (1, 1), (3, 5), (40, 60), (2, 3, 4), (2, 0, 4), ()]


def of_shape(a):
    for at in pndindex(a.shape):
        a[at] = a[at] * 2 + 1
    return a


def sizes_as_arguments(a):
    for at in pndindex(a.shape[0], 3):
        a[at] += at[0] * 10 + at[1]
    return a


def rows_by_one_size(a, n):
    for at in pndindex(n):
        a[at] = at[0]
    return a


def position_by_parts(a, b):
    for i, j in pndindex(a.shape):
        b[j, i] = a[i, j]
    return b


def sums(a):
    total = 0.0
    largest = -np.inf
    for at in pndindex(a.shape):
        total += a[at]
        largest = max(largest, a[at])
    return total, largest


def by_module(a):
    for at in pyopt.pndindex(a.shape):
        if a[at] > 3:
            continue
        a[at] = 0
    return a


def with_calls_and_loops(a, b):
    for at in pndindex(a.shape):
        for k in range(3):
            b[at] += a[at] ** k
    return b


def negative(a, n):
    for at in pndindex((2, n)):
        a[at] = 1
    return a


def numbers(shape, dtype="f8"):
    return (np.arange(np.prod(shape, dtype=int)) % 11).astype(dtype).reshape(shape)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", ["f8", "i4", "c16"])
def test_shapes(shape, dtype):
    check(of_shape, (numbers(shape, dtype),))


def test_parts_of_shapes():
    big = numbers((40, 60))
    check(sizes_as_arguments, (numbers((5, 3)),), (numbers((0, 3)),))
    check(rows_by_one_size, (numbers((5, 3)), 4), (numbers((5,)), 5), (numbers((5, 2)), 0))
    check(position_by_parts, (big[::3, ::-2], np.zeros((30, 14))), (big.T, np.zeros((40, 60))))
    check(of_shape, (big[5:, ::-3],), (np.asfortranarray(big),))
    check(by_module, (big,), (big[::2],))
    check(with_calls_and_loops, (big, big.copy()), (numbers((2, 3, 4)), numbers((2, 3, 4))))


def test_sums():
    check(sums, (numbers((40, 60)),), (numbers((2, 3, 4)),), (numbers((0, 3)),), tolerance=1e-12)


def test_negative_sizes():
    check(negative, (numbers((2, 2)), -1), (numbers((2, 2)), 2))


def test_runs_on_threads():
    @njit(parallel=True)
    def threads(a):
        for at in pndindex(a.shape):
            a[at] = pyopt.get_thread_id()
        return a

    pyopt.set_num_threads(2)
    assert set(np.unique(threads(np.zeros((30, 40))))) <= {0, 1}
    assert "parfor.loop" in threads.inspect_ir("parfor-from-prange")


def test_in_the_interpreter():
    assert list(pndindex(2, 2)) == list(np.ndindex(2, 2)) == list(pndindex((2, 2)))
