"""Data and memory of code generators: constants with an address, copies, text that C formats.

The names are those of ``numba.core.cgutils``.
"""

from pyopt.intrinsics.ir import (
    ArrayType,
    Constant,
    Function,
    FunctionType,
    GlobalVariable,
    IntType,
    PointerType,
    VoidType,
)

_BYTE = IntType(8)
_ADDRESS = PointerType(_BYTE)
_SIZE = IntType(64)
_INT = IntType(32)


def sizeof(builder, ptr_type):
    """Give the bytes of what a type of pointers points to, as a constant."""
    from pyopt.intrinsics.cgutils import size_of

    return Constant(_SIZE, size_of(ptr_type.pointee))


def create_constant_array(ty, val):
    """Make a constant array of elements of a type."""
    return Constant(ArrayType(ty, len(val)), val)


def make_bytearray(buf):
    """Make a constant array of bytes."""
    return create_constant_array(_BYTE, bytearray(buf))


def add_global_variable(module, ty, name, addrspace=0):
    """Declare data of the module, which is to be made a constant with an initializer."""
    return GlobalVariable(module, ty, name, addrspace)


def global_constant(builder_or_module, name, value, linkage="internal"):
    """Give the address of a constant."""
    module = getattr(builder_or_module, "module", builder_or_module)
    data = add_global_variable(module, value.type, name)
    data.linkage = linkage
    data.global_constant = True
    data.initializer = value
    return data


def constant_bytes(builder_or_module, data):
    """Give the address of bytes that end with a zero."""
    return global_constant(builder_or_module, "bytes", make_bytearray(data + b"\0")).bitcast(_ADDRESS)


def memset(builder, ptr, size, value):
    """Fill bytes with one."""
    value = Constant(_BYTE, value) if isinstance(value, int) else value
    _intrinsic(builder, "memset", builder.bitcast(ptr, _ADDRESS), value, size)


def raw_memcpy(builder, dst, src, count, itemsize, align=1):
    """Copy items of a size to where they don't overlap."""
    _move(builder, "memcpy", dst, src, count, itemsize)


def raw_memmove(builder, dst, src, count, itemsize, align=1):
    """Copy items of a size to where they may overlap."""
    _move(builder, "memmove", dst, src, count, itemsize)


def memcpy(builder, dst, src, count):
    """Copy what pointers of one type point to."""
    itemsize = sizeof(builder, dst.type)
    count = builder.zext(count, _SIZE) if count.type.width < _SIZE.width else count
    raw_memcpy(builder, dst, src, count, itemsize)


def _move(builder, name, target, source, count, size):
    size = Constant(count.type, size) if isinstance(size, int) else size
    ends = [builder.bitcast(one, _ADDRESS) for one in (target, source)]
    _intrinsic(builder, name, *ends, builder.mul(count, size))


def _intrinsic(builder, name, *arguments):
    kinds = [one.type for one in arguments]
    suffix = "".join(f".{'p0' if one.is_pointer else one.text}" for one in kinds if one != _BYTE)
    kind = FunctionType(VoidType(), [*kinds, IntType(1)])
    is_volatile = Constant(IntType(1), 0)
    builder.call(Function(builder.module, kind, f"llvm.{name}{suffix}"), [*arguments, is_volatile])


def printf(builder, format, *args):
    """Print values as C does."""
    kind = FunctionType(_INT, [_ADDRESS], var_arg=True)
    text = constant_bytes(builder, format.encode())
    return builder.call(Function(builder.module, kind, "printf"), [text, *args])


def snprintf(builder, buffer, bufsz, format, *args):
    """Format values as C does, into memory."""
    kind = FunctionType(_INT, [_ADDRESS, _SIZE, _ADDRESS], var_arg=True)
    text = constant_bytes(builder, format.encode())
    return builder.call(Function(builder.module, kind, "snprintf"), [buffer, bufsz, text, *args])


def snprintf_stackbuffer(builder, bufsz, format, *args):
    """Format values as C does; give the address of the text, which is on the stack."""
    from pyopt.intrinsics.cgutils import alloca_once

    buffer = builder.bitcast(alloca_once(builder, ArrayType(_BYTE, bufsz), zfill=True), _ADDRESS)
    snprintf(builder, buffer, Constant(_SIZE, bufsz), format, *args)
    return buffer
