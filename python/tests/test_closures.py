"""Functions defined in compiled functions, where they are only called: compared with CPython."""

import pytest

from pyopt import njit


def closure(a, b):
    def scale(x, by=2):
        return x * by + a

    c = scale(b)
    return scale(c, by=b) + scale(a)


def rebinding(a, n):
    total = a

    def add(x):
        return total + x

    for i in range(n):
        if i % 2:
            total = add(i)
    return total


def lambdas(a, b):
    square = lambda x: x * x  # noqa: E731
    return square(a) - square(b) + (lambda x: x + b)(a)


def nested(a):
    def outer(x):
        def inner(y):
            return y + x + a

        return inner(x) * 2

    return outer(a) + outer(1)


def in_a_loop(n):
    total = 0
    for i in range(n):

        def square():
            return i * i

        total += square()
    return total


def keywords(a):
    def f(x, *, by=3):
        return x * by

    def g(x, *rest, last=1):
        return x + len(rest) + last

    return g(a) + g(a, a, a, last=a)


CASES = [
    (closure, [(1, 2), (0.5, 3), (-4, 1.5)]),
    (rebinding, [(1, 5), (0, 0), (7, 10)]),
    (lambdas, [(3, 4), (1.5, -2)]),
    (nested, [(3,), (0.25,)]),
    (in_a_loop, [(0,), (7,)]),
    (keywords, [(3,), (0.5,)]),
]


@pytest.mark.parametrize(("function", "inputs"), CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_as_cpython(function, inputs):
    compiled = njit(function)
    for arguments in inputs:
        expected, got = function(*arguments), compiled(*arguments)
        assert got == expected and isinstance(got, float) == isinstance(expected, float), arguments


def test_a_variable_that_may_have_no_value_is_refused():
    @njit
    def f(a):
        def g():
            return a + late

        if a > 1:
            late = 1
        return g()

    with pytest.raises(Exception, match="shared with an inner function is not supported"):
        f(2)


def test_a_function_that_is_returned_is_refused():
    @njit
    def f(a):
        def g():
            return a

        return g

    with pytest.raises(Exception, match="can't be returned to Python"):
        f(2)
