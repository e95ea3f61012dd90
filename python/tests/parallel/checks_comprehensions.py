"""Comprehensions whose list becomes an array, or is one of numbers: with the option and without."""

import warnings

import numpy as np
import pytest
from on_threads import check

from pyopt import njit, prange

BOTH = (True, {"comprehension": False})


@njit
def square(x):
    return x * x


def of_positions(n, a):
    return np.array([i * 2 for i in range(n)])


def of_range(n, a):
    return np.array([i / 2 for i in range(3, n, 2)])


def downwards(n, a):
    return np.array([i - 1 for i in range(n, -n, -3)])


def of_elements(n, a):
    return np.array([x + n for x in a])


def of_calls(n, a):
    return np.array([square(x) for x in a])


def of_expressions(n, a):
    return np.array([np.sin(a[i]) + a[len(a) - 1 - i] if i % 2 else -a[i] for i in range(len(a))])


def of_inner_loops(n, a):
    def total(i):
        s = 0.0
        for j in range(i):
            s += a[j]
        return s

    return np.array([total(i) for i in range(len(a))])


def of_prange(n, a):
    return np.array([i * i for i in prange(n)])


def enumerated(n, a):
    return np.array([i * x for i, x in enumerate(a)])


def zipped(n, a):
    return np.array([x * y for x, y in zip(a, a[::-1])])


def two_dimensions(n, a):
    return np.array([[i * 10 + j for j in range(4)] for i in range(n)])


def table(n, a):
    return np.array([[x * y for y in a] for x in a])


def appended(n, a):
    items = []
    for i in range(n):
        items.append(i + 1)
    return np.array(items)


def used_further(n, a):
    b = np.array([x * 2 for x in a])
    c = np.array([x + 1 for x in b])
    return b, c, c.sum()


def truth(n, a):
    return np.array([x > 0 for x in a])


FUNCTIONS = (
    of_positions,
    of_range,
    downwards,
    of_elements,
    of_calls,
    of_expressions,
    of_inner_loops,
    of_prange,
    enumerated,
    zipped,
    two_dimensions,
    table,
    appended,
    used_further,
    truth,
)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_arrays(function):
    rng = np.random.default_rng(1)
    # An array of no items has another type in the interpreter.
    arguments = [(n, rng.normal(size=n)) for n in (1, 2, 7, 40)]
    arguments += [(5, np.arange(10.0)[::2]), (4, np.arange(4))]
    check(function, *arguments, tolerance=1e-12, parallel=BOTH)


@pytest.mark.parametrize("function", [of_positions, of_elements, two_dimensions, downwards])
def test_nothing(function):
    shapes = [njit(parallel=mode)(function)(n, np.ones(0)).shape for mode in BOTH for n in (0, -3)]
    assert shapes == 2 * shapes[:2]


def failing(n, a):
    return np.array([10 // (i - n) for i in range(3 * n)])


def raising(n, a):
    def checked(x):
        if x > 2:
            raise ValueError("too large")
        return x

    return np.array([checked(x) for x in a])


def test_errors():
    check(failing, *((n, np.ones(1)) for n in (1, 5, 40)), parallel=BOTH)
    check(raising, (0, np.ones(30)), (0, np.arange(30.0)), parallel=BOTH)


# Lists of numbers that stay lists.


def list_of_positions(n, a):
    return [i * 2 for i in range(n)]


def list_of_elements(n, a):
    items = [x * 2 + n for x in a]
    return items, len(items), sum(items)


def list_of_calls(n, a):
    return [square(x) for x in a if True]


def list_of_truths(n, a):
    return [x > 0 for x in a]


def list_of_complex(n, a):
    return [x + 1j * n for x in a]


def list_of_pranges(n, a):
    return [i * a[i] for i in prange(len(a))]


def list_and_more(n, a):
    items = [i + n for i in range(n, -n, -2)]
    items.append(7)
    items[0] = 5
    more = [x - 1 for x in items]
    return items, more, items[-1] + more[0]


def lists_of_lists(n, a):
    return [[i * 10 + j for j in range(3)] for i in range(n)]


def triangle(n, a):
    rows = [[j for j in range(i)] for i in range(n)]
    return [len(row) for row in rows]


def lists_in_a_loop(n, a):
    total = 0.0
    for k in range(4):
        items = [x * k for x in a]
        if k % 2:
            items = [x + 1 for x in items]
        total += sum(items)
    return total


def lists_in_a_prange(n, a):
    out = np.zeros(n)
    for i in prange(n):
        items = [j * i for j in range(i)]
        out[i] = sum(items) + len(items)
    return out


def list_of_itself(n, a):
    items = [1]
    for i in range(n):
        items.append(items[i] + len(items))
    return items


def list_that_is_seen(n, a):
    items = [0][:0]
    length = len(items)
    for i in range(n):
        items.append(i + length)
    return items


LISTS = (
    list_of_positions,
    list_of_elements,
    list_of_calls,
    list_of_truths,
    list_of_complex,
    list_of_pranges,
    list_and_more,
    lists_of_lists,
    triangle,
    lists_in_a_loop,
    lists_in_a_prange,
    list_of_itself,
    list_that_is_seen,
)


@pytest.mark.parametrize("function", LISTS)
def test_lists(function):
    rng = np.random.default_rng(1)
    arguments = [(n, rng.normal(size=n)) for n in (1, 2, 7, 40, 1000)]
    arguments += [(5, np.arange(10.0)[::2]), (4, np.arange(4)), (3, np.arange(4, dtype=np.float32)[::-1])]
    check(function, *arguments, tolerance=1e-12, parallel=BOTH)


@pytest.mark.parametrize("function", [list_of_positions, list_of_elements, list_of_truths, triangle])
def test_lists_of_nothing(function):
    check(function, (0, np.ones(0)), parallel=BOTH)
    check(function, (-3, np.ones(0)), parallel=BOTH)


def failing_list(n, a):
    return [10 // (i - n) for i in range(3 * n)]


def checked_list(n, a):
    def checked(x):
        if x > 2:
            raise ValueError("too large")
        return x

    return [checked(x) for x in a]


def caught_list(n, a):
    try:
        return [10 // (i - n) for i in range(3 * n)]
    except ZeroDivisionError:
        return [-1]


def test_errors_of_lists():
    check(failing_list, *((n, np.ones(1)) for n in (1, 5, 40)), parallel=BOTH)
    check(checked_list, (0, np.ones(30)), (0, np.arange(30.0)), parallel=BOTH)
    check(caught_list, *((n, np.ones(1)) for n in (1, 5, 40)), parallel=BOTH)


@pytest.mark.parametrize("function", [list_of_positions, list_of_elements, list_of_pranges, lists_of_lists])
def test_the_option_switches_lists(function):
    loops = []
    for mode in BOTH:
        compiled = njit(parallel=mode)(function)
        compiled(3, np.ones(3))
        loops.append("pattern comprehension" in str(compiled.inspect_ir("parfor-fuse")))
    assert loops == [True, False]


# Loops that do more than to fill a list, and lists that are more than an array.


def with_condition(n, a):
    return np.array([x for x in a if x > 0])


def kept_list(n, a):
    items = [x * 2 for x in a]
    items.append(7.0)
    return np.array(items), len(items)


def ragged(n, a):
    return np.array([[j for j in range(i)] for i in range(n)])


def with_effect(n, a):
    b = np.zeros(1)

    def count(x):
        b[0] += x
        return b[0]

    return np.array([count(x) for x in a])


@pytest.mark.parametrize("function", [with_condition, kept_list, with_effect])
def test_others_are_left_alone(function):
    rng = np.random.default_rng(2)
    check(function, *((n, np.abs(rng.normal(size=n)) + 1) for n in (1, 5, 40)), parallel=BOTH)


def test_rows_of_several_lengths():
    for mode in BOTH:
        with pytest.raises(ValueError, match="several lengths"):
            njit(parallel=mode)(ragged)(4, np.ones(1))


def shared_list(n):
    items = [0]
    for i in prange(n):
        items.append(i)
    return len(items), sum(items)


def test_lists_grow_on_one_thread():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert njit(parallel=True)(shared_list)(100) == shared_list(100)
    assert "iterations change the same list" in str(caught[0].message)


def test_diagnostics(capsys):
    compiled = njit(parallel=True)(of_elements)
    compiled(3, np.ones(3))
    compiled.parallel_diagnostics(level=1)
    assert "comprehension over 1 dimension" in capsys.readouterr().out
