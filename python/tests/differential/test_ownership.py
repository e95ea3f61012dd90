"""Arrays across the border: identity, views, aliasing, and that nothing leaks."""

# ruff: noqa: F841 -- variables that nobody reads are among the variants

import gc
import sys

import numpy as np
import pytest
from arrays import LAYOUTS_2D, matrix, vector
from compare import SumOf, check, compile_once
from memory import live

from pyopt import njit, prange


def assert_no_leak(function, *args, raises=None, **options):
    """Call a few times and compare the counters, and the reference counts of the arguments."""
    compiled = compile_once(function, **options)

    def call():
        if raises is None:
            compiled(*args)
            return
        with pytest.raises(raises):
            compiled(*args)

    call()
    before = live()
    # Small integers are shared with everybody, the counts in this list included.
    counted = [value for value in args if not isinstance(value, int)]
    counts = [sys.getrefcount(value) for value in counted]
    for _ in range(5):
        call()
    assert live() == before
    assert [sys.getrefcount(value) for value in counted] == counts


# Leaks


def temporaries(a, n):
    t = a * 2.0
    u = t + a
    return (u - t).sum()


def unused_array(a, n):
    made = np.zeros(n)
    other = made
    return n


def overwritten(a, n):
    made = np.zeros(n)
    for i in range(n):
        made = made + i
    return made


def in_branch(a, n):
    if n > 3:
        made = np.ones(n)
    else:
        made = a
    return made


def swapped_in_loop(a, n):
    x = np.zeros(4)
    y = np.ones(4)
    for _ in range(n):
        x, y = y, x
    return x


def returned_view(a, n):
    return np.arange(n)[2:][::2]


def several_results(a, n):
    made = np.zeros(n)
    return made, made, made[1:], a


def view_only_used(a, n):
    row = np.ones((n, n))[1]
    total = 0.0
    for x in row:
        total += x
    return total


def broken_loop(a, n):
    for i in range(n):
        made = np.full(i + 1, 1.0)
        if i == 3:
            break
    return made


def early_return(a, n):
    for i in range(n):
        made = np.zeros(i + 1)
        if i == 3:
            return made
    return a


@njit
def maker(n):
    return np.ones(n)


@njit
def taker(a):
    return a.sum()


@njit
def passer(a):
    return a


def through_calls(a, n):
    return taker(passer(maker(n))) + taker(passer(a))


def ignored_call(a, n):
    maker(n)
    return 0


def tuple_of_arrays(a, n):
    pair = (np.zeros(n), a)
    return pair[0].sum() + pair[1][0]


def nested_loops(a, n):
    total = 0.0
    for i in range(n):
        row = np.zeros(n)
        for j in range(n):
            row = row + 1.0
            if j == i:
                continue
            cell = row * j
            total += cell[0]
    return total, row


def while_loop(a, n):
    x = a
    while n > 0:
        x = x + 1.0
        n -= 1
    return x


def maybe_unbound(a, n):
    for i in range(n):
        made = np.zeros(i + 1)
    return made.shape[0]


WORKING = (
    temporaries,
    unused_array,
    overwritten,
    in_branch,
    swapped_in_loop,
    returned_view,
    several_results,
    view_only_used,
    broken_loop,
    early_return,
    through_calls,
    ignored_call,
    tuple_of_arrays,
    nested_loops,
    while_loop,
    maybe_unbound,
)


@pytest.mark.parametrize("function", WORKING)
def test_results_and_no_leaks(function):
    a = vector(5)
    for n in (7, 2, 5):
        if not (function is broken_loop and n == 0):
            check(function, a, n, tolerance=SumOf(np.full(200, 200.0), a * 9))
            assert_no_leak(function, a, n)


def raise_in_loop(a, n):
    total = np.zeros(n)
    for i in range(n):
        part = np.ones(n) * i
        if i == 3:
            raise ValueError("stopped")
        total = total + part
    return total


def raise_in_nested_loop(a, n):
    kept = np.zeros(n)
    for i in range(n):
        outer = np.ones(i + 1)
        for j in range(n):
            inner = outer * j
            if inner[0] > 2:
                raise ValueError("stopped")
        kept = kept + outer[0]
    return kept


def raise_after_allocations(a, n):
    x = a * 2
    y = x + 1
    if y[0] < 1e300:
        raise ValueError("stopped")
    return x, y


@njit
def checked(a, limit):
    scaled = a * 3.0
    if limit > 3:
        raise ValueError("stopped")
    return scaled


def raise_in_callee(a, n):
    mine = a + 1.0
    theirs = checked(mine, n)
    return mine + theirs


def raise_with_tuple(a, n):
    pair = (a * 2, (np.zeros(n), n))
    if n > 3:
        raise ValueError("stopped")
    return pair


def divide_by_zero(a, n):
    made = np.ones(n)
    return made, n // (n - n)


def shapes_do_not_fit(a, n):
    made = np.ones(n)
    return a + made


def unbound_variable(a, n):
    made = np.ones(n)
    if n < 3:
        late = made
    return late


RAISING = {
    raise_in_loop: ValueError,
    raise_in_nested_loop: ValueError,
    raise_after_allocations: ValueError,
    raise_in_callee: ValueError,
    raise_with_tuple: ValueError,
    divide_by_zero: ZeroDivisionError,
    shapes_do_not_fit: ValueError,
    unbound_variable: UnboundLocalError,
}


@pytest.mark.parametrize("function", RAISING)
def test_exceptions_leak_nothing(function):
    a = vector(5)
    assert_no_leak(function, a, 6, raises=RAISING[function])
    check(function, a, 6, message=False)


def parallel_fill(a, n):
    out = np.zeros(n)
    for i in prange(n):
        row = np.ones(4) * i
        out[i] = row.sum()
    return out


def parallel_raise(a, n):
    out = np.zeros(n)
    for i in prange(n):
        row = np.ones(4) * i
        if row[0] == 5:
            raise ValueError("five")
        out[i] = row[1]
    return out


def test_parallel_loops_leak_nothing():
    a = vector(3)
    assert_no_leak(parallel_fill, a, 1000, parallel=True)
    assert_no_leak(parallel_raise, a, 1000, raises=ValueError, parallel=True)
    assert_no_leak(temporaries, vector(10000), 3, parallel=True)


def test_returned_memory_lives_as_long_as_its_views():
    before = live()
    whole, same, part, _ = compile_once(several_results)(vector(3), 100)
    assert live()[0] == before[0] + 1
    del whole, same
    assert live()[0] == before[0] + 1
    np.testing.assert_array_equal(part, np.zeros(99))
    piece = part[::10]
    del part
    piece += 1
    assert piece.sum() == 10
    del piece
    assert live() == before


# Identity and views


def identity(a):
    return a


def two_of_them(a):
    return a, a


def nested_result(a):
    return (a, (a, 1)), 2.5


def after_loop(a):
    b = a
    for _ in range(3):
        b = a
    return b


@pytest.mark.parametrize("layout", LAYOUTS_2D)
def test_an_argument_is_returned_as_itself(layout):
    a = matrix(3, 4, "f8", layout)
    assert compile_once(identity)(a) is a
    assert compile_once(after_loop)(a) is a
    first, second = compile_once(two_of_them)(a)
    assert first is a
    assert second is a
    result = compile_once(nested_result)(a)
    assert result[0][0] is a
    assert result[0][1][0] is a
    assert result[0][1][1] == 1
    assert result[1] == 2.5


def test_arguments_are_told_apart():
    def swapped(a, b, c):
        return c, a, b

    a, b = np.zeros(3), np.zeros(3)
    got = compile_once(swapped)(a, b, a[:])
    assert got[1] is a
    assert got[2] is b


VIEWS = {
    "tail": lambda a: a[2:],
    "row": lambda a: a[1],
    "column": lambda a: a[:, 1],
    "reversed": lambda a: a[::-1],
    "transposed": lambda a: a.T,
    "inner": lambda a: a[1:-1, 1:-1],
    "step": lambda a: a[::2, ::-2],
    "empty": lambda a: a[5:2],
}


@pytest.mark.parametrize("layout", LAYOUTS_2D)
@pytest.mark.parametrize("name", VIEWS)
def test_views_share_memory(name, layout):
    a = matrix(5, 6, "f8", layout)
    view = VIEWS[name]
    got, expected = compile_once(view)(a), view(a)
    assert got.shape == expected.shape
    assert got.size == 0 or got.__array_interface__["data"][0] == expected.__array_interface__["data"][0]
    if got.size > 1:
        assert got.strides == expected.strides
        assert np.shares_memory(got, a)
    assert got.flags.writeable == a.flags.writeable
    assert got.base is not None


def test_a_view_keeps_its_source_alive():
    a = np.arange(1000.0)
    before = sys.getrefcount(a)
    view = compile_once(VIEWS["tail"])(a)
    assert sys.getrefcount(a) > before
    assert view.base is a
    del a
    gc.collect()
    np.testing.assert_array_equal(view, np.arange(2.0, 1000.0))


# Aliasing


def write_both(a, b):
    for i in range(len(a)):
        a[i] = i
        b[i] = b[i] + 100


def copy_forward(a, b):
    for i in range(len(a)):
        b[i] = a[i]


def accumulate(a, b):
    for i in range(1, len(a)):
        a[i] = a[i - 1] + b[i]


def through_view(a, b):
    v = a[1:]
    for i in range(len(v)):
        v[i] = a[i] + 1
    return a[-1]


@pytest.mark.parametrize("function", [write_both, copy_forward, accumulate, through_view])
def test_aliasing_arguments(function):
    memory = np.arange(16.0)
    for a, b in (
        (memory, memory),
        (memory[:8], memory[8:]),
        (memory[1:], memory[:-1]),
        (memory[:-1], memory[1:]),
        (memory, memory[::-1]),
        (memory[::2], memory[:8]),
        (memory[::-2], memory[1::2]),
    ):
        check(function, a, b)


def test_zero_strides():
    a = np.broadcast_to(np.arange(3.0), (4, 3))
    check(lambda a: a * 2.0, a, numpy=True)
    check(lambda a: a.sum(), a, numpy=True, tolerance=SumOf(a))
    check(lambda a: a[2, 1], a)


def reads_only(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


def test_inputs_are_unchanged():
    for a in (vector(20), vector(20, "i4", "strided"), vector(20, "f8", "readonly")):
        before = a.tobytes()
        check(reads_only, a, a)
        assert a.tobytes() == before
        assert a.flags.writeable is (before is not None and a.flags.writeable)


def test_writing_to_a_protected_array_is_refused():
    def write(a):
        a[0] = 1.0

    frozen = vector(3, "f8", "readonly")
    with pytest.raises((TypeError, ValueError)):
        compile_once(write)(frozen)
    assert frozen[0] == vector(3)[0]


# Bounds


@pytest.mark.parametrize("index", [0, 2, -1, -3, 3, 10, -4, -100])
def test_bounds_are_checked_on_request(index):
    def element(a, i):
        return a[i]

    check(element, np.arange(3), index, boundscheck=True, message=False)


def test_stores_are_checked_on_request():
    def store(a, i, j):
        a[i, j] = 1.0

    for i, j in ((0, 0), (1, -1), (2, 0), (0, 3), (-3, 0)):
        check(store, np.zeros((2, 3)), i, j, boundscheck=True, message=False)


@pytest.mark.parametrize("index", [0, 1, -2, 2, -3])
def test_rows_are_checked_on_request(index):
    def last_of_row(a, i):
        return a[i][-1] + a[i, 1:].sum()

    check(last_of_row, np.arange(6.0).reshape(2, 3), index, boundscheck=True, message=False)
