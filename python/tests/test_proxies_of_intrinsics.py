"""Slices, optional values and functions in the code of an intrinsic, as Numba's models have them."""

import numpy as np

from pyopt import njit, types
from pyopt.extending import intrinsic
from pyopt.intrinsics import cgutils

LARGEST = np.iinfo(np.int64).max


@intrinsic
def parts(context, one):
    """Give start, stop and step."""

    def generate(context, builder, signature, arguments):
        opened = context.make_helper(builder, signature.args[0], arguments[0])
        return cgutils.pack_array(builder, [opened.start, opened.stop, opened.step])

    return types.UniTuple(types.intp, 3)(one), generate


@intrinsic
def moved(context, one):
    """Give the slice whose start is one behind."""

    def generate(context, builder, signature, arguments):
        opened = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=arguments[0])
        made = cgutils.create_struct_proxy(signature.return_type)(context, builder)
        made.start = builder.add(opened.start, opened.start.type(1))
        made.stop, made.step = opened.stop, opened.step
        return made._getvalue()

    return one(one), generate


def test_what_a_slice_does_not_say_is_as_in_numba():
    @njit
    def all_parts(a, b):
        return (
            parts(slice(a, b)),
            parts(slice(None, b)),
            parts(slice(a, None)),
            parts(slice(a, b, 2)),
            parts(slice(None, None, -1)),
            parts(slice(None, None, a)),
        )

    down = LARGEST, -LARGEST - 1
    assert all_parts(1, 5) == (
        (1, 5, 1),
        (0, 5, 1),
        (1, LARGEST, 1),
        (1, 5, 2),
        (*down, -1),
        (0, LARGEST, 1),
    )
    assert all_parts(-1, -5)[-1] == (*down, -1)


def test_slices_are_results():
    @njit
    def sliced(x, a, b):
        return x[moved(slice(a, b))], x[moved(slice(a, b, 2))], x[moved(slice(a, None))]

    x = np.arange(10)
    for a, b in (1, 8), (0, 0), (3, 20), (8, 2):
        wanted = x[a + 1 : b], x[a + 1 : b : 2], x[a + 1 :]
        for got, one in zip(sliced(x, a, b), wanted, strict=True):
            assert got.tolist() == one.tolist()


@intrinsic
def if_large(context, x):
    """Give a number above 3, or None."""

    def generate(context, builder, signature, arguments):
        made = context.make_helper(builder, signature.return_type)
        is_large = builder.icmp_signed(">", arguments[0], arguments[0].type(3))
        with builder.if_else(is_large) as (large, small):
            with large:
                made.valid, made.data = cgutils.true_bit, arguments[0]
            with small:
                made.valid, made.data = cgutils.false_bit, cgutils.get_null_value(made.data.type)
        return made._getvalue()

    return types.Optional(x)(x), generate


@intrinsic
def or_minus_one(context, x):
    """Give the value, or -1 for None."""

    def generate(context, builder, signature, arguments):
        opened = context.make_helper(builder, signature.args[0], arguments[0])
        return builder.select(opened.valid, opened.data, opened.data.type(-1))

    return x.type(x), generate


def test_optional_values():
    @njit
    def optional(x):
        return if_large(x)

    @njit
    def plain(x):
        return or_minus_one(if_large(x))

    assert (optional(2), optional(4)) == (None, 4)
    assert (plain(2), plain(4)) == (-1, 4)


@intrinsic
def if_long(context, text, length):
    """Give a text that the compiler alone has a form of, or None."""

    def generate(context, builder, signature, arguments):
        made = context.make_helper(builder, signature.return_type)
        made.valid = builder.icmp_signed(">", arguments[1], arguments[1].type(3))
        made.data = arguments[0]
        return made._getvalue()

    return types.Optional(text)(text, length), generate


def test_optional_values_of_which_the_compiler_alone_has_the_form():
    @njit
    def found(text):
        return if_long(text, len(text))

    assert (found("abc"), found("abcd")) == (None, "abcd")


@njit
def increment(x):
    return x + 1


@intrinsic(prefer_literal=True)
def resolved(context, function, x):
    """Call a function by the signature that its type has for a number."""
    of_call = context.resolve_function_type(function, [x], {})
    assert function.get_call_type(context, [x], {}) == of_call

    def generate(context, builder, signature, arguments):
        return context.get_function(function, of_call)(builder, [arguments[1]])

    return of_call.return_type(function, x), generate


def test_signatures_of_functions_that_are_named():
    @njit
    def of_global(x):
        return resolved(increment, x)

    @njit
    def of_argument(function, x):
        return resolved(function, x)

    assert of_global(3.0) == of_argument(increment, 3.0) == 4.0
    assert isinstance(of_global(3), int) and of_global(3) == 4


def test_a_constant_that_is_compared_is_of_the_other_operands_type():
    @intrinsic
    def is_odd(context, x):
        def generate(context, builder, signature, arguments):
            rest = builder.trunc(arguments[0], cgutils.bool_t)
            return builder.icmp_signed("==", rest, context.get_constant(types.uint8, 1))

        return types.boolean(x), generate

    @njit
    def odd(x):
        return is_odd(x)

    assert [odd(x) for x in range(-2, 3)] == [False, True, False, True, False]
