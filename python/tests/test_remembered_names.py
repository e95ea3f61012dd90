"""What is declared with signatures has the values that globals had then, however late it is compiled."""

import numpy as np

from pyopt import guvectorize, njit, vectorize

ORDER = 5
TABLE = np.array([1, 2, 3])


def add(a, b):
    c = a + b
    if c >= ORDER:
        c -= ORDER
    return c


def reduced(a):
    return a % ORDER


def rows(a, out):
    for i in range(len(a)):
        out[i] = a[i] % ORDER


def with_order(order, decorate, *arguments):
    """Decorate while ORDER has a value."""
    global ORDER
    before, ORDER = ORDER, order
    try:
        return decorate(*arguments)
    finally:
        ORDER = before


def test_loops_of_universal_functions():
    signature = ["int64(int64, int64)"]
    five, two = (with_order(order, vectorize(signature), add) for order in (5, 2))
    # Each way of passing operands has a loop of its own, which is compiled when it is needed.
    for _ in range(2):
        assert five(3, 4) == 2 and two(1, 1) == 0
        assert five(np.arange(5), np.arange(5)).tolist() == [0, 2, 4, 1, 3]
        assert two(np.arange(2), 1).tolist() == [1, 0]
        assert five.reduce(np.array([3, 4, 4])) == 1


def test_loops_of_generalised_functions():
    signature = ["(int64[:], int64[:])"]
    five, two = (with_order(order, guvectorize(signature, "(n)->(n)"), rows) for order in (5, 2))
    assert five(np.arange(6)).tolist() == [0, 1, 2, 3, 4, 0]
    assert two(np.arange(6)).tolist() == [0, 1, 0, 1, 0, 1]
    assert five(np.arange(12).reshape(2, 6)[:, ::2]).tolist() == [[0, 2, 4], [1, 3, 0]]


def test_callers_that_are_compiled_later():
    of_five = with_order(5, vectorize(["int64(int64, int64)"]), add)
    of_two = with_order(2, vectorize(["int64(int64, int64)"]), add)
    five, two = (with_order(order, njit("int64(int64)"), reduced) for order in (5, 2))

    @njit
    def caller(a, b):
        return of_five(a, b), of_two(1, 1), five(a + b), two(a + b)

    assert with_order(7, caller, 3, 4) == (2, 0, 2, 1)


def test_what_is_reached_through_others():
    inner = njit(reduced)

    def outer(a):
        return inner(a) * 10 + reduced(a)

    five, two = (with_order(order, njit("int64(int64)"), outer) for order in (5, 2))

    @njit
    def caller(a):
        return five(a), two(a)

    assert caller(9) == (44, 11)


def test_arrays_as_they_were():
    table = np.array([1, 2, 3])

    @njit("int64(int64)")
    def f(i):
        return table[i]

    table[1] = 50
    assert f(1) == 2 and njit(lambda i: f(i))(1) == 2
    f.recompile()
    assert f(1) == 50 and njit(lambda i: f(i))(1) == 50


def test_without_signatures_a_call_has_the_present_values():
    f = njit(reduced)
    assert with_order(5, f, 9) == 4
    # Another type is another compilation, as in Numba.
    assert with_order(2, f, 9.0) == 1.0
