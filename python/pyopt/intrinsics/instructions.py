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

    return Constant(type, value.constant) if isinstance(value, Constant) else Value(type, value.name)


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
    from pyopt.intrinsics.ir import IntType

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


def call(builder, function, arguments):
    """Call one of LLVM's intrinsics, by the builder's methods where there are, or a function of C's."""
    name = function.name
    kinds = function.ftype.args
    if len(arguments) != len(kinds):
        raise TypeError(f"{name} takes {len(kinds)} arguments ({len(arguments)} given)")
    for argument, kind in zip(arguments, kinds, strict=True):
        expect(argument, kind)
    if not name.startswith("llvm."):
        return _call_of_c(builder, function, arguments)
    short = name.split(".")[1]
    if short in ("ctpop", "bswap", "bitreverse", "fma", "ctlz", "cttz"):
        return getattr(builder, short)(*arguments)
    result = function.ftype.return_type
    types = ", ".join(one.type.text for one in arguments)
    operands = ", ".join("{}" for _ in arguments)
    is_void = result.text == "!llvm.void"
    text = f'llvm.call_intrinsic "{name}"({operands}) : ({types}) -> {"()" if is_void else result}'
    return builder.emit(None if is_void else result, text, *arguments)


def _call_of_c(builder, function, arguments):
    """Call a function by its address in this process."""
    import ctypes

    if function.ftype.var_arg:
        raise NotImplementedError(f"an intrinsic calls '{function.name}', a function with variable arguments")
    loaded = getattr(ctypes.CDLL(None), function.name, None)
    if loaded is None:
        raise NotImplementedError(
            f"an intrinsic calls '{function.name}', and no library that is loaded has it"
        )
    address = ctypes.cast(loaded, ctypes.c_void_p).value
    place = _address(builder, address)
    result = function.ftype.return_type
    is_void = result.text == "!llvm.void"
    kinds = ", ".join(one.type.text for one in arguments)
    operands = ", ".join("{}" for _ in arguments)
    text = f"llvm.call {{}}({operands}) : !llvm.ptr, ({kinds}) -> {'()' if is_void else result}"
    return builder.emit(None if is_void else result, text, place, *arguments)


def _address(builder, number):
    from pyopt.intrinsics.ir import Constant, IntType, PointerType

    return builder.emit(
        PointerType(IntType(8)), "llvm.inttoptr {} : i64 to !llvm.ptr", Constant(IntType(64), number)
    )
