"""Types of functions in signatures, and arguments that are converted to optionals."""

import math

import numpy as np
import pytest

from pyopt import njit, types


@njit
def square(x):
    return x * x


@njit
def half(x):
    return x / 2


@njit
def add(x, y):
    return x + y


def apply(f, x):
    return f(x)


def test_signatures_with_functions():
    kind = types.FunctionType(types.float64(types.float64))
    compiled = njit(types.float64(kind, types.int64))(apply)
    for x in (-3, 0, 4):
        for f in (square, half):
            expected = f.py_func(float(x))
            assert compiled(f, x) == expected
            assert type(compiled(f, x)) is float
    assert compiled(square, True) == 1.0
    assert len(compiled.signatures) == 1
    with pytest.raises(TypeError, match=r"add\(\) takes 2 arguments and can't be passed as a function"):
        compiled(add, 1)
    with pytest.raises(TypeError, match="No matching definition"):
        compiled(3, 1)
    assert compiled(math.sin, 1) == math.sin(1.0)


def test_signatures_convert():
    """Arguments of the function and its result are converted as its signature says."""
    narrow = njit("int64(FunctionType(int32(int32)), int64)")(apply)
    big = 50_000
    assert narrow(square, big) == int(np.array(big * big).astype(np.int32))
    wide = njit("float64(FunctionType(int64(int64)), float64)")(apply)
    assert wide(half, 5.0) == 2.0


def test_tuples_and_several():
    kind = types.FunctionType(types.int64(types.int64))
    both = types.FunctionType(types.int64(types.int64, types.int64))

    def program(functions, g, x):
        total = 0
        for i in range(2):
            total = g(total, functions[i](x))
        return total

    compiled = njit(types.int64(types.Tuple([kind, kind]), both, types.int64))(program)
    assert compiled((square, square), add, 3) == 18
    assert compiled((square, half), add, 4) == 18
    compiled.recompile()
    assert compiled((square, half), add, 4) == 18


def test_malformed():
    with pytest.raises(TypeError, match="expected a signature with a return type"):
        types.FunctionType(types.int64)
    assert str(types.FunctionType(types.int64(types.float32))) == "FunctionType[int64(float32)]"


def test_optional_parameters():
    @njit("int64(optional(int64), int64)")
    def program(a, b):
        if a is None:
            return b
        return a * 10 + b

    assert program(None, 3) == 3
    assert program(4, 3) == 43
    assert program(np.int8(4), True) == 41

    @njit("float64(optional(float64[:]), optional(float64))")
    def arrays(a, b):
        total = 0.0
        if a is not None:
            total += a.sum()
        if b is not None:
            total += b
        return total

    a = np.arange(4.0)
    assert arrays(a, None) == 6.0
    assert arrays(a, 2) == 8.0
    assert arrays(None, 2.5) == 2.5
    assert arrays(None, None) == 0.0
    with pytest.raises(TypeError, match="No matching definition"):
        arrays("a", None)


def test_functions_that_only_raise():
    @njit("int64(FunctionType(int64(int64)), int64)")
    def apply(function, x):
        return function(x)

    def refuse(x):
        raise ValueError("refused")

    for refusing in (refuse, njit(refuse), njit("int64(int64)")(refuse)):
        with pytest.raises(ValueError, match="refused"):
            apply(refusing, 3)
    assert apply(lambda x: x + 1, 3) == 4
    assert len(apply.overloads) == 1
