"""`prange` loops that are left: by break, return and yield; by exceptions that are caught around them."""

import numpy as np
import pytest
from on_threads import check, run, same_outcome, warns_of

from pyopt import njit, prange, set_num_threads

SIZES = [(n,) for n in (0, 1, 5, 6, 40)]


def stopped(n):
    total = 0
    for i in prange(n):
        if i * i > 30:
            break
        total += i
    return total


def stopped_or_not(n):
    total = 0
    for i in prange(n):
        if i * i > 30:
            break
        total += i
    else:
        total += 1000
    return total, i if n else -1


def found(n):
    for i in prange(n):
        if i * i > 30:
            return i
    return -1


def inner_stopped(n):
    out = np.zeros(n)
    for i in prange(n):
        for j in prange(n):
            if j > i:
                break
            out[i] += j
    return out


@pytest.mark.parametrize("function", [stopped, stopped_or_not, found])
def test_left_loops_stay_serial(function):
    check(function, *SIZES, serial=True)
    warns_of(function, SIZES[0], "one after another: it is left by break or return")
    # Without threads a prange is a range.
    for args in SIZES:
        same_outcome(run(njit(function), args), run(function, args), 0, repr(args))


def test_inner_loops_may_be_left():
    check(inner_stopped, *SIZES, serial=True)


def test_generators():
    @njit(parallel=True)
    def squares(n):
        for i in prange(n):
            yield i * i

    with pytest.warns(match="it yields"):
        assert list(squares(4)) == [0, 1, 4, 9]


@njit
def positive(x):
    if x < 0:
        raise ValueError("negative")
    return x + 1


def total_or_code(a):
    total = 0.0
    try:
        for i in prange(len(a)):
            total += positive(a[i])
        total *= 2
    except ValueError:
        return -1.0
    return total


def raised_inside(a):
    out = np.zeros(len(a))
    try:
        for i in prange(len(a)):
            if a[i] > 30:
                raise KeyError("large")
            out[i] = a[i] * 2
    except KeyError:
        out = np.ones(1)
    return out


def first_of_two(a):
    try:
        for i in prange(len(a)):
            if a[i] < 0:
                raise KeyError("negative")
            if a[i] > 30:
                raise ValueError("large")
    except ValueError:
        return 1, "ValueError"
    except KeyError:
        return 2, "KeyError"
    return 0, "none"


def not_caught(a):
    total = 0.0
    try:
        for i in prange(len(a)):
            total += positive(a[i])
    except KeyError:
        return -1.0
    return total


def at_last(a):
    done = 0
    try:
        for i in prange(len(a)):
            positive(a[i])
        done = 1
    finally:
        a[:1] = 7
    return done


def tried_twice(a):
    total = 0.0
    try:
        for i in prange(len(a)):
            try:
                total += positive(a[i])
            except ValueError:
                total += 1000.0
            if a[i] > 30:
                raise ValueError("large")
    except ValueError:
        total = -1.0
    return total


def again_and_again(a):
    total = 0.0
    for k in range(3):
        try:
            for i in prange(len(a)):
                total += positive(a[i] - k)
        except ValueError:
            return -1.0 - k
    return total


def nested(a):
    out = np.zeros((len(a), 3))
    try:
        for i in prange(len(a)):
            for j in prange(3):
                out[i, j] = positive(a[i] - j)
    except ValueError:
        return np.zeros((1, 1))
    return out


def shapes(a):
    out = np.zeros((len(a), 3))
    try:
        for i in prange(len(a)):
            out[i] = a[:2] + a[: len(a) // 2]
    except ValueError:
        return np.zeros((1, 1))
    return out


ARRAYS = [
    (np.arange(40.0),),
    (np.arange(40.0) - 3,),
    (40.0 - np.arange(43.0),),
    (np.arange(1.0, 20.0),),
    (np.zeros(0),),
    (np.arange(5.0)[::-1],),
]


@pytest.mark.parametrize(
    "function",
    [
        total_or_code,
        raised_inside,
        first_of_two,
        not_caught,
        at_last,
        tried_twice,
        again_and_again,
        nested,
        shapes,
    ],
)
def test_caught_around(function):
    check(function, *ARRAYS, tolerance=1e-12)


def sum_so_far(a):
    total = 0.0
    try:
        for i in prange(len(a)):
            total += positive(a[i])
    except ValueError:
        return total, i
    return total, -1


def test_handlers_that_need_what_an_iteration_had():
    check(sum_so_far, *ARRAYS, serial=True)
    warns_of(sum_so_far, ARRAYS[0], "caught by a handler that needs what variables are at that point")


def test_the_loop_that_is_caught_runs_on_threads():
    compiled = njit(parallel=True)(total_or_code)
    set_num_threads(2)
    compiled(np.arange(40.0))
    assert "parfor.launch" in str(compiled.inspect_ir("parfor-to-threads"))
