"""Texts and bytes in the code of an intrinsic: the structs that Numba's models of them are.

The compiler has four words: the address of the code units, their number, the bytes that one takes, and the
owner of the memory. The width of a unit is also what CPython calls the kind of a text.
"""

from pyopt import types
from pyopt.intrinsics.ir import ArrayType, IntType, LiteralStructType, PointerType

_POINTER, _INTP = PointerType(IntType(8)), IntType(64)
_KIND = IntType(32)

#: The fields of the struct that a text is. Neither the hash nor whether all is ASCII is known of an argument.
FIELDS = ("data", "length", "kind", "is_ascii", "hash", "meminfo", "parent")
_TEXT = LiteralStructType([_POINTER, _INTP, _KIND, _KIND, _INTP, _POINTER, _POINTER])
#: Bytes are what an array of one dimension is.
_VECTOR = ArrayType(_INTP, 1)
_BYTES = LiteralStructType([_POINTER, _POINTER, _INTP, _INTP, _POINTER, _VECTOR, _VECTOR])

#: The types of the compiler's words.
WORDS = [_POINTER, _INTP, _KIND, _POINTER]


def has_form(type):
    """Whether a type is one of texts or bytes; of a text that is known nothing is left."""
    return isinstance(type, (types.UnicodeType, types.Bytes)) and not isinstance(type, types.Literal)


def value_type(type):
    """Give the struct."""
    return _TEXT if isinstance(type, types.UnicodeType) else _BYTES


def opened(lines, parts, type):
    """Write the struct of the compiler's words."""
    data, length, width, owner = (next(parts) for _ in WORDS)
    null = lines.one(_POINTER, "llvm.mlir.zero : !llvm.ptr")
    if isinstance(type, types.UnicodeType):
        unknown = _number(lines, 0, _KIND)
        return lines.aggregate(_TEXT, [data, length, width, unknown, _number(lines, -1), owner, null])
    one = _number(lines, 1)
    shape, strides = (lines.aggregate(_VECTOR, [number]) for number in (length, one))
    return lines.aggregate(_BYTES, [owner, null, length, one, data, shape, strides])


def closed(lines, value, type):
    """Write the compiler's words of a struct."""
    if isinstance(type, types.UnicodeType):
        data, length, width, owner = (lines.element(value, at) for at in (0, 1, 2, 5))
        # A struct of zeros is the empty text.
        zero = _number(lines, 0, _KIND)
        is_zero = lines.one(IntType(1), f'llvm.icmp "eq" {width.name}, {zero.name} : {_KIND}')
        least = lines.one(_KIND, f"llvm.zext {is_zero.name} : i1 to {_KIND}")
        width = lines.one(_KIND, f"llvm.or {width.name}, {least.name} : {_KIND}")
        return [data, length, width, owner]
    data, length, owner = (lines.element(value, at) for at in (4, 2, 0))
    return [data, length, _number(lines, 1, _KIND), owner]


def _number(lines, value, kind=_INTP):
    return lines.one(kind, f"llvm.mlir.constant({value} : {kind}) : {kind}")
