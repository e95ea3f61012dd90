"""Division by zero in functions that others call: as their decorators say, or as their callers."""

import numpy as np
import pytest

from pyopt import njit, stencil, vectorize


def make(**options):
    @njit(**options)
    def inverse(x):
        return 1.0 / x

    return inverse


def calling(inverse, **options):
    @njit(**options)
    def caller(x):
        return inverse(x) + 1.0 / x

    return caller


def test_callers_decide():
    inverse = make()
    assert calling(inverse, error_model="numpy")(0.0) == np.inf
    with pytest.raises(ZeroDivisionError):
        calling(inverse)(0.0)
    with pytest.raises(ZeroDivisionError):
        inverse(0.0)
    assert calling(inverse, error_model="numpy")(-0.0) == -np.inf


def test_a_decorator_that_says_so_decides():
    with pytest.raises(ZeroDivisionError):
        calling(make(error_model="python"), error_model="numpy")(0.0)

    inverse = make(error_model="numpy")
    compiled = njit(lambda x: inverse(x))
    assert compiled(0.0) == np.inf


def test_both_in_one_program():
    inverse = make()
    of_numpy = calling(inverse, error_model="numpy")

    @njit
    def both(x, y):
        return of_numpy(x) + inverse(y)

    assert both(0.0, 1.0) == np.inf
    with pytest.raises(ZeroDivisionError):
        both(1.0, 0.0)


def test_through_a_function_that_does_not_say():
    inner = make()
    middle = njit(lambda x: inner(x))
    outer = njit(error_model="numpy")(lambda x: middle(x))
    assert outer(0.0) == np.inf
    with pytest.raises(ZeroDivisionError):
        middle(0.0)


def test_universal_functions():
    inverse = make()

    @vectorize
    def of_all(x):
        return inverse(x)

    np.testing.assert_array_equal(of_all(np.array([1.0, 0.0, -2.0])), [1.0, np.inf, -0.5])


def test_closures_and_keys():
    @njit(error_model="numpy")
    def order(values):
        def key(x):
            return 1.0 / x

        return sorted(values, key=key)

    assert order([1.0, 0.0, 2.0]) == [2.0, 1.0, 0.0]


def test_integers():
    quotient = njit(lambda x, y: x // y)
    compiled = njit(error_model="numpy")(lambda x, y: quotient(x, y))
    assert compiled(7, 0) == 0 and compiled(7, 2) == 3
    with pytest.raises(ZeroDivisionError):
        quotient(7, 0)


def test_kernels_of_stencils():
    @stencil
    def inverse(a):
        return 1.0 / a[0]

    of_numpy = njit(error_model="numpy")(lambda a: inverse(a))
    plain = njit(lambda a: inverse(a))
    both = njit(lambda a, b: (of_numpy(a), plain(b)))
    ones, zeros = np.ones(3), np.zeros(3)
    np.testing.assert_array_equal(both(zeros, ones), [[np.inf] * 3, [1.0] * 3])
    with pytest.raises(ZeroDivisionError):
        both(ones, zeros)
