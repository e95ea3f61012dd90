"""Numba's functions on the code units of texts, from ``numba.cpython.unicode``: they are for compiled code.

The kind of a text is the bytes that a unit takes, as CPython's is.
"""

from pyopt import types
from pyopt.extending import intrinsic, overload, overload_attribute
from pyopt.intrinsics import cgutils
from pyopt.intrinsics.ir import IntType

__all__ = [
    *("PY_UNICODE_1BYTE_KIND", "PY_UNICODE_2BYTE_KIND", "PY_UNICODE_4BYTE_KIND", "_codepoint_to_kind"),
    *("_empty_string", "_get_code_point", "_kind_to_byte_width", "_malloc_string", "_pick_ascii"),
    *("_pick_kind", "_set_code_point", "bytes_type"),
]

_KINDS = PY_UNICODE_1BYTE_KIND, PY_UNICODE_2BYTE_KIND, PY_UNICODE_4BYTE_KIND = 1, 2, 4

bytes_type = types.bytes_type


def _compiled(function):
    """Have compiled code compile a function of this module."""
    overload(function, strict=False)(lambda *arguments: function)
    return function


def _opened(context, builder, text=None):
    return cgutils.create_struct_proxy(types.unicode_type)(context, builder, value=text)


@intrinsic
def _malloc_string(typingctx, kind, char_bytes, length, is_ascii):
    """Make a text whose units are to be written; there is room for a zero behind them."""

    def write(context, builder, signature, arguments):
        kind, width, length, is_ascii = arguments
        made = _opened(context, builder)
        size = builder.mul(width, cgutils.increment_index(builder, length))
        made.meminfo = context.nrt.meminfo_alloc(builder, size)
        made.data = context.nrt.meminfo_data(builder, made.meminfo)
        made.kind, made.length, made.is_ascii = kind, length, is_ascii
        return made._getvalue()

    return types.unicode_type(types.int32, types.intp, types.intp, types.uint32), write


@_compiled
def _empty_string(kind, length, is_ascii=0):
    """Make a text of a kind and length, whose units are to be written."""
    made = _malloc_string(kind, _kind_to_byte_width(kind), length, is_ascii)
    _set_code_point(made, length, 0)
    return made


@intrinsic
def _get_code_point(typingctx, a, i):
    """Read a unit of a text without looking at its length."""

    def write(context, builder, signature, arguments):
        def read(place, unit):
            found = builder.load(place, typ=unit)
            return found if unit.width == 32 else builder.zext(found, cgutils.int32_t)

        return _at_unit(context, builder, arguments, read)

    return types.uint32(types.unicode_type, types.intp), write


@intrinsic
def _set_code_point(typingctx, a, i, ch):
    """Write a unit of a text that is being made, without looking at its length."""

    def write(context, builder, signature, arguments):
        *place, value = arguments

        def put(place, unit):
            builder.store(value if unit.width == 32 else builder.trunc(value, unit), place)

        _at_unit(context, builder, place, put)
        return context.get_dummy_value()

    return types.none(types.unicode_type, types.intp, types.uint32), write


def _at_unit(context, builder, arguments, use):
    """Write a use of the address of a unit for each kind; give what the uses give."""
    text, index = arguments
    opened = _opened(context, builder, text)
    data, width = opened.data, opened.kind
    end = builder.append_basic_block()
    blocks = [builder.append_basic_block() for _ in _KINDS]
    choice = builder.switch(width, blocks[-1])
    for kind, block in zip(_KINDS[:-1], blocks, strict=False):
        choice.add_case(width.type(kind), block)
    found = []
    for kind, block in zip(_KINDS, blocks, strict=True):
        unit = IntType(8 * kind)
        builder.position_at_end(block)
        place = builder.gep(data, [index], source_etype=unit)
        found.append((use(builder.bitcast(place, unit.as_pointer()), unit), builder.block))
        builder.branch(end)
    builder.position_at_end(end)
    if found[0][0] is None:
        return None
    result = builder.phi(found[0][0].type)
    for value, block in found:
        result.add_incoming(value, block)
    return result


@_compiled
def _codepoint_to_kind(cp):
    """Give the kind of the narrowest units that have a number."""
    if cp < 256:
        return PY_UNICODE_1BYTE_KIND
    if cp < 65536:
        return PY_UNICODE_2BYTE_KIND
    if cp > 0x10FFFF:
        raise ValueError("Invalid codepoint. Found value greater than Unicode maximum")
    return PY_UNICODE_4BYTE_KIND


@_compiled
def _kind_to_byte_width(kind):
    """Give the bytes of a unit."""
    if kind != 1 and kind != 2 and kind != 4:
        raise AssertionError("Unexpected unicode encoding encountered")
    return kind


@_compiled
def _pick_kind(kind1, kind2):
    """Give the wider of two kinds."""
    return max(_kind_to_byte_width(kind1), _kind_to_byte_width(kind2))


@_compiled
def _pick_ascii(is_ascii1, is_ascii2):
    """Say whether two texts are both ASCII."""
    return types.uint32(is_ascii1 == 1 and is_ascii2 == 1)


def _part(name, kind):
    @intrinsic
    def part(typingctx, text):
        def write(context, builder, signature, arguments):
            return getattr(_opened(context, builder, arguments[0]), name)

        return kind(types.unicode_type), write

    overload_attribute(types.UnicodeType, f"_{name}")(lambda text: lambda text: part(text))


_part("data", types.voidptr)
_part("length", types.intp)
_part("kind", types.int32)


@overload_attribute(types.UnicodeType, "_is_ascii")
def _is_ascii(text):
    return lambda text: types.uint32(text.isascii())
