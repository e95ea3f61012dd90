"""Members of extensions' own types that are more than numbers: pointers, objects, tuples, literals."""

import ctypes

import numpy as np
import pytest

from pyopt import errors, njit, types
from pyopt.extending import (
    NativeValue,
    box,
    intrinsic,
    make_attribute_wrapper,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from pyopt.intrinsics import cgutils
from pyopt.numba.numpy_support import parse_dtype

VECTOR = types.Array(types.intp, 1, "C")


class Span:
    """A pointer into an array, and the array."""

    def __init__(self, array):
        self.array = array


class SpanType(types.Type):
    def __init__(self):
        super().__init__(name="Span")


@typeof_impl.register(Span)
def _(span, context):
    return SpanType()


@register_model(SpanType)
class _SpanModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        members = [("start", types.CPointer(types.intp)), ("count", types.intp), ("owner", types.pyobject)]
        super().__init__(dmm, fe_type, members)


@unbox(SpanType)
def _(type, object, c):
    array = c.pyapi.object_getattr_string(object, "array")
    opened = c.context.make_helper(c.builder, VECTOR, c.pyapi.to_native_value(VECTOR, array).value)
    made = c.context.make_helper(c.builder, type)
    made.start = opened.data
    made.count = opened.nitems
    made.owner = array
    return NativeValue(made._getvalue(), cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@box(SpanType)
def _(type, value, c):
    opened = c.context.make_helper(c.builder, type, value)
    return opened.owner


@intrinsic
def last_of(typingctx, span):
    def codegen(context, builder, signature, args):
        opened = context.make_helper(builder, signature.args[0], args[0])
        index = builder.sub(opened.count, opened.count.type(1))
        return builder.load(builder.gep(opened.start, [index]))

    return types.intp(span), codegen


@pytest.mark.parametrize("count", [1, 3, 4, 5, 20])
def test_pointers_into_arrays(count):
    # An array of more than four elements has one at the place of the pointer in the struct.
    assert njit(lambda span: last_of(span))(Span(np.arange(count) + 7)) == count + 6


def test_objects_come_back():
    array = np.arange(5)
    assert njit(lambda span: span)(Span(array)) is array
    first, second = njit(lambda span: (span, [span]))(Span(array))
    assert first is array and second[0] is array


def test_what_is_no_array():
    with pytest.raises(TypeError):
        njit(lambda span: last_of(span))(Span([1, 2]))


class Pair:
    def __init__(self, items, address=0):
        self.items = items
        self.address = address


class PairType(types.Type):
    items = types.UniTuple(types.int32, 2)

    def __init__(self):
        super().__init__(name="Pair")


@typeof_impl.register(Pair)
def _(pair, context):
    return PairType()


@register_model(PairType)
class _PairModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("items", fe_type.items), ("address", types.voidptr)])


make_attribute_wrapper(PairType, "items", "items")


@unbox(PairType)
def _(type, object, c):
    made = cgutils.create_struct_proxy(type)(c.context, c.builder)
    made.items = c.unbox(type.items, c.pyapi.object_getattr_string(object, "items")).value
    made.address = c.pyapi.long_as_voidptr(c.pyapi.object_getattr_string(object, "address"))
    return NativeValue(made._getvalue(), cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@box(PairType)
def _(type, value, c):
    return c.box(type.items, cgutils.create_struct_proxy(type)(c.context, c.builder, value=value).items)


@intrinsic
def address_of(typingctx, pair):
    def codegen(context, builder, signature, args):
        opened = context.make_helper(builder, signature.args[0], args[0])
        return builder.ptrtoint(opened.address, context.get_value_type(types.intp))

    return types.intp(pair), codegen


def test_tuples_are_converted_item_by_item():
    pair = Pair((3, -4))
    assert njit(lambda pair: pair.items[1] * 2)(pair) == -8
    made = njit(lambda pair: pair)(pair)
    assert made == (3, -4) and all(type(item) is int for item in made)
    with pytest.raises(OverflowError):
        njit(lambda pair: pair.items)(Pair((3, 2**40)))


def test_addresses():
    assert njit(lambda pair: address_of(pair))(Pair((0, 0), 1234)) == 1234


@intrinsic
def negated_by_c(typingctx, x):
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(abs)
    kind = types.ExternalFunctionPointer(types.int32(types.int32))

    def codegen(context, builder, signature, args):
        address = context.add_dynamic_addr(builder, kind.get_pointer(function), info="abs")
        pointer = builder.bitcast(address, context.get_function_pointer_type(kind))
        return builder.call(pointer, args)

    KEPT.append(function)
    return types.int32(types.int32), codegen


KEPT = []


def test_calls_by_address():
    assert njit(lambda x: negated_by_c(x))(np.int32(-5)) == 5


@intrinsic
def same(typingctx, x):
    def codegen(context, builder, signature, args):
        builder.function.args[0].add_attribute("noalias")
        return args[0]

    return x(x), codegen


def test_attributes_of_parameters_are_taken():
    assert njit(lambda x: same(x))(3) == 3


def test_literals_of_any_value():
    assert types.StringLiteral(None).literal_value is None
    assert types.StringLiteral({"a": 1}) == types.StringLiteral({"a": 1}) != types.StringLiteral("a")
    with pytest.raises(errors.LiteralTypingError):
        types.IntegerLiteral("a")


def test_dtypes_of_arguments():
    assert parse_dtype(types.DType(types.float32)) == types.float32
    assert parse_dtype(types.StringLiteral("int8")) == types.int8
    assert parse_dtype(types.float64) is None


@njit
def longer(span, least):
    if last_of(span) < least:
        return None
    return span


@njit
def last_or(span, least, other):
    found = longer(span, least)
    if found is None:
        return other
    return last_of(found)


@njit
def last_of_longest(spans, least):
    found = None
    for span in spans:
        if last_of(span) >= least:
            found = span
            least = last_of(span)
    return -1 if found is None else last_of(found)


def test_values_with_pointers_may_be_absent():
    array = np.arange(5)
    assert longer(Span(array), 4) is array
    assert longer(Span(array), 5) is None
    assert [last_or(Span(array), least, 77) for least in (3, 4, 5)] == [4, 4, 77]
    spans = tuple(Span(np.arange(count)) for count in (3, 9, 6))
    assert [last_of_longest(spans, least) for least in (0, 8, 9)] == [8, 8, -1]


class OtherSpanType(SpanType):
    """A type of the same form."""

    def __init__(self):
        types.Type.__init__(self, name="OtherSpan")


@intrinsic
def as_other(typingctx, span):
    return OtherSpanType()(span), lambda context, builder, signature, args: args[0]


@intrinsic
def as_unsigned(typingctx, x):
    return types.uint64(x), lambda context, builder, signature, args: args[0]


@intrinsic
def as_strided(typingctx, array):
    made = array.copy(layout="A")
    return made(array), lambda context, builder, signature, args: args[0]


def test_arguments_are_given_as_values_of_types_of_the_same_form():
    array = np.arange(5)
    assert njit(lambda span: as_other(span))(Span(array)) is array
    assert njit(lambda span: last_of(as_other(as_other(span))))(Span(array)) == 4
    assert njit(lambda x: as_unsigned(x))(-1) == 2**64 - 1

    @njit
    def strided(array):
        made = as_strided(array)
        made[0] = 7
        return made[::2].sum(), made

    total, made = strided(array)
    assert (total, array[0]) == (7 + 2 + 4, 7)
    del array
    np.testing.assert_array_equal(made, [7, 1, 2, 3, 4])


@intrinsic
def as_float(typingctx, x):
    return types.float64(x), lambda context, builder, signature, args: args[0]


def test_an_argument_of_another_form_is_no_result():
    with pytest.raises(errors.TypingError, match="declared as float64.*returns a value of type i64"):
        njit(lambda x: as_float(x))(1)
