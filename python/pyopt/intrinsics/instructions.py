"""What the builder's methods share: types of operands, paths into aggregates, comparisons, calls."""

_COMPARISONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


def expect(value, type):
    """Refuse a value of another type."""
    if value.type != type:
        raise TypeError(f"expected a value of type {type}, got {value.type}")


def expect_pointer(value):
    """Refuse what is no pointer."""
    if not value.type.is_pointer:
        raise TypeError(f"expected a pointer, got {value.type}")


def pointee(pointer):
    """Say what a pointer points to."""
    expect_pointer(pointer)
    if pointer.type.pointee is None:
        raise TypeError("what the pointer points to isn't known: bitcast it, or give the type")
    return pointer.type.pointee


def pointing(value, type):
    """Give a pointer that is taken to point to something else."""
    if not type.is_pointer:
        return value
    from pyopt.intrinsics.ir import Constant, Value

    return value.bitcast(type) if isinstance(value, Constant) else Value(type, value.name)


def path(type, indices):
    """Give the path to an element of an aggregate, and the element's type."""
    indices = (indices,) if isinstance(indices, int) else tuple(indices)
    for at in indices:
        if not hasattr(type, "elements") or not 0 <= at < len(type.elements):
            raise TypeError(f"{type} has no element {at}")
        type = type.elements[at]
    return indices, type


def written(path):
    """Write a path in MLIR's syntax."""
    return ", ".join(map(str, path))


def element_address(builder, pointer, type, indices):
    """Write a ``getelementptr``."""
    from pyopt.intrinsics.ir import Constant, LiteralStructType, PointerType

    expect_pointer(pointer)
    written, operands, element = [], [], type
    for depth, index in enumerate(indices):
        if isinstance(index, Constant):
            written.append(str(index.signed))
        else:
            written.append("{}")
            operands.append(index)
        if depth == 0:
            continue
        if isinstance(element, LiteralStructType):
            element = element.elements[index.signed]
        else:
            element = element.element
    types = ", ".join(["!llvm.ptr", *(one.type.text for one in operands)])
    text = f"llvm.getelementptr {{}}[{', '.join(written)}] : ({types}) -> !llvm.ptr, {type}"
    return builder.emit(PointerType(element), text, pointer, *operands)


def compare_integers(builder, kind, lhs, rhs, sign):
    """Compare integers or pointers."""
    from pyopt.intrinsics.ir import Constant, IntType

    if type(rhs) is Constant and isinstance(rhs.type, IntType) and isinstance(lhs.type, IntType):
        # llvmlite writes a constant without its type: it is one of the other operand's.
        rhs = Constant(lhs.type, rhs.constant)
    expect(rhs, lhs.type)
    name = _COMPARISONS[kind]
    name = name if kind in ("==", "!=") else sign + name
    return builder.emit(IntType(1), f'llvm.icmp "{name}" {{}}, {{}} : {lhs.type}', lhs, rhs, pure=True)


def compare_floats(builder, kind, lhs, rhs, order):
    """Compare floats; ``order`` says what NaN gives."""
    from pyopt.intrinsics.ir import IntType

    expect(rhs, lhs.type)
    name = {"ord": "ord", "uno": "uno"}.get(kind) or order + _COMPARISONS[kind]
    return builder.emit(IntType(1), f'llvm.fcmp "{name}" {{}}, {{}} : {lhs.type}', lhs, rhs, pure=True)


def count_zeros(builder, name, number, flag):
    """Count zeros at an end of a number, which with the flag isn't 0."""
    from pyopt.intrinsics.ir import Constant

    if not isinstance(flag, Constant):
        raise TypeError(f"the flag of {name} is a constant")
    poison = "true" if flag.constant else "false"
    text = f'"llvm.intr.{name}"({{}}) <{{{{is_zero_poison = {poison}}}}}> : ({number.type}) -> {number.type}'
    return builder.emit(number.type, text, number, pure=poison == "false")


class Switch:
    """The end of a block that goes where a value says."""

    def __init__(self, block, type):
        """Begin without cases, of values of a type."""
        self.block = block
        self.type = type

    def add_case(self, val, block):
        """Say where to go for a constant."""
        from pyopt.intrinsics.ir import Constant

        self.block.cases.append(val if isinstance(val, Constant) else Constant(self.type, val))
        self.block.terminator[2].insert(-1, block)


def shuffle(builder, first, second, mask):
    """Give elements of two vectors, of numbers that are constants."""
    from pyopt.intrinsics.ir import Undefined, VectorType

    expect(second, first.type)
    if mask.constant is Undefined or mask.constant is None:
        numbers = [0] * mask.type.count
    else:
        numbers = [one.signed for one in mask.constant]
    kind = VectorType(first.type.element, len(numbers))
    return builder.emit(kind, f"llvm.shufflevector {{}}, {{}} {numbers} : {first.type}", first, second)


def call(builder, function, arguments):
    """Call one of LLVM's intrinsics, by the builder's methods where there are, or a function of C's."""
    from pyopt.intrinsics.ir import InlineAsm

    is_asm = isinstance(function, InlineAsm)
    is_address = is_asm is False and not hasattr(function, "ftype")
    described = function.type.pointee if is_address else function.ftype
    name = "the function" if is_asm or is_address else function.name
    kinds = described.args
    if len(arguments) < len(kinds) or (len(arguments) > len(kinds) and not described.var_arg):
        raise TypeError(f"{name} takes {len(kinds)} arguments ({len(arguments)} given)")
    for argument, kind in zip(arguments, kinds, strict=False):
        expect(argument, kind)
    if is_asm:
        return _instructions(builder, function, arguments)
    if is_address:
        return _call_at(builder, function, described, arguments)
    if not name.startswith("llvm."):
        return _call_of_c(builder, function, arguments)
    short = name.split(".")[1]
    if short in ("ctpop", "bswap", "bitreverse", "fma", "ctlz", "cttz"):
        return getattr(builder, short)(*arguments)
    if short in ("memcpy", "memmove", "memset"):
        return _move(builder, short, arguments)
    result, suffix = _result(function.ftype)
    types = ", ".join(one.type.text for one in arguments)
    operands = ", ".join("{}" for _ in arguments)
    text = f'llvm.call_intrinsic "{name}"({operands}) : ({types}) -> {suffix}'
    return builder.emit(result, text, *arguments)


def _move(builder, name, arguments):
    """Write memory; whether it is volatile is a constant."""
    *arguments, is_volatile = arguments
    kinds = ", ".join(one.type.text for one in arguments)
    flag = f"<{{{{isVolatile = {'true' if is_volatile.constant else 'false'}}}}}>"
    builder.emit(None, f'"llvm.intr.{name}"({{}}, {{}}, {{}}) {flag} : ({kinds}) -> ()', *arguments)


def _call_of_c(builder, function, arguments):
    """Call a function by its address in this process."""
    import ctypes

    from pyopt.intrinsics.ir import Constant, IntType, PointerType

    loaded = getattr(ctypes.CDLL(None), function.name, None)
    if loaded is None:
        raise NotImplementedError(
            f"an intrinsic calls '{function.name}', and no library that is loaded has it"
        )
    number = Constant(IntType(64), ctypes.cast(loaded, ctypes.c_void_p).value)
    return _call_at(builder, number.inttoptr(PointerType(IntType(8))), function.ftype, arguments)


def _call_at(builder, address, described, arguments):
    """Call the function at an address."""
    result, suffix = _result(described)
    kinds = ", ".join(one.type.text for one in arguments)
    operands = ", ".join("{}" for _ in arguments)
    more = f" vararg({described.text})" if described.var_arg else ""
    text = f"llvm.call {{}}({operands}){more} : !llvm.ptr, ({kinds}) -> {suffix}"
    return builder.emit(result, text, address, *arguments)


def _instructions(builder, code, arguments):
    import json

    result, suffix = _result(code.ftype)
    kinds = ", ".join(one.type.text for one in arguments)
    operands = ", ".join("{}" for _ in arguments)
    effects = "has_side_effects " if code.side_effect else ""
    quoted = f"{json.dumps(code.asm)}, {json.dumps(code.constraint)}".replace("{", "{{").replace("}", "}}")
    text = f"llvm.inline_asm {effects}{quoted} {operands} : ({kinds}) -> {suffix}"
    return builder.emit(result, text, *arguments)


def _result(described):
    """Give the type of a call's result, None if there is none, and how it is written."""
    result = described.return_type
    return (None, "()") if result.text == "!llvm.void" else (result, result.text)
