"""Values of types of functions that intrinsics make of addresses, as libraries keep functions in arrays."""

import ctypes

import numpy as np
import pytest

from pyopt import cfunc, njit, types
from pyopt.extending import intrinsic
from pyopt.first_class import wrapper_address
from pyopt.intrinsics import cgutils

OF_NUMBERS = types.FunctionType(types.float64(types.float64))
OF_ARRAYS = types.FunctionType(types.int64(types.int64[::1], types.int64))


@intrinsic
def function_at(typingctx, kind, address):
    """Make a function of its address."""
    made = kind.instance_type

    def codegen(context, builder, signature, args):
        function = cgutils.create_struct_proxy(made)(context, builder)
        function.c_addr = builder.inttoptr(args[1], context.get_value_type(types.voidptr))
        return function._getvalue()

    return made(kind, address), codegen


@intrinsic
def address_of(typingctx, function):
    """Give the address of a function."""

    def codegen(context, builder, signature, args):
        opened = cgutils.create_struct_proxy(function)(context, builder, value=args[0])
        return builder.ptrtoint(opened.c_addr, context.get_value_type(types.int64))

    return types.int64(function), codegen


@njit
def half(x):
    return x / 2


@njit
def square(x):
    return x * x


@njit
def total(values, start):
    for value in values:
        start += value
    return start


@njit
def fails(values, start):
    if start > 0:
        raise ValueError(f"at {start}")
    return start


@njit
def apply_numbers(addresses, x):
    for address in addresses:
        x = function_at(OF_NUMBERS, address)(x)
    return x


@njit
def apply_arrays(addresses, values):
    found = 0
    for address in addresses:
        found = function_at(OF_ARRAYS, address)(values, found)
    return found


def addresses(kind, *functions):
    return np.array([wrapper_address(one, kind.signature) for one in functions])


def test_functions_are_kept_in_arrays():
    assert apply_numbers(addresses(OF_NUMBERS, half, square, half), 6) == 4.5
    assert apply_numbers(addresses(OF_NUMBERS, square, square), 3.0) == 81.0
    assert len(apply_numbers.overloads) == 2
    assert apply_numbers.py_func.__name__ == "apply_numbers"


def test_arguments_of_all_types():
    values = np.arange(5)
    assert apply_arrays(addresses(OF_ARRAYS, total, total), values) == 20
    with pytest.raises(ValueError, match="^at 10$"):
        apply_arrays(addresses(OF_ARRAYS, total, fails), values)


def test_functions_of_c():
    @cfunc("float64(float64)")
    def third(x):
        return x / 3

    given = addresses(OF_NUMBERS, third, half)
    assert given[0] == third.address
    assert apply_numbers(given, 12.0) == 2.0
    sine = ctypes.cast(ctypes.CDLL(None).sin, ctypes.c_void_p).value
    assert apply_numbers(np.array([sine]), 1.0) == np.sin(1.0)


def test_values_are_opened_again():
    @njit("int64(FunctionType(float64(float64)))")
    def place(function):
        return address_of(function)

    assert place(square) == wrapper_address(square, OF_NUMBERS.signature)
    assert apply_numbers(np.array([place(square)]), 5.0) == 25.0


def test_addresses_that_are_none():
    with pytest.raises(ValueError, match="a function's address is null"):
        apply_numbers(np.array([0]), 1.0)
    # C has no functions of arrays: what has another address is refused, and not called.
    with pytest.raises(TypeError):
        apply_arrays(np.array([64]), np.arange(2))
