"""`sum`, `min`, `max`, `any`, `all`, `len` and `in` over ranges, tuples and arrays."""

import itertools

import numpy as np
import pytest
from compare import check, compile_once

from pyopt import errors, njit

BOUNDS = (-(2**61), -7, -1, 0, 1, 2, 8, 2**61)
STEPS = (-(2**62), -3, -1, 1, 2, 7, 2**62)
TUPLES = [(1,), (0,), (3, 1, 2), (1, -2, 0, -2), (2.5, -1.5), (1, 2.5, 0.0), (True, False), (0, 0.0, False)]
VECTORS = [
    np.array(values, dtype)
    for values in ([], [0], [2, 1, 1, 3], [0, 0, 0], [1, 2, 0])
    for dtype in ("int8", "uint8", "int64", "float32", "float64", "bool")
]


def sum_range(start, stop, step):
    return sum(range(start, stop, step))


def sum_range_from(n, first):
    return sum(range(n), first), sum(range(3, n), start=first)


def extremes_of_range(start, stop, step):
    return min(range(start, stop, step)), max(range(start, stop, step))


def truth_of_range(start, stop, step):
    return any(range(start, stop, step)), all(range(start, stop, step))


def is_in_range(x, start, stop, step):
    return x in range(start, stop, step), x not in range(start, stop, step)


def length_and_items(start, stop, step):
    r = range(start, stop, step)
    return (len(r), r[0], r[-1]) if stop != start and (stop > start) == (step > 0) else (0, 0, 0)


def parts(start, stop, step):
    r = range(start, stop, step)
    return r.start, r.stop, r.step


def total(a):
    return sum(a)


def total_from(a, start):
    return sum(a, start)


def least(a):
    return min(a)


def greatest(a):
    return max(a)


def truths(a):
    return any(a), all(a)


def is_in(x, a):
    return x in a, x not in a


def written_out():
    return any((0, 0.0, 2)), all(()), any(()), sum(()), sum((1, 2.5)), min((3, 2)), max(1, 2, 3)


@pytest.mark.parametrize("step", STEPS)
def test_ranges(step):
    for start, stop in itertools.product(BOUNDS, BOUNDS):
        # The interpreter goes through all items.
        if abs(start - stop) < 100 * abs(step):
            check(truth_of_range, start, stop, step)
            check(extremes_of_range, start, stop, step)
            check(sum_range, start, stop, step)
        check(length_and_items, start, stop, step)
        check(parts, start, stop, step)
        for x in (*BOUNDS, start + 1, start + step, stop - 1):
            check(is_in_range, x, start, stop, step)


@pytest.mark.parametrize("x", [-(2**63), -(2**63) + 1, -1, 0, 1, 2**63 - 2, 2**63 - 1])
def test_widest_ranges(x):
    for step in (1, 2, 3, 10, -1, -3, 2**62 + 1):
        check(is_in_range, x, -(2**63), 2**63 - 1, step)
        check(is_in_range, x, 2**63 - 1, -(2**63), step)


@pytest.mark.parametrize("first", [0, 5, 0.5])
def test_a_sum_starts_anywhere(first):
    for n in (-1, 0, 1, 9):
        check(sum_range_from, n, first)
    for a in VECTORS:
        # The type of a sum doesn't depend on whether there are items.
        if a.dtype.kind != "b" and (a.size > 0 or a.dtype.kind != "f"):
            check(total_from, a, first)


@pytest.mark.parametrize("t", TUPLES, ids=str)
def test_tuples(t):
    check(total, t)
    check(truths, t)
    if len({type(item) for item in t}) == 1:
        check(least, t)
        check(greatest, t)
    for x in (-2, 0, 1, 2.5):
        check(is_in, x, t)
    check(written_out)


@pytest.mark.parametrize("a", VECTORS, ids=lambda a: f"{a.dtype}{a.tolist()}")
def test_vectors(a):
    check(truths, a)
    for view in (a, a[::-1], a[::2]):
        check(least, view)
        check(greatest, view)
        if a.dtype.kind != "b" and (a.size > 0 or a.dtype.kind != "f"):
            check(total, view)
        for x in (0, 1, 3, 2.5):
            check(is_in, x, view)


def test_matrices_hold_items():
    for order in ("C", "F"):
        m = np.array([[1, 2], [3, 4]], order=order)
        check(is_in, 3, m)
        check(is_in, 5, m[:, ::-1])


def test_not_a_number_is_in_nothing():
    check(is_in, np.nan, np.array([1.0, np.nan]))


@pytest.mark.parametrize("function", [total, least, greatest, truths])
def test_matrices_are_refused(function):
    with pytest.raises(errors.TypingError, match="takes vectors, lists, ranges and tuples; use np"):
        compile_once(function)(np.ones((2, 2)))


def test_ranges_are_equal_by_their_items():
    def compared(a, b, c, d, e, f):
        left, right = range(a, b, c), range(d, e, f)
        return left == right, left != right, left in [right], right == (a, b)

    bounds = ((0, 1, 3), (0, 3, 4), (1, -1, 2))
    compiled = njit(compared)
    for case in itertools.product(*bounds, *bounds):
        assert compiled(*case) == compared(*case), case
