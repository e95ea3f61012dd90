"""Python functions that code generators call: values of which LLVM has no form, arrays that calls give."""

import numpy as np
import pytest
from memory_checks import holds_its_memory

from pyopt import errors, njit, types
from pyopt.experimental import structref
from pyopt.extending import intrinsic
from pyopt.intrinsics import cgutils
from pyopt.typed import Dict, List


@structref.register
class PairType(types.StructRef):
    """Two values."""

    def preprocess_fields(self, fields):
        return tuple((name, types.unliteral(one)) for name, one in fields)


class Pair(structref.StructRefProxy):
    @property
    def first(self):
        return njit(lambda pair: pair.first)(self)

    @property
    def second(self):
        return njit(lambda pair: pair.second)(self)


structref.define_proxy(Pair, PairType, ["first", "second"])


@structref.register
class SpanType(types.StructRef):
    """Two values under other names."""


class Span(structref.StructRefProxy):
    pass


structref.define_proxy(Span, SpanType, ["start", "stop"])

PAIR = PairType([("first", types.float64), ("second", types.float64)])
SPAN = SpanType([("start", types.float64), ("stop", types.float64)])


@intrinsic
def sum_and_one(typingctx, pair):
    def codegen(context, builder, signature, args):
        def total(pair):
            return pair.first + pair.second

        found = context.compile_internal(builder, total, types.float64(pair), args)
        return builder.fadd(found, context.get_constant(types.float64, 1.0))

    return types.float64(pair), codegen


def test_a_structure_is_an_argument():
    of = njit(lambda pair: sum_and_one(pair))
    assert of(Pair(1.0, 2.5)) == 4.5
    assert holds_its_memory(lambda: of(Pair(1.0, 2.5)))


@intrinsic
def made_and_changed(typingctx, x):
    """Make a pair, and change it by another call."""

    def codegen(context, builder, signature, args):
        def made(first, second):
            return Pair(first, second)

        def set_second(pair, value):
            pair.second = value

        twice = builder.fadd(args[0], args[0])
        pair = context.compile_internal(builder, made, PAIR(x, x), [args[0], args[0]])
        context.compile_internal(builder, set_second, types.void(PAIR, x), [pair, twice])
        return pair

    return PAIR(x), codegen


def test_a_structure_is_the_result():
    of = njit(lambda x: made_and_changed(x))
    pair = of(1.5)
    assert type(pair) is Pair
    assert (pair.first, pair.second) == (1.5, 3.0)
    del pair
    assert holds_its_memory(of, 1.5)


@intrinsic
def changed_under_a_condition(typingctx, pair, limit):
    def codegen(context, builder, signature, args):
        def swap(pair):
            pair.first, pair.second = pair.second, pair.first

        def first(pair):
            return pair.first

        found = context.compile_internal(builder, first, types.float64(pair), [args[0]])
        with builder.if_then(builder.fcmp_ordered(">", found, args[1])):
            context.compile_internal(builder, swap, types.void(pair), [args[0]])
        context.nrt.incref(builder, pair, args[0])
        return args[0]

    return pair(pair, limit), codegen


def test_a_structure_is_changed_under_a_condition():
    of = njit(lambda pair, limit: changed_under_a_condition(pair, limit).first)
    pair = Pair(2.0, 3.0)
    assert of(pair, 5.0) == 2.0
    assert of(pair, 1.0) == 3.0
    assert (pair.first, pair.second) == (3.0, 2.0)
    assert holds_its_memory(of, pair, 1.0)


@intrinsic
def as_span(typingctx, pair):
    """Give a reference to the same memory under another type, as programs do for derived types."""

    def codegen(context, builder, signature, args):
        before = cgutils.create_struct_proxy(pair)(context, builder, value=args[0])
        context.nrt.incref(builder, types.MemInfoPointer(types.voidptr), before.meminfo)
        after = context.make_helper(builder, SPAN)
        after.meminfo = before.meminfo
        return after._getvalue()

    return SPAN(pair), codegen


def test_a_structure_gets_another_type():
    @njit
    def of(pair):
        span = as_span(pair)
        span.stop = 7.0
        return span.start, pair.second

    assert of(Pair(1.0, 2.0)) == (1.0, 7.0)
    assert holds_its_memory(lambda: of(Pair(1.0, 2.0)))
    other = njit(lambda pair: as_span(pair).start)
    with pytest.raises(errors.TypingError, match="an intrinsic has a value of list.* not one of"):
        other(Pair(1, 2))


@intrinsic
def counted(typingctx, words, word, count):
    """Put a word to a list, and count into a new dictionary."""
    result = types.DictType(types.unicode_type, types.int64)

    def codegen(context, builder, signature, args):
        def put_word(words, word):
            words.append(word)

        def empty():
            return Dict.empty(types.unicode_type, types.int64)

        def put(counts, word, count):
            counts[word] = count

        words_, word_, count_ = args
        context.compile_internal(builder, put_word, types.void(words, word), [words_, word_])
        counts = context.compile_internal(builder, empty, result(), ())
        more = builder.add(count_, count_)
        context.compile_internal(builder, put, types.void(result, word, count), [counts, word_, more])
        return counts

    return result(words, word, count), codegen


def test_texts_lists_and_dictionaries():
    of = njit(lambda words, word, count: counted(words, word, count))
    words = List(["a"])
    assert dict(of(words, "b", 3)) == {"b": 6}
    assert list(words) == ["a", "b"]
    assert holds_its_memory(lambda: of(List(["a"]), "b", 3))


@intrinsic
def turned(typingctx, pair):
    """Give the items of a tuple in the other order, one of them changed."""
    result = types.Tuple((pair.types[1], pair.types[0], PAIR))

    def codegen(context, builder, signature, args):
        def made(x):
            return Pair(x, x)

        word, number = cgutils.unpack_tuple(builder, args[0], 2)
        one = context.get_constant(types.float64, 1.0)
        structure = context.compile_internal(builder, made, PAIR(types.float64), [number])
        context.nrt.incref(builder, types.unicode_type, word)
        return context.make_tuple(builder, result, [builder.fadd(number, one), word, structure])

    return result(pair), codegen


def test_what_has_no_form_in_tuples():
    of = njit(lambda word, number: turned((word, number)))
    number, word, pair = of("ab", 1.5)
    assert (number, word, pair.first) == (2.5, "ab", 1.5)
    del pair
    assert holds_its_memory(of, "ab", 1.5)


@intrinsic
def put_over(typingctx, words):
    """Replace an item of a tuple in the tuple, after one inside of it was replaced."""

    def codegen(context, builder, signature, args):
        inner = builder.extract_value(args[0], 1)
        changed = builder.insert_value(args[0], builder.extract_value(args[0], 0), (1, 0))
        context.nrt.incref(builder, words, args[0])
        return builder.insert_value(changed, inner, 1)

    return words(words), codegen


def test_items_are_replaced():
    assert njit(lambda a, b: put_over((a, (b, 1))))("a", "b") == ("a", ("b", 1))


@intrinsic
def looked_into(typingctx, items):
    def codegen(context, builder, signature, args):
        return builder.ptrtoint(args[0], cgutils.intp_t)

    return types.int64(items), codegen


@intrinsic
def chosen(typingctx, items):
    def codegen(context, builder, signature, args):
        return context.get_constant_null(items)

    return items(items), codegen


def test_what_has_no_form_can_only_be_passed_on():
    with pytest.raises(errors.TypingError, match="does with a value of .* but pass it on"):
        njit(lambda items: looked_into(items))([1])
    with pytest.raises(errors.TypingError, match="not a value of another origin"):
        njit(lambda items: chosen(items))([1])


@intrinsic
def filled(typingctx, count, number):
    """Make an array, write to it in a loop, let a call change it, and give it."""
    result = types.float64[::1]

    def codegen(context, builder, signature, args):
        def zeros(count):
            return np.zeros(count)

        def double(values):
            values *= 2

        more = builder.add(args[0], args[0].type(1))
        made = context.compile_internal(builder, zeros, result(types.int64), [more])
        opened = context.make_array(result)(context, builder, value=made)
        with cgutils.for_range(builder, more) as loop:
            builder.store(args[1], builder.gep(opened.data, [loop.index]))
        context.compile_internal(builder, double, types.void(result), [made])
        return made

    return result(count, number), codegen


def test_an_array_is_passed_on_and_returned():
    of = njit(lambda count, number: filled(count, number))
    np.testing.assert_array_equal(of(3, 1.5), np.full(4, 3.0))
    assert holds_its_memory(of, 1000, 1.5)


@intrinsic
def summed(typingctx, count):
    """Make an array that only another call sees."""
    result = types.float64[::1]

    def codegen(context, builder, signature, args):
        def ones(count):
            return np.ones(count)

        def total(values):
            return values.sum()

        more = builder.add(args[0], args[0].type(1))
        made = context.compile_internal(builder, ones, result(types.int64), [more])
        return context.compile_internal(builder, total, types.float64(result), [made])

    return types.float64(count), codegen


def test_an_array_between_two_calls():
    of = njit(lambda count: summed(count))
    assert of(3) == 4.0
    assert holds_its_memory(of, 1000)


@intrinsic
def second_part(typingctx, values):
    """Take an array out of the tuple that a call gives."""
    result = types.Tuple((types.int64, types.float64[::1]))

    def codegen(context, builder, signature, args):
        def parts(values):
            return len(values), values * 2

        made = context.compile_internal(builder, parts, result(values), [args[0]])
        count, doubled = cgutils.unpack_tuple(builder, made)
        opened = context.make_array(result.types[1])(context, builder, value=doubled)
        builder.store(builder.sitofp(count, cgutils.double_t), opened.data)
        return doubled

    return result.types[1](values), codegen


def test_an_array_of_a_tuple():
    of = njit(lambda values: second_part(values))
    np.testing.assert_array_equal(of(np.ones(3)), [3.0, 2.0, 2.0])
    assert holds_its_memory(of, np.ones(1000))


def test_exceptions_leave_behind_what_calls_gave():
    @intrinsic
    def refused(typingctx, x):
        def codegen(context, builder, signature, args):
            def made(x):
                return Pair(x, x)

            def check(pair):
                if pair.first > 1:
                    raise ValueError("too much")

            twice = builder.fadd(args[0], args[0])
            pair = context.compile_internal(builder, made, PAIR(x), [twice])
            context.compile_internal(builder, check, types.void(PAIR), [pair])
            return pair

        return PAIR(x), codegen

    of = njit(lambda x: refused(x))
    assert of(0.5).first == 1.0

    def call():
        with pytest.raises(ValueError, match="too much"):
            of(1.0)

    assert holds_its_memory(call)


def test_a_truth_value_that_was_read_is_an_argument():
    flipped = njit(lambda x: not x)

    @intrinsic
    def first_flipped(typingctx, values):
        def codegen(context, builder, signature, args):
            known = typingctx.resolve_function_type(flipped, [types.boolean], {})
            opened = context.make_array(values)(context, builder, args[0])
            return context.get_function(flipped, known)(builder, [builder.load(opened.data)])

        return types.boolean(values), codegen

    of = njit(lambda values: first_flipped(values))
    assert [of(np.array([True])), of(np.array([False]))] == [False, True]
