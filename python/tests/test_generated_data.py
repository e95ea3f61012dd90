"""What code generators write with memory and constants: tables, copies, C's text, calls, arrays."""

import ctypes
import operator
import subprocess
import sys

import numpy as np
import pytest

from pyopt import errors, njit, types
from pyopt.extending import intrinsic, lower_builtin, lower_cast, models, register_model, type_callable
from pyopt.intrinsics import cgutils, ir
from pyopt.numba.array_indexing import _empty_nd_impl, load_item, make_array, populate_array, store_item

I64, DOUBLE = ir.IntType(64), ir.DoubleType()


def intrinsic_of(result, *kinds):
    """Decorate a function of context, builder and values: an intrinsic of a result and arguments of types."""

    def enter(generate):
        def typed(typingctx, *given):
            return result(*kinds), lambda context, builder, sig, args: generate(context, builder, *args)

        listed = "".join(f", arg{at}" for at in range(len(kinds)))
        scope = {"typed": typed}
        exec(f"def made(typingctx{listed}):\n    return typed(typingctx{listed})\n", scope)
        return intrinsic(scope["made"])

    return enter


def strlen(builder, address):
    kind = ir.FunctionType(I64, [cgutils.voidptr_t])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, "strlen"), [address])


def test_constants_have_addresses():
    @intrinsic_of(types.int64, types.int64)
    def element(context, builder, at):
        table = cgutils.create_constant_array(I64, [3, 1, 4, 1, 5])
        address = cgutils.global_constant(builder.module, "table", table)
        return builder.load(builder.gep(address, [I64(0), at]))

    assert njit(lambda at: element(at) + 10 * element(at + 1))(1) == 41


def test_texts_have_addresses():
    @intrinsic_of(types.int64)
    def length(context, builder):
        texts = [context.insert_const_string(builder.module, one) for one in ('a"b\\', "größer")]
        return builder.add(*[strlen(builder, one) for one in texts])

    assert njit(lambda: length())() == 4 + 8


def test_data_without_a_value_are_refused():
    @intrinsic_of(types.int64)
    def read(context, builder):
        return builder.load(cgutils.add_global_variable(builder.module, I64, "counter"))

    with pytest.raises(errors.TypingError, match="data of a module without an initializer"):
        njit(lambda: read())()


def test_memory_is_copied_and_filled():
    array = types.Array(types.float64, 1, "C")

    @intrinsic_of(types.void, array, array)
    def copy(context, builder, target, source):
        target, source = (make_array(array)(context, builder, one) for one in (target, source))
        cgutils.raw_memcpy(builder, target.data, source.data, source.nitems, source.itemsize)
        second = builder.gep(target.data, [I64(1)])
        cgutils.raw_memmove(builder, second, target.data, I64(2), 8)
        cgutils.memcpy(builder, builder.gep(target.data, [I64(3)]), source.data, ir.IntType(32)(1))
        cgutils.memset(builder, target.data, I64(8), 0)
        return context.get_dummy_value()

    target = np.ones(5)
    njit(lambda a, b: copy(a, b))(target, np.arange(5.0) + 5)
    assert target.tolist() == [0, 5, 6, 5, 9]


def test_values_are_formatted_as_in_c():
    @intrinsic_of(types.int64, types.float64)
    def length(context, builder, x):
        return strlen(builder, cgutils.snprintf_stackbuffer(builder, 64, "%.3f|%d", x, ir.IntType(32)(12)))

    assert [njit(lambda x: length(x))(x) for x in (3.14159, 1000.0)] == [8, 11]


def test_values_are_printed_as_in_c():
    program = """
from pyopt import njit, types
from pyopt.extending import intrinsic
from pyopt.intrinsics import cgutils

@intrinsic
def show(typingctx, x):
    def generate(context, builder, signature, args):
        cgutils.printf(builder, "%lld and {braces}\\n", args[0])
        return context.get_dummy_value()
    return types.void(types.int64), generate

@njit
def show_all(x):
    show(x)
    show(x + 1)

show_all(3)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "3 and {braces}\n4 and {braces}\n"


@pytest.mark.parametrize("is_constant", [True, False])
def test_addresses_are_called(is_constant):
    @ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
    def thrice(x):
        return 3 * x

    address = I64(ctypes.cast(thrice, ctypes.c_void_p).value)
    kind = ir.FunctionType(DOUBLE, [DOUBLE]).as_pointer()

    @intrinsic_of(types.float64, types.float64)
    def called(context, builder, x):
        function = address.inttoptr(kind) if is_constant else builder.inttoptr(address, kind)
        return context.call_function_pointer(builder, function, [x])

    assert njit(lambda x: called(x))(2.0) == 6.0


def test_functions_are_found_by_signature():
    @intrinsic
    def computed(typingctx, x, y):
        sum_of = typingctx.resolve_function_type(operator.add, (x, y), {})
        assert sum_of.args == (x, y)

        def generate(context, builder, signature, args):
            total = context.get_function(operator.add, signature)(builder, args)
            product = signature.return_type(signature.return_type, signature.args[1])
            return context.get_function(operator.mul, product)(builder, [total, args[1]])

        return sum_of.return_type(x, y), generate

    called = njit(lambda x, y: computed(x, y))
    assert (called(2, 3), called(2, 0.5)) == (15, 1.25)


def test_vectors():
    @intrinsic_of(types.float64, types.float64)
    def last_one(context, builder, x):
        number = ir.IntType(32)
        vector = ir.VectorType(DOUBLE, 4)(ir.Undefined)
        for at in range(4):
            factor = builder.fmul(x, DOUBLE(at))
            vector = builder.insert_element(vector, factor, number(at))
        mask = ir.Constant(ir.VectorType(number, 4), [3, 2, 1, 0])
        return builder.extract_element(builder.shuffle_vector(vector, vector, mask), number(0))

    assert njit(lambda x: last_one(x))(2.0) == 6.0


def test_accesses_at_once():
    array = types.Array(types.int64, 1, "C")

    @intrinsic_of(types.int64, array)
    def through(context, builder, given):
        address = make_array(array)(context, builder, given).data
        builder.store_atomic(I64(42), address, "release", 8)
        found = builder.load_atomic(address, "acquire", 8)
        builder.assume(builder.icmp_signed("==", found, I64(42)))
        return found

    given = np.arange(3)
    assert (njit(lambda a: through(a))(given), given[0]) == (42, 42)


def test_instructions_of_the_machine():
    @intrinsic_of(types.int64, types.int64)
    def same(context, builder, x):
        # An empty text is right for every machine.
        return builder.asm(ir.FunctionType(I64, [I64]), "", "=r,0", [x], False)

    assert njit(lambda x: same(x))(7) == 7


def test_indices_are_checked():
    array = types.Array(types.float64, 2, "A")

    @intrinsic_of(types.float64, array, types.intp, types.intp)
    def element(context, builder, given, row, column):
        opened = make_array(array)(context, builder, given)
        place = cgutils.get_item_pointer(context, builder, array, opened, [row, column], True, True)
        return load_item(context, builder, array, place)

    called = njit(lambda a, row, column: element(a, row, column))
    given = np.arange(6.0).reshape(2, 3)
    assert (called(given, 1, -1), called(given.T, -1, 0)) == (5.0, 2.0)
    for at in ((2, 0), (-3, 0), (0, 3)):
        with pytest.raises(IndexError, match="out of bounds"):
            called(given, *at)


@pytest.mark.parametrize("layout", "CF")
def test_arrays_are_made(layout):
    array = types.Array(types.int64, 2, layout)

    @intrinsic_of(array, types.intp, types.intp)
    def table(context, builder, rows, columns):
        made = _empty_nd_impl(context, builder, array, [rows, columns])
        with cgutils.loop_nest(builder, [rows, columns], I64) as (row, column):
            place = cgutils.get_item_pointer(context, builder, array, made, [row, column])
            store_item(context, builder, array, builder.add(builder.mul(row, I64(10)), column), place)
        return made._getvalue()

    made = njit(lambda rows, columns: table(rows, columns))(2, 3)
    assert made.tolist() == [[0, 1, 2], [10, 11, 12]]
    assert made.flags[f"{layout}_CONTIGUOUS"]


def test_views_are_made_of_parts():
    source, target = types.Array(types.float64, 2, "C"), types.Array(types.float64, 1, "C")

    @intrinsic_of(target, source)
    def flat(context, builder, given):
        opened = make_array(source)(context, builder, given)
        made = make_array(target)(context, builder)
        parts = {"data": opened.data, "shape": [opened.nitems], "strides": [opened.itemsize]}
        populate_array(made, **parts, itemsize=opened.itemsize, meminfo=opened.meminfo)
        return made._getvalue()

    made = njit(lambda n: flat(np.arange(n * 2.0).reshape(n, 2)))(3)
    assert made.tolist() == [0, 1, 2, 3, 4, 5]


class Metres(types.Type):
    """Stands for a type of a library."""

    def __init__(self):
        super().__init__("Metres")


metres = Metres()


@register_model(Metres)
class MetresModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("x", types.float64)])


def metres_of(x):
    """Stands for the class of a library."""


@type_callable(metres_of)
def _(context):
    return lambda x: metres


@lower_builtin(metres_of, types.Float)
def _(context, builder, signature, args):
    return cgutils.pack_struct(builder, args)


@lower_cast(Metres, types.float64)
def _(context, builder, source, target, value):
    return builder.extract_value(value, 0)


def test_own_conversions():
    @intrinsic_of(types.float64, metres)
    def number(context, builder, value):
        return context.cast(builder, value, metres, types.float64)

    assert njit(lambda x: number(metres_of(x)))(2.5) == 2.5


def test_optional_values():
    @intrinsic_of(types.Optional(types.int64), types.int64)
    def there(context, builder, x):
        return context.make_optional_value(builder, types.int64, x)

    @intrinsic_of(types.Optional(types.int64), types.int64)
    def missing(context, builder, x):
        return context.make_optional_none(builder, types.int64)

    assert njit(lambda x: (there(x), missing(x)))(3) == (3, None)
