"""Intrinsics: code that is written in LLVM's terms, with llvmlite's and Numba's names."""

import gc
import threading

import numpy as np
import pytest
from pyopt._core import memory_stats

from pyopt import carray, errors, njit, prange, types
from pyopt.extending import intrinsic
from pyopt.intrinsics import cgutils, ir


def unary(result, generate):
    """Make an intrinsic of one argument; its result is of the type ``result``, or else of the argument's."""

    @intrinsic
    def made(typingctx, x):
        signature = result(x) if isinstance(result, types.Type) else x(x)
        return signature, lambda context, builder, signature, args: generate(builder, *args)

    return made


@intrinsic
def popcount(typingctx, x):
    """Count the bits of an integer."""
    if isinstance(x, types.Integer):

        def codegen(context, builder, signature, args):
            return builder.ctpop(args[0])

        return x(x), codegen


@intrinsic
def load(typingctx, array, index):
    """Read an element without a check."""

    def codegen(context, builder, signature, args):
        opened = context.make_array(array)(context, builder, args[0])
        pointer = cgutils.get_item_pointer(context, builder, array, opened, [args[1]], wraparound=True)
        return context.unpack_value(builder, array.dtype, pointer)

    return array.dtype(array, types.intp), codegen


@intrinsic
def store(typingctx, array, index, value):
    """Write an element without a check."""

    def codegen(context, builder, signature, args):
        opened = context.make_array(array)(context, builder, args[0])
        pointer = cgutils.get_item_pointer(context, builder, array, opened, [args[1]])
        context.pack_value(builder, array.dtype, args[2], pointer)
        return context.get_dummy_value()

    return types.void(array, types.intp, array.dtype), codegen


@intrinsic
def atomic_add(typingctx, array, index, value):
    """Add to an element at once."""

    def codegen(context, builder, signature, args):
        opened = context.make_array(array)(context, builder, args[0])
        pointer = cgutils.get_item_pointer(context, builder, array, opened, [args[1]])
        return builder.atomic_rmw("add", pointer, args[2], "monotonic")

    return array.dtype(array, types.intp, array.dtype), codegen


def test_bits_are_counted():
    of = njit(lambda x: popcount(x))
    assert of(0b1011) == 3
    assert of(-1) == 64
    assert of(np.uint8(255)) == 8
    a = np.arange(100)
    counted = njit(lambda a: np.array([popcount(x) for x in a]))(a)
    np.testing.assert_array_equal(counted, [bin(x).count("1") for x in a])


def test_types_without_code_are_refused_with_the_reason():
    with pytest.raises(errors.TypingError, match="popcount.*no code for these types"):
        njit(lambda x: popcount(x))(1.5)
    with pytest.raises(errors.TypingError, match="popcount.*too many|popcount"):
        njit(lambda x: popcount(x, x))(1)
    with pytest.raises(NotImplementedError, match="popcount.*compiled code"):
        popcount(1)


@pytest.mark.parametrize(
    ("result", "generate", "value", "expected"),
    [
        (None, lambda b, x: b.ctlz(x, cgutils.false_bit), 1, 63),
        (None, lambda b, x: b.cttz(x, cgutils.false_bit), 0, 64),
        (None, lambda b, x: b.bswap(x), 1, 1 << 56),
        (None, lambda b, x: b.neg(b.not_(x)), 6, 7),
        (None, lambda b, x: b.srem(b.sdiv(x, x.type(2)), x.type(3)), -11, -2),
        (None, lambda b, x: b.ashr(b.shl(x, x.type(3)), x.type(1)), -3, -12),
        (None, lambda b, x: b.lshr(x, x.type(63)), -3, 1),
        (None, lambda b, x: b.and_(b.or_(x, x.type(8)), b.xor(x, x.type(-1))), 3, 8),
        (types.int64, lambda b, x: b.fptosi(b.fadd(x, x.type(0.5)), ir.IntType(64)), 2.5, 3),
        (types.uint64, lambda b, x: b.bitcast(x, ir.IntType(64)), 1.0, 0x3FF0000000000000),
        (types.float64, lambda b, x: b.bitcast(x, ir.DoubleType()), 0x3FF0000000000000, 1.0),
        (types.float64, lambda b, x: b.sitofp(x, ir.DoubleType()), -7, -7.0),
        (types.float64, lambda b, x: b.fpext(b.fptrunc(x, ir.FloatType()), ir.DoubleType()), 0.5, 0.5),
        (types.boolean, lambda b, x: b.fcmp_unordered("<", x, x.type(1.0)), float("nan"), True),
        (types.boolean, lambda b, x: b.fcmp_ordered("<", x, x.type(1.0)), float("nan"), False),
        (types.boolean, lambda b, x: b.icmp_unsigned(">", x, x.type(5)), -1, True),
        (types.boolean, lambda b, x: b.icmp_signed(">", x, x.type(5)), -1, False),
        (None, lambda b, x: b.select(b.icmp_signed("<", x, x.type(0)), b.neg(x), x), -4, 4),
        (None, lambda b, x: b.extract_value(b.sadd_with_overflow(x, x.type(1)), 0), 4, 5),
        (None, lambda b, x: b.fma(x, x, x), 3.0, 12.0),
        (None, lambda b, x: b.fneg(b.frem(x, x.type(2.0))), 5.0, -1.0),
        (None, lambda b, x: b.sext(b.trunc(x, ir.IntType(8)), ir.IntType(64)), 255, -1),
        (None, lambda b, x: b.zext(b.trunc(x, ir.IntType(8)), ir.IntType(64)), -1, 255),
    ],
)
def test_operations(result, generate, value, expected):
    made = unary(result, generate)
    found = njit(lambda x: made(x))(value)
    assert found == expected and type(found) is type(expected)


def test_llvms_intrinsics_are_called_by_name():
    @intrinsic
    def rounded(typingctx, x):
        def codegen(context, builder, signature, args):
            kind = context.get_value_type(x)
            even = builder.module.declare_intrinsic("llvm.roundeven", [kind])
            root = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(kind, [kind]), "llvm.sqrt.f64"
            )
            return builder.call(root, [builder.call(even, args)])

        return x(x), codegen

    assert njit(lambda x: rounded(x))(8.5) == np.sqrt(8.0)


def function_of_c(name, **options):
    """Make an intrinsic that calls a function of C's."""

    @intrinsic
    def foreign(typingctx, x):
        def codegen(context, builder, signature, args):
            kind = ir.FunctionType(ir.DoubleType(), [ir.DoubleType()], **options)
            return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)

        return types.float64(types.float64), codegen

    return foreign


def test_functions_of_c_are_called():
    gamma = function_of_c("tgamma")

    @njit
    def of(n):
        total = 0.0
        for i in range(1, n):
            total += gamma(i)
        return total

    assert of(6) == 1.0 + 1.0 + 2.0 + 6.0 + 24.0
    missing = function_of_c("there_is_no_such_function")
    with pytest.raises(errors.TypingError, match="'there_is_no_such_function', and no library"):
        njit(lambda x: missing(x))(1.0)


def test_memory_is_allocated_and_given_back():
    @intrinsic
    def through_memory(typingctx, x):
        def codegen(context, builder, signature, args):
            kind = context.get_value_type(x)
            place = context.nrt.allocate(builder, context.get_constant(types.intp, 8))
            place = builder.bitcast(place, kind.as_pointer())
            builder.store(args[0], place)
            value = builder.load(place)
            context.nrt.free(builder, place)
            return value

        return x(x), codegen

    assert njit(lambda x: through_memory(x))(7) == 7


class Refusal(ValueError):
    """An exception of a program's own."""


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [(ValueError, ('no {} "such" thing: ü',)), (KeyError, ()), (Refusal, ("own",)), (OverflowError, None)],
)
def test_exceptions_are_raised(kind, arguments):
    @intrinsic
    def positive(typingctx, array, x):
        def codegen(context, builder, signature, args):
            is_negative = builder.icmp_signed("<", args[1], args[1].type(0))
            with builder.if_then(is_negative, likely=False):
                context.call_conv.return_user_exc(builder, kind, arguments)
            return builder.add(args[1], args[1].type(1))

        return x(array, x), codegen

    @njit
    def of(n):
        array = np.ones(3)
        total = 0
        for i in range(3):
            total += positive(array, n + i)
        return total, array

    assert of(1)[0] == 9
    gc.collect()
    before = memory_stats()
    with pytest.raises(kind) as caught:
        of(-2)
    assert type(caught.value) is kind and caught.value.args == (arguments or ())
    after = memory_stats()
    assert after[0] - before[0] == after[1] - before[1]

    @njit
    def caught_inside(n):
        try:
            return positive(np.ones(1), n)
        except Exception:
            return -100

    assert (caught_inside(3), caught_inside(-3)) == (4, -100)


@pytest.mark.parametrize("dtype", ["i4", "f8", "?", "u2", "c16", "M8[s]"])
def test_elements_of_arrays(dtype):
    a = np.arange(12).astype(dtype)
    of = njit(lambda a, i: load(a, i))
    for view in (a, a[::2], a[::-1], a.reshape(3, 4)[:, 1]):
        assert of(view, 1) == view[1]
        assert of(view, -1) == view[-1]

    @njit
    def put(a, i, value):
        store(a, i, value)
        return a[i]

    expected = a[::-2].copy()
    expected[2] = a[1]
    assert put(a[::-2], 2, a[1]) == a[1]
    np.testing.assert_array_equal(a[::-2], expected)


def test_writes_are_seen_and_arrays_live_long_enough():
    @njit
    def of(n):
        total = 0.0
        for i in range(n):
            a = np.empty(4)
            a[:] = i
            store(a, 1, 10.0)
            total += a[1] + load(np.full(3, 2.0), 2)
        return total

    assert of(1000) == 12000.0


def test_threads_add_at_once():
    @njit(parallel=True)
    def of(counts, n):
        for i in prange(n):
            atomic_add(counts, i % 2, 1)
        return counts

    np.testing.assert_array_equal(of(np.zeros(2, np.int64), 100_000), [50_000, 50_000])


def test_control_flow():
    @intrinsic
    def steps(typingctx, n):
        def codegen(context, builder, signature, args):
            kind = args[0].type
            total = cgutils.alloca_once_value(builder, kind(0))
            with cgutils.for_range(builder, args[0]) as loop:
                is_odd = builder.trunc(loop.index, ir.IntType(1))
                with builder.if_else(is_odd) as (then, otherwise):
                    with then:
                        builder.store(builder.add(builder.load(total), loop.index), total)
                    with otherwise:
                        builder.store(builder.sub(builder.load(total), kind(1)), total)
            with builder.if_then(builder.icmp_signed(">", builder.load(total), kind(100))):
                builder.store(kind(100), total)
            return builder.load(total)

        return n(n), codegen

    def expected(n):
        return min(100, sum(i if i % 2 else -1 for i in range(n)))

    of = njit(lambda n: steps(n))
    assert [of(n) for n in range(40)] == [expected(n) for n in range(40)]
    # The room on the stack is there once a call, not once an iteration.
    assert njit(lambda n: sum([steps(i % 8) for i in range(n)]))(1_000_000) == sum(
        expected(i % 8) for i in range(1_000_000)
    )


def test_phis():
    @intrinsic
    def largest(typingctx, x, y):
        def codegen(context, builder, signature, args):
            entry = builder.basic_block
            other, end = builder.append_basic_block("other"), builder.append_basic_block("end")
            builder.cbranch(builder.icmp_signed("<", *args), other, end)
            with builder.goto_block(other):
                builder.branch(end)
            builder.position_at_end(end)
            result = builder.phi(args[0].type)
            result.add_incoming(args[0], entry)
            result.add_incoming(args[1], other)
            return result

        return x(x, x), codegen

    of = njit(lambda x, y: largest(x, y))
    assert (of(1, 2), of(2, 1), of(3, np.int32(4))) == (2, 2, 4)


def test_tuples():
    @intrinsic
    def rotated(typingctx, items):
        result = types.Tuple([*items.types[1:], items.types[0]])

        def codegen(context, builder, signature, args):
            first, *others = cgutils.unpack_tuple(builder, args[0])
            return context.make_tuple(builder, signature.return_type, [*others, first])

        return result(items), codegen

    of = njit(lambda t: rotated(t))
    assert of((1, 2.5, (True, 3j))) == (2.5, (True, 3j), 1)
    assert of((1, 2, 3)) == (2, 3, 1)


def test_complex_numbers():
    @intrinsic
    def swapped(typingctx, z):
        def codegen(context, builder, signature, args):
            parts = context.make_complex(builder, z, args[0])
            parts.real, parts.imag = parts.imag, parts.real
            return parts._getvalue()

        return z(z), codegen

    of = njit(lambda z: swapped(z))
    assert of(1 + 2j) == 2 + 1j
    assert of(np.complex64(3 - 1j)) == -1 + 3j


def test_arrays_are_passed_on_with_their_owners():
    @intrinsic
    def itself(typingctx, a):
        return a(a), lambda context, builder, signature, args: args[0]

    @njit
    def of(n):
        a = itself(np.arange(n))
        b = itself(a)
        return itself(b)

    np.testing.assert_array_equal(of(5), np.arange(5))
    a = np.ones(3)
    assert njit(lambda a: itself(a))(a) is a


@intrinsic
def shortened(typingctx, array, count):
    """View the first elements of an array."""

    def codegen(context, builder, signature, args):
        opened = context.make_array(array)(context, builder, args[0])
        context.nrt.incref(builder, array, args[0])
        opened.shape = cgutils.pack_array(builder, [args[1]])
        opened.nitems = args[1]
        return opened._getvalue()

    return array(array, types.intp), codegen


def test_views_keep_their_memory():
    @njit
    def of(n):
        view = shortened(np.arange(n), 3)
        np.zeros(n)
        return view, view.sum()

    view, total = of(1000)
    np.testing.assert_array_equal(view, [0, 1, 2])
    assert total == 3
    a = np.arange(10.0)[::3]
    part = njit(lambda a: shortened(a, 2))(a)
    np.testing.assert_array_equal(part, [0, 3])
    part[0] = 7
    assert a[0] == 7

    @njit
    def leak(n):
        total = 0
        for i in range(n):
            total += shortened(np.ones(4), 2).size
        return total

    leak(10)
    allocated, freed, *_ = memory_stats()
    assert leak(100) == 200
    after = memory_stats()
    assert after[0] - after[1] == allocated - freed


def test_addresses():
    @intrinsic
    def address(typingctx, a):
        def codegen(context, builder, signature, args):
            opened = context.make_array(a)(context, builder, args[0])
            return builder.ptrtoint(opened.data, cgutils.intp_t)

        return types.intp(a), codegen

    @intrinsic
    def pointer(typingctx, address):
        def codegen(context, builder, signature, args):
            return builder.inttoptr(args[0], cgutils.voidptr_t)

        return types.voidptr(address), codegen

    @intrinsic
    def read(typingctx, pointer):
        def codegen(context, builder, signature, args):
            return builder.load(builder.bitcast(args[0], ir.DoubleType().as_pointer()))

        return types.float64(pointer), codegen

    a = np.array([4.5, 1.0])
    assert njit(lambda a: address(a))(a) == a.ctypes.data
    assert njit(lambda a: (read(pointer(address(a) + 8)), a[0]))(a) == (1.0, 4.5)


def test_pointers_that_know_what_they_point_to():
    @intrinsic
    def place(typingctx, a):
        def codegen(context, builder, signature, args):
            return context.make_array(a)(context, builder, args[0]).data

        return types.CPointer(a.dtype)(a), codegen

    @intrinsic
    def read(typingctx, pointer, index):
        def codegen(context, builder, signature, args):
            return builder.load(builder.gep(args[0], [args[1]]))

        return pointer.dtype(pointer, index), codegen

    @njit
    def of(a, i):
        first = place(a)
        return read(first, i), a[i]

    assert of(np.array([1.5, 2.5]), 1) == (2.5, 2.5)
    assert of(np.array([1, 2], np.int8), 1) == (2, 2)
    ones = np.ones(1)
    inner = njit(lambda a: place(a))
    # To Python it is a number.
    assert inner(ones) == ones.ctypes.data
    assert njit(lambda a: (1, place(a)))(ones) == (1, ones.ctypes.data)
    assert njit(lambda a: read(inner(a), 0))(ones) == 1.0
    assert njit(lambda a: place(a)[0])(ones) == 1.0


def test_arguments_are_converted_to_the_signature():
    @intrinsic
    def half(typingctx, x):
        def codegen(context, builder, signature, args):
            return builder.fmul(args[0], args[0].type(0.5))

        return types.float64(types.float64), codegen

    assert njit(lambda x: half(x))(3) == 1.5


def test_arguments_by_keyword():
    @intrinsic
    def less(typingctx, x, y):
        return x(x, y), lambda context, builder, signature, args: builder.sub(*args)

    assert njit(lambda a, b: (less(a, y=b), less(y=a, x=b)))(5, 3) == (2, -2)
    with pytest.raises(errors.TypingError, match="less.*z"):
        njit(lambda a: less(a, z=a))(5)


def test_void_functions_give_none():
    @intrinsic
    def nothing(typingctx, x):
        return types.void(x), lambda context, builder, signature, args: None

    assert njit(lambda x: nothing(x))(1) is None


def test_literals_are_preferred_where_that_is_asked():
    @intrinsic(prefer_literal=True)
    def shifted(typingctx, x, by):
        if not isinstance(by, types.IntegerLiteral):
            return None
        amount = by.literal_value

        def codegen(context, builder, signature, args):
            return builder.shl(args[0], args[0].type(amount))

        return x(x, by), codegen

    assert njit(lambda x: (shifted(x, 1), shifted(x, 4)))(3) == (6, 48)
    with pytest.raises(errors.TypingError, match="shifted"):
        njit(lambda x, n: shifted(x, n))(3, 1)


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        (lambda ctx, x: (x(x), lambda c, b, s, args: None), "declared as int64.*returns nothing"),
        (lambda ctx, x: (x(x), lambda c, b, s, args: b.trunc(args[0], ir.IntType(8))), "type i8"),
        (lambda ctx, x: (x(x), lambda c, b, s, args: b.add(args[0], ir.IntType(8)(1))), "expected a value"),
        (lambda ctx, x: (x(x), lambda c, b, s, args: c.nrt.meminfo_new()), "nrt.meminfo_new"),
        (lambda ctx, x: (x(x), lambda c, b, s, args: c.compile_internal(b)), "compile_internal"),
        (lambda ctx, x: (x(x), lambda c, b, s, args: cgutils.hexdump(b, "")), "cgutils.hexdump"),
        (
            lambda ctx, x: (x(x), lambda c, b, s, args: c.call_conv.return_user_exc(b, ValueError, (1,))),
            "one text at most",
        ),
        (lambda ctx, x: (x(x), lambda c, b, s, args: c.call_conv.get_call()), "call_conv.get_call"),
        (lambda ctx, x: (x(x, x), lambda c, b, s, args: args[0]), "is not of 1 arguments"),
        (lambda ctx, x: x, "a signature and a code generator"),
        (lambda ctx, x: ctx.resolve_function_type(x), "resolve_function_type"),
        (lambda ctx, x: (x(x), lambda c, b, s, args: 1 / 0), "ZeroDivisionError"),
    ],
)
def test_mistakes_are_named(definition, message):
    made = intrinsic(definition)
    with pytest.raises(errors.TypingError, match=message):
        njit(lambda x: made(x))(1)


def test_a_division_is_done_only_where_the_program_does_it():
    @intrinsic
    def divided(typingctx, x, y):
        return x(x, x), lambda context, builder, signature, args: builder.sdiv(*args)

    @njit
    def of(a, y):
        total = 0
        for x in a:
            if y != 0:
                total += divided(x, y)
        return total

    a = np.arange(10)
    assert of(a, 0) == 0
    assert of(a, 2) == sum(x // 2 for x in range(10))


def test_threads_compile_at_once():
    results = []

    def work():
        results.append(njit(lambda x: popcount(x) + 1)(7))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert results == [4] * 8


def test_a_class_of_numbers_has_a_dtype():
    @intrinsic
    def room(typingctx, size, dtype):
        def impl(context, builder, signature, args):
            return cgutils.alloca_once(builder, context.get_value_type(dtype.dtype), size=args[0])

        return types.CPointer(dtype.dtype)(types.int64, dtype), impl

    @njit
    def filled(x):
        values = carray(room(8, np.float64), (4, 2), dtype=np.float64)
        values[:] = x
        return values.sum()

    assert filled(1.5) == 12.0


@intrinsic
def three_arrays(typingctx, shape):
    """Make arrays by calls, which are in tuples then; the first call gets the arguments as they are."""
    floats, ints = types.float64[:, ::1], types.int64[:, ::1]
    result = types.Tuple((floats, types.Tuple((ints, types.int64)), floats))

    def codegen(context, builder, signature, args):
        def zeros(shape):
            return np.zeros(shape)

        def ones(shape):
            return np.ones(shape, np.int64)

        first = context.compile_internal(builder, zeros, floats(shape), args)
        second = context.compile_internal(builder, ones, ints(shape), args)
        inner = cgutils.get_null_value(context.get_value_type(result.types[1]))
        inner = builder.insert_value(inner, second, 0)
        inner = builder.insert_value(inner, context.get_constant(types.int64, 7), 1)
        outer = cgutils.get_null_value(context.get_value_type(result))
        for at, part in enumerate((first, inner, first)):
            outer = builder.insert_value(outer, part, at)
        return outer

    return result(shape), codegen


def test_arrays_of_calls_in_tuples():
    make = njit(lambda n: three_arrays((n, 2)))
    first, (second, seven), third = make(3)
    np.testing.assert_array_equal(first, np.zeros((3, 2)))
    np.testing.assert_array_equal(second, np.ones((3, 2)))
    assert second.dtype == np.int64 and seven == 7
    first[0] = 5
    assert third[0, 0] == 5
    del first, second, third
    gc.collect()
    before = memory_stats()
    for _ in range(20):
        make(3)
    gc.collect()
    after = memory_stats()
    assert after[0] - after[1] == before[0] - before[1]


@intrinsic
def added_to_a_call(typingctx, x):
    def codegen(context, builder, signature, args):
        def doubled(x):
            return x * 2

        made = context.compile_internal(builder, doubled, x(x), args)
        return builder.add(made, context.get_constant(x, 1))

    return x(x), codegen


def test_a_call_that_is_not_all():
    assert njit(lambda x: added_to_a_call(x))(20) == 41


@intrinsic
def placed(typingctx, x):
    """Give the address of a number on the stack."""

    def codegen(context, builder, signature, args):
        return cgutils.alloca_once_value(builder, args[0])

    return types.CPointer(x)(x), codegen


@intrinsic
def read_at(typingctx, place):
    def codegen(context, builder, signature, args):
        return builder.load(args[0])

    return place.dtype(place), codegen


def test_a_place_on_the_stack_is_there_until_the_caller_returns():
    @njit
    def three(n):
        places = placed(n), placed(n + 1), placed(n + 2)
        total = np.ones(n).sum()
        for i in range(n):
            total += np.ones(i).sum()
        return read_at(places[0]), read_at(places[1]), read_at(places[2]), total

    @njit
    def one(n):
        return read_at(placed(n))

    @njit
    def last(n):
        place = placed(-1)
        for i in range(n):
            place = placed(i)
        return read_at(place)

    assert three(3) == (3, 4, 5, 6.0)
    assert one(7) == 7
    assert last(0) == -1
    assert last(5) == 4


def test_a_variable_of_the_module_keeps_its_value():
    @intrinsic
    def counted(typingctx, step):
        def codegen(context, builder, signature, args):
            kind = ir.IntType(64)
            made = [cgutils.add_global_variable(builder.module, kind, "count") for _ in range(2)]
            for one in made:
                one.align, one.linkage, one.initializer = 64, "private", kind(40)
            total = builder.add(builder.load(made[0]), args[0])
            builder.store(total, made[0])
            builder.store_atomic(builder.mul(total, kind(2)), made[1], "release", 64)
            return builder.add(total, builder.load_atomic(made[1], "acquire", 64))

        return types.int64(types.int64), codegen

    of = njit(lambda step: counted(step))
    assert [of(1), of(2), of(10)] == [3 * 41, 3 * 43, 3 * 53]
