"""Values of types of functions in an intrinsic: Numba's three addresses, and the compiler's value.

The compiler has such a value as the address by which the host finds a function's code for the signature. The
address of code that C would call and the one that compiled code would call are the same here.
"""

import os

from pyopt import _core
from pyopt.intrinsics.ir import IntType, LiteralStructType, PointerType

_ADDRESS = PointerType(IntType(8))
#: The parts of a value.
FIELDS = ("c_addr", "py_addr", "jit_addr")
_POINTER = "!typed.pointer<!typed.none>"
_CAST = "builtin.unrealized_conversion_cast"
_START = os.urandom(8).hex()


def value_type():
    """Give the type of LLVM that values are of."""
    return LiteralStructType([_ADDRESS] * len(FIELDS))


def this_process():
    """Write a comment by which code that holds addresses is never found on disk by another process.

    The text is part of what the code is kept under, and an address may be that of something else there.
    """
    return f"// in process {os.getpid()} of {_START}"


def opened(lines, address):
    """Write what makes the compiler's value, cast to an address, one of LLVM."""
    none = lines.one(_ADDRESS, "llvm.mlir.zero : !llvm.ptr")
    return lines.aggregate(value_type(), [address, none, address])


def closed(lines, value, kind):
    """Write what makes a value of LLVM the compiler's, cast to an address.

    The host looks at the first part: a function that it has given itself for the type, or one of C.
    """
    native = lines.function
    native.is_pure = False
    symbol = f"pyopt_function_at(i64, {_POINTER}) -> {kind.text}".replace('"', "'")
    mark = 'attributes {pyopt.native = "pyopt_function_at"}'
    native.declare(f'func.func private @"{symbol}"(i64, {_POINTER}) -> {kind.text} {mark} {this_process()}')
    number = lines.one(IntType(64), f"llvm.mlir.constant({_core.function_type(kind.text)} : i64) : i64")
    address = lines.element(value, FIELDS.index("c_addr"))
    found = lines.one(_ADDRESS, f"{_CAST} {address.name} : !llvm.ptr to {_POINTER}")
    taken = f"(i64, {_POINTER}) -> {kind.text}"
    made = lines.one(_ADDRESS, f'typed.call @"{symbol}"({number.name}, {found.name}) : {taken}')
    return lines.one(_ADDRESS, f"{_CAST} {made.name} : {kind.text} to !llvm.ptr")


def known(lines, function, kind):
    """Write what makes the value of a function that is known; give its name."""
    value = _core.function_value(function, kind.text)
    number = lines.one(IntType(64), f"llvm.mlir.constant({value} : i64) : i64")
    address = lines.one(_ADDRESS, f"llvm.inttoptr {number.name} : i64 to !llvm.ptr")
    return lines.one(_ADDRESS, f"{_CAST} {address.name} : !llvm.ptr to {kind.text}").name
