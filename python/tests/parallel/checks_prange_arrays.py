"""Arrays that ``prange`` loops reduce: every thread adds to an array of its own."""

import numpy as np
import pytest
from on_threads import check, warns_of

from pyopt import prange


def add_rows(m):
    acc = np.zeros(m.shape[1], m.dtype)
    for i in prange(len(m)):
        acc += m[i]
    return acc


def add_expressions(m):
    acc = np.ones(m.shape[1])
    for i in prange(len(m)):
        acc += m[i] * 2 - i
    return acc


def add_numbers(m):
    acc = np.zeros(4)
    for i in prange(len(m)):
        acc += i
    return acc


def subtract_rows(m):
    acc = np.ones(m.shape[1])
    for i in prange(len(m)):
        acc -= m[i]
    return acc


def multiply_rows(m):
    acc = np.ones(m.shape[1])
    for i in prange(len(m)):
        acc *= m[i]
    return acc


def in_branches(m):
    acc = np.zeros(m.shape[1])
    for i in prange(len(m)):
        if i % 3 == 1:
            acc += m[i]
        elif i % 3 == 2:
            continue
        else:
            acc -= 1
    return acc


def in_inner_loops(m):
    acc = np.zeros(m.shape[1])
    count = 0
    for i in prange(len(m)):
        for j in range(i % 3):
            acc += m[j]
            count += 1
    return acc, count


def new_arrays(m):
    acc = np.zeros(m.shape[1])
    for i in prange(len(m)):
        acc = acc + m[i]
    return acc


def new_arrays_sometimes(m):
    acc = np.ones(m.shape[1])
    for i in prange(len(m)):
        if i % 2:
            acc = m[i] * acc
    return acc


def minima(m):
    acc = np.full(m.shape[1], 1e300)
    for i in prange(len(m)):
        acc = np.minimum(acc, m[i])
    return acc


def maxima(m):
    acc = np.full(m.shape[1], -np.inf)
    for i in prange(len(m)):
        acc = np.maximum(acc, m[i] * 2)
    return acc


def products_of_rows(m):
    acc = np.zeros((m.shape[1], m.shape[1]))
    for i in prange(len(m)):
        acc += m[i].reshape(m.shape[1], 1) * m[i]
    return acc


def beside_others(m):
    acc = np.zeros(m.shape[1])
    total = 0.0
    most = -1.0
    where = -1
    out = np.zeros(len(m))
    for i in prange(len(m)):
        acc += m[i]
        total += m[i, 0]
        out[i] = m[i].sum()
        if m[i, 0] > most:
            most = m[i, 0]
            where = i
    return acc, total, most, where, out


def two_arrays(m):
    low = np.zeros(m.shape[1])
    high = np.zeros(m.shape[1])
    for i in prange(len(m)):
        low += np.where(m[i] < 0, m[i], 0.0)
        high += np.where(m[i] < 0, 0.0, m[i])
    return low, high


def matrices(n):
    rng = np.random.default_rng(n)
    for shape in ((0, 3), (1, 3), (2, 1), (9, 4), (40, 7), (5, 0)):
        # Whole numbers: sums are exact in any order.
        yield rng.integers(-9, 9, shape).astype(float)


@pytest.mark.parametrize(
    "function",
    [
        add_rows,
        add_expressions,
        add_numbers,
        subtract_rows,
        in_branches,
        in_inner_loops,
        new_arrays,
        minima,
        maxima,
        products_of_rows,
        beside_others,
        two_arrays,
    ],
)
def test_whole_numbers(function):
    check(function, *((m,) for m in matrices(1) if m.shape[1] or function is not beside_others))


@pytest.mark.parametrize("function", [multiply_rows, new_arrays_sometimes, add_rows])
def test_floats(function):
    rng = np.random.default_rng(5)
    check(function, *((rng.normal(size=(n, 3)),) for n in (0, 1, 4, 60)), tolerance=1e-12)


@pytest.mark.parametrize("function", [minima, maxima])
def test_nan(function):
    rng = np.random.default_rng(5)
    special = rng.choice([np.nan, 0.0, -0.0, 1.0, np.inf, -np.inf], (30, 6))
    check(function, (special,), (special[:1],), (special[::3, ::2],))


@pytest.mark.parametrize("dtype", ["i8", "i4", "f4", "c16"])
def test_types(dtype):
    check(add_rows, (np.arange(20).reshape(10, 2).astype(dtype),), (np.ones((0, 2), dtype),))


def truth_by_columns(m):
    some = np.zeros(m.shape[1], np.bool_)
    for i in prange(len(m)):
        some |= m[i] > 7
    return some


def test_truth():
    check(truth_by_columns, *((m,) for m in matrices(2)))


def seen_by_views(m):
    acc = np.zeros(m.shape[1])
    view = acc[1:]
    for i in prange(len(m)):
        acc += m[i]
    return acc, view


def kept_object(m):
    acc = np.zeros(m.shape[1])
    same = acc
    for i in prange(len(m)):
        acc = acc + m[i]
    if len(m) == 0:
        acc[0] = 5
    return acc, same


def strided(m):
    base = np.zeros(2 * m.shape[1])
    acc = base[::2]
    for i in prange(len(m)):
        acc += m[i]
    return base


def test_memory():
    for function in (seen_by_views, kept_object, strided):
        check(function, *((m,) for m in matrices(3) if m.shape[1]))


def wrong_shape(m):
    acc = np.zeros(3)
    for i in prange(len(m)):
        acc += m[i]
    return acc


def raises(m):
    acc = np.zeros(m.shape[1])
    for i in prange(len(m)):
        acc += m[i]
        if m[i, 0] == 100:
            raise ValueError("a hundred")
    return acc


def test_errors():
    for size in (1, 2, 30):
        m = np.ones((size, 4))
        m[size // 2, 0] = 100
        check(raises, (m,))
    with pytest.raises(ValueError):
        from pyopt import njit

        njit(parallel=True)(wrong_shape)(np.ones((5, 4)))


# What is no reduction stays on one thread.


def assigned(m):
    acc = np.zeros(m.shape[1])
    for i in prange(len(m)):
        acc[:] = m[i]
    return acc


def read_as_well(m):
    acc = np.zeros(m.shape[1])
    out = np.zeros(len(m))
    for i in prange(len(m)):
        acc += m[i]
        out[i] = acc[0]
    return acc, out


def two_operators(m):
    acc = np.zeros(m.shape[1])
    for i in prange(len(m)):
        acc += m[i]
        acc *= 2
    return acc


def of_itself(m):
    acc = np.ones(m.shape[1])
    for i in prange(len(m)):
        acc += acc
    return acc


def shared(m):
    acc = m[0]
    for i in prange(1, len(m)):
        acc += m[i]
    return acc


def replaced(m):
    acc = np.zeros(m.shape[1])
    for i in prange(len(m)):
        if i == 3:
            acc = m[i] * 2
        else:
            acc = acc + m[i]
    return acc


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (assigned, "every iteration assigns to the same array"),
        (read_as_well, "used for something else"),
        (two_operators, "two different operators"),
        (of_itself, "assigns to the same array"),
        (shared, "may share memory with one that they use: make it in this function"),
        (replaced, "is replaced in an iteration that another one sees"),
    ],
)
def test_others_stay_on_one_thread(function, reason):
    usable = [(m,) for m in matrices(4) if m.size]
    check(function, *usable, serial=True)
    warns_of(function, usable[-1], reason)
