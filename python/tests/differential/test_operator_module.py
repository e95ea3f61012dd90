"""The functions of the module `operator`, as callees and as free variables."""

import itertools
import operator

import numpy as np
import pytest
from compare import check, compile_once

NUMBERS = (-7, -1, 0, 1, 2, 5, 2.5, -1.5, True, 1.0 + 2.0j)
INTEGERS = (-7, -1, 0, 1, 2, 5, True, False)
ARITHMETIC = ("add", "sub", "mul", "truediv", "iadd", "isub", "imul", "itruediv", "eq", "ne")
ORDERED = ("floordiv", "mod", "ifloordiv", "imod", "lt", "le", "gt", "ge")
BITS = ("and_", "or_", "xor", "iand", "ior", "ixor")
SHIFTS = ("lshift", "rshift", "ilshift", "irshift")
UNARY = ("neg", "pos", "not_", "truth")


def binary(name):
    function = getattr(operator, name)

    def apply(a, b):
        return function(a, b)

    return apply


def unary(name):
    function = getattr(operator, name)

    def apply(a):
        return function(a)

    return apply


@pytest.mark.parametrize("name", ARITHMETIC)
def test_arithmetic(name):
    function = binary(name)
    for a, b in itertools.product(NUMBERS, NUMBERS):
        if name in ("truediv", "itruediv") and complex in (type(a), type(b)):
            continue  # NumPy's division of complex numbers rounds otherwise
        check(function, a, b)


@pytest.mark.parametrize("name", ORDERED)
def test_order_and_whole_quotients(name):
    function = binary(name)
    for a, b in itertools.product(NUMBERS[:-1], NUMBERS[:-1]):
        check(function, a, b, message=False)


@pytest.mark.parametrize("name", BITS)
def test_bits(name):
    function = binary(name)
    for a, b in itertools.product(INTEGERS, INTEGERS):
        check(function, a, b)


@pytest.mark.parametrize("name", SHIFTS)
def test_shifts(name):
    function = binary(name)
    for a, b in itertools.product(INTEGERS[:-2], (0, 1, 5, 40)):
        check(function, a, b)


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    function = unary(name)
    for a in NUMBERS:
        if name in ("neg", "pos") and a is True:
            continue  # Python's own bools become ints
        check(function, a)


def invert(a):
    return operator.inv(a), operator.invert(a)


def add_in_place(a, b):
    operator.iadd(a, b)
    return a


def items(t, i):
    return operator.getitem(t, i), operator.contains(t, i), operator.matmul(np.eye(2), np.ones(2))


def set_item(a, i, value):
    operator.setitem(a, i, value)


def identity(a, b):
    return operator.is_(a, b), operator.is_not(a, b), operator.is_(a, None)


def test_others():
    for value in (-3, 0, 7):
        check(invert, value)
        check(set_item, np.arange(4.0), value % 4, value)
    check(add_in_place, np.arange(3), np.arange(3))
    for index in (0, 1, 2):
        check(items, (4, 1, 2), index)
    check(identity, None, None)
    assert compile_once(identity)(1, 1) == (True, False, False)
