"""Texts and bytes in the code of an intrinsic, as Numba's models have them; its functions on code units."""

import numpy as np
import pytest
from memory_checks import holds_its_memory

from pyopt import errors, njit, types
from pyopt.extending import intrinsic
from pyopt.intrinsics import cgutils
from pyopt.numba import texts

WORDS = "", "abc", "hé", "ሴx", "\U0001f600a"


@intrinsic
def parts(typingctx, text):
    """Give the length, the bytes of a unit and the first byte."""

    def codegen(context, builder, signature, args):
        opened = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=args[0])
        wide = opened.length.type
        first = builder.zext(builder.load(opened.data), wide)
        items = [opened.length, builder.zext(opened.kind, wide), first]
        return context.make_tuple(builder, signature.return_type, items)

    return types.UniTuple(types.intp, 3)(types.unicode_type), codegen


@intrinsic
def without_last(typingctx, text):
    """Give the text, or bytes, without the last unit: it shares the memory."""

    def codegen(context, builder, signature, args):
        opened = context.make_helper(builder, signature.args[0], args[0])
        if isinstance(signature.args[0], types.Bytes):
            opened.nitems = builder.sub(opened.nitems, opened.nitems.type(1))
        else:
            opened.length = builder.sub(opened.length, opened.length.type(1))
        return opened._getvalue()

    kind = types.unliteral(text)
    return kind(kind), codegen


@intrinsic
def repeated(typingctx, kind, count, byte):
    """Make a text, or bytes, of one byte."""
    result = kind.instance_type

    def codegen(context, builder, signature, args):
        made = context.make_helper(builder, result)
        made.meminfo = context.nrt.meminfo_alloc(builder, args[1])
        made.data = context.nrt.meminfo_data(builder, made.meminfo)
        if isinstance(result, types.Bytes):
            made.nitems = args[1]
        else:
            made.length, made.kind = args[1], made.kind.type(1)
        cgutils.memset(builder, made.data, args[1], builder.trunc(args[2], cgutils.int8_t))
        return made._getvalue()

    return result(kind, types.intp, types.intp), codegen


@njit
def shortened(text):
    return without_last(text), without_last(text + text), without_last("xyz"), without_last(b"xyz")


def test_parts_of_texts_are_read():
    of = njit(lambda text: (parts(text), parts("bc"), parts(text + "!")))
    assert of("hello") == ((5, 1, 104), (2, 1, 98), (6, 1, 104))
    assert of("ሴx") == ((2, 2, 0x34), (2, 1, 98), (3, 2, 0x34))


def test_parts_of_texts_are_replaced():
    for word in WORDS[1:]:
        assert shortened(word) == (word[:-1], (word * 2)[:-1], "xy", b"xy")
    assert njit(lambda data: without_last(data))(b"ab\0c") == b"ab\0"
    assert holds_its_memory(shortened, "abc" * 100)


def test_texts_are_made_of_memory():
    kind, data = types.unicode_type, types.bytes_type
    of = njit(lambda n: (repeated(kind, n, 65), repeated(data, n, 200), repeated(kind, n, 66) + "!"))
    for count in 0, 1, 1000:
        assert of(count) == ("A" * count, b"\xc8" * count, "B" * count + "!")
    assert holds_its_memory(of, 1000)


def test_memory_that_is_not_in_the_result_is_kept_until_the_end():
    @intrinsic
    def total(typingctx, count):
        result = types.int64[::1]

        def codegen(context, builder, signature, args):
            made = context.compile_internal(builder, lambda count: np.arange(count), result(types.intp), args)
            opened = context.make_array(result)(context, builder, value=made)
            found = cgutils.alloca_once_value(builder, count_type(0))
            with cgutils.for_range(builder, args[0]) as loop:
                item = builder.load(builder.gep(opened.data, [loop.index]))
                builder.store(builder.add(builder.load(found), item), found)
            return builder.load(found)

        count_type = cgutils.intp_t
        return types.intp(types.intp), codegen

    of = njit(lambda count: total(count))
    assert of(10000) == sum(range(10000))
    assert holds_its_memory(of, 10000)


def test_a_call_under_a_condition_gives_nothing_to_open():
    @intrinsic
    def first(typingctx, count):
        result = types.int64[::1]

        def codegen(context, builder, signature, args):
            found = cgutils.alloca_once_value(builder, cgutils.intp_t(0))
            with builder.if_then(builder.icmp_signed(">", args[0], cgutils.intp_t(0))):
                ones = (lambda n: np.ones(n, np.int64)), result(types.intp)
                made = context.compile_internal(builder, *ones, args)
                opened = context.make_array(result)(context, builder, value=made)
                builder.store(builder.load(opened.data), found)
            return builder.load(found)

        return types.intp(types.intp), codegen

    with pytest.raises(errors.TypingError, match="a call under a condition that gives an array or text"):
        njit(lambda count: first(count))(3)


def test_code_units_are_read_and_written():
    @njit
    def built(codes):
        top = 0
        for code in codes:
            top = max(top, code)
        kind = texts._codepoint_to_kind(top)
        text = texts._empty_string(kind, len(codes), 1 if top < 128 else 0)
        for at in range(len(codes)):
            texts._set_code_point(text, at, codes[at])
        return text

    @njit
    def looked_at(text):
        codes = [texts._get_code_point(text, at) for at in range(len(text))]
        kind = texts._pick_kind(2, text._kind)
        return codes, text._kind, text._length, text._is_ascii, kind, texts._pick_ascii(text._is_ascii, 1)

    for word, width in zip(WORDS, (1, 1, 1, 2, 4), strict=True):
        codes = [ord(one) for one in word]
        text = built(np.array(codes, np.int64))
        assert text == word
        assert hash(text) == hash(word)
        if word:
            is_ascii = word.isascii()
            assert looked_at(word) == (codes, width, len(word), is_ascii, max(width, 2), is_ascii)
    of = njit(lambda codes: ({built(codes): 1}, built(codes)[1:].upper(), hash(built(codes)) == hash("abc")))
    assert of(np.array([97, 98, 99])) == ({"abc": 1}, "BC", True)
    assert holds_its_memory(of, np.array([97, 98, 99] * 100))
    with pytest.raises(ValueError, match="Invalid codepoint"):
        built(np.array([0x110000]))
    with pytest.raises(AssertionError, match="Unexpected unicode encoding"):
        njit(lambda kind: texts._kind_to_byte_width(kind))(3)
