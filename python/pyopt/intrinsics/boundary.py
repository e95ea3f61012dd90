"""The boundary between an intrinsic's code and the compiler's values: what each type of Numba's is in LLVM.

``value_type`` is Numba's data model of a type. ``enter`` writes what makes an argument such a value, and
``leave`` what makes a result the compiler's again: the compiler has an array as a memref and its owner, and a
tuple as the values of its items.

Of other types (lists, dictionaries, structures' memory) the compiler alone knows the form. In LLVM a
null pointer stands for such a value, a *handle*: it can be passed to calls, put into tuples and returned.
"""

from pyopt import own_types, types
from pyopt.intrinsics import function_values, slices, texts
from pyopt.intrinsics.function import Operation
from pyopt.intrinsics.ir import (
    ArrayType,
    Constant,
    DoubleType,
    FloatType,
    HalfType,
    IntType,
    LiteralStructType,
    PointerType,
    Undefined,
    Value,
)

_FLOATS = {"f16": HalfType, "f32": FloatType, "f64": DoubleType}
BYTE_POINTER = PointerType(IntType(8))
INTP = IntType(64)

#: The fields of the struct that an array is.
ARRAY_FIELDS = ("meminfo", "parent", "nitems", "itemsize", "data", "shape", "strides")
#: The fields of the struct that a value is that may be None.
OPTIONAL_FIELDS = ("data", "valid")


def value_type(type):
    """Give the type of LLVM that values of a type are of."""
    if not isinstance(type, types.StringLiteral):
        type = types.unliteral(type)
    if isinstance(type, types.Boolean):
        return IntType(1)
    if isinstance(type, types.Integer):
        return IntType(type.bitwidth)
    if isinstance(type, (types.NPDatetime, types.NPTimedelta)):
        return IntType(64)
    if isinstance(type, types.Float):
        return _FLOATS[type.text]()
    if isinstance(type, types.Complex):
        return LiteralStructType([value_type(type.underlying_float)] * 2)
    if isinstance(type, types.Array):
        rank = ArrayType(INTP, type.ndim)
        element = PointerType(data_type(type.dtype))
        return LiteralStructType([BYTE_POINTER, BYTE_POINTER, INTP, INTP, element, rank, rank])
    if isinstance(type, types.UniTuple):
        return ArrayType(value_type(type.dtype), len(type.types))
    if isinstance(type, types.CPointer):
        return PointerType(data_type(type.dtype))
    if isinstance(type, types.FunctionType):
        return function_values.value_type()
    if isinstance(type, types.SliceType):
        return slices.VALUE_TYPE
    if texts.has_form(type):
        return texts.value_type(type)
    items = _items(type)
    return BYTE_POINTER if items is None else LiteralStructType(list(map(value_type, items)))


def members(type):
    """Give names and types of the fields of an extension's own type; None for any other type."""
    return own_types.members_of(type)


def _items(type):
    """Give the types of what a value consists of: items of a tuple, fields of an own type, and of what may be
    None the value and whether there is one. None for any other type."""
    if isinstance(type, types.BaseTuple):
        return list(type.types)
    if isinstance(type, types.Optional):
        return [type.type, types.boolean]
    fields = members(type)
    return None if fields is None else [one for _, one in fields]


def data_type(type):
    """Give the type of LLVM that values of a type have in memory: a truth value is a byte there."""
    return IntType(8) if isinstance(type, types.Boolean) else value_type(type)


def has_value(type):
    """Whether values of a type can cross the boundary as such."""
    items = _items(type)
    if items is not None:
        return all(map(has_value, items))
    if isinstance(type, types.Literal):
        return False
    if isinstance(type, types.Array):
        return isinstance(type.dtype, (types.Number, types.Boolean, types.NPDatetime, types.NPTimedelta))
    scalars = (types.Number, types.Boolean, types.NPDatetime, types.NPTimedelta)
    scalars += (types.RawPointer, types.CPointer, types.FunctionType)
    if isinstance(type, (*scalars, types.PyObject)) or texts.has_form(type):
        return True
    return isinstance(type, types.SliceType) and slices.has_value(type)


class Lines:
    """Lines of text in front of a function's own code, or behind it."""

    def __init__(self, function):
        """Begin without lines."""
        self.function = function
        self.lines = []

    def one(self, type, text):
        """Add an operation with a result."""
        line, value = self.function.named(type, text)
        self.lines.append(line)
        return value

    def several(self, types, text):
        """Add an operation with several results."""
        made = [self.function.named(one, "")[1] for one in types]
        self.lines.append(Operation(None, f"{', '.join(one.name for one in made)} = {text}"))
        return made

    def cast(self, value, before, after):
        """Convert a value that the compiler has in two forms."""
        return (
            value if before == after.text else self.one(after, f"{_CAST} {value.name} : {before} to {after}")
        )

    def aggregate(self, type, parts):
        """Make a struct or array of its elements."""
        made = self.one(type, f"llvm.mlir.undef : {type}")
        for at, part in enumerate(parts):
            made = self.one(type, f"llvm.insertvalue {part.name}, {made.name}[{at}] : {type}")
        return made

    def element(self, aggregate, at):
        """Take an element out of a struct or array."""
        text = f"llvm.extractvalue {aggregate.name}[{at}] : {aggregate.type}"
        return self.one(aggregate.type.elements[at], text)


_CAST = "builtin.unrealized_conversion_cast"


def flat_types(type):
    """Give the types of the values that the compiler has for one of a type."""
    items = _items(type)
    if items is not None:
        return [one for item in items for one in flat_types(item)]
    if isinstance(type, types.Complex):
        return [_Text(type.text)]
    if isinstance(type, types.Array):
        if type.layout == "bytes":
            return [BYTE_POINTER, *[INTP] * (2 * type.ndim), BYTE_POINTER]
        return [_Text(_memref(type)), BYTE_POINTER]
    if isinstance(type, types.FunctionType):
        return [BYTE_POINTER]
    if isinstance(type, types.SliceType):
        return [INTP] * len(slices.stored(type))
    if texts.has_form(type):
        return texts.WORDS
    if isinstance(type, types.PyObject):
        return [_Text("memref<?xi8>"), BYTE_POINTER]
    return [value_type(type)]


def typed(type):
    """Give the type of a value that is the compiler's, in a function's text."""
    return _Text(type.text)


class _Text(IntType):
    """A type that isn't LLVM's."""

    def __init__(self, text):
        self.text = text


def _memref(type):
    element = data_type(type.dtype).text if not isinstance(type.dtype, types.Complex) else type.dtype.text
    sizes = "?x" * type.ndim
    layout = f", strided<[{', '.join('?' * type.ndim)}]>" if type.layout in "FA" and type.ndim else ""
    return f"memref<{sizes}{element}{layout}>"


def _descriptor(rank):
    numbers = [ArrayType(INTP, rank)] * 2 if rank else []
    return LiteralStructType([BYTE_POINTER, BYTE_POINTER, INTP, *numbers])


def enter(lines, name, type, text=None, is_given=False):
    """Write what makes a value of the compiler's, of a name, one of LLVM.

    The compiler may have it as of another text; it is the function's own if a call gave it.
    """
    if type == types.none:
        return Constant(BYTE_POINTER, None)
    if not has_value(type) or (is_given and _is_of_arrays(type)):
        return _enter_whole(lines, name, type, text or type.text, is_given)
    made = _enter(lines, name, type)
    if is_given:
        lines.function.typed[made.name] = name, type
    return made


def _enter(lines, name, type):
    if _is_owned(type):
        lines.function.is_pure = False
    flat = flat_types(type)
    if len(flat) == 1 and flat[0].text == type.text:
        parts = [Value(flat[0], name)]
    elif not flat:
        parts = []
    else:
        listed = ", ".join(one.text for one in flat)
        parts = lines.several(flat, f"{_CAST} {name} : {type.text} to {listed}")
    return _assemble(lines, iter(parts), type)


def _enter_whole(lines, name, type, text, is_given):
    """Write what stands for a value that isn't one of LLVM's as a whole: its items, or a handle."""
    items = _items(type)
    if items is None or text != type.text:
        made = lines.one(BYTE_POINTER, "llvm.mlir.zero : !llvm.ptr")
        lines.function.handles[made.name] = name, text
        return made
    parts = [
        enter(lines, item.name, one, is_given=is_given)
        for item, one in zip(_taken_apart(lines, name, type, items), items, strict=True)
    ]
    null = lines.one(BYTE_POINTER, "llvm.mlir.zero : !llvm.ptr")
    written = [null if isinstance(part, Constant) else part for part in parts]
    made = lines.aggregate(value_type(type), written)
    lines.function.parts[made.name] = {(at,): part for at, part in enumerate(parts)}
    return made


def _taken_apart(lines, name, type, items):
    """Write what takes what a value consists of out of it, each the compiler's."""
    if isinstance(type, types.Optional):
        given, result = type.text, items[0].text
        yield lines.one(_Text(result), f"typed.optional_value {name} : {given} -> {result}")
        yield lines.one(IntType(1), f"typed.is_some {name} : {given}")
        return
    plain = _plain_tuple(items)
    if type.text != plain:
        name = lines.one(_Text(plain), f"typed.as_tuple {name} : {type.text}").name
    for at, one in enumerate(items):
        yield lines.one(_Text(one.text), f"typed.tuple_get {name}[{at}] : {plain} -> {one.text}")


def _put_together(lines, names, type, items):
    """Write what makes a value of what it consists of, each the compiler's; give its name."""
    if isinstance(type, types.Optional):
        value, valid = names
        some = lines.one(_Text(type.text), f"typed.optional_some {value} : {items[0].text} to {type.text}")
        none = lines.one(_Text(type.text), f"typed.optional_none : {type.text}")
        return lines.one(
            _Text(type.text), f"arith.select {valid}, {some.name}, {none.name} : {type.text}"
        ).name
    plain = _plain_tuple(items)
    made = lines.one(_Text(plain), f"typed.tuple({', '.join(names)}) : {plain}").name
    if plain == type.text:
        return made
    return lines.one(_Text(type.text), f"typed.as_sequence {made} : {type.text}").name


def _plain_tuple(items):
    """Write the type of a tuple without a name."""
    return f"tuple<{', '.join(one.text for one in items)}>"


def _leave_whole(lines, value, type):
    """Write what makes a value with handles, or arrays that calls gave, the compiler's; give its name."""
    items = _items(type)
    if items is None:
        name, text = lines.function.handles.get(value.name, (None, None))
        if text != type.text:
            found = "a value of another origin" if text is None else f"one of {text}"
            raise NotImplementedError(
                f"an intrinsic has a value of {type} as an argument or a call gave it, not {found}"
            )
        return name
    names = []
    for at, one in enumerate(items):
        part = lines.function.part(value, (at,))
        part = lines.element(value, at) if part is None else lines.function.use(part)
        names.append(leave(lines, part, one))
    return _put_together(lines, names, type, items)


def _assemble(lines, parts, type):
    kind = value_type(type)
    items = _items(type)
    if items is not None:
        return lines.aggregate(kind, [_assemble(lines, parts, one) for one in items])
    if isinstance(type, types.Array):
        return _array(lines, parts, type)
    if isinstance(type, types.SliceType):
        return slices.opened(lines, parts, type)
    if texts.has_form(type):
        return texts.opened(lines, parts, type)
    value = next(parts)
    if isinstance(type, types.PyObject):
        # The compiler has the array that holds an object: the owner stands for it.
        return next(parts)
    if isinstance(type, types.Complex):
        element = kind.elements[0]
        halves = [lines.one(element, f"complex.{half} {value.name} : {type.text}") for half in ("re", "im")]
        return lines.aggregate(kind, halves)
    if isinstance(type, types.FunctionType):
        return function_values.opened(lines, value)
    return Value(kind, value.name)


def _number(lines, value):
    return lines.one(INTP, f"llvm.mlir.constant({value} : i64) : i64")


def element_size(type):
    """Give the bytes of an element of an array."""
    if isinstance(type, types.Boolean):
        return 1
    return 8 if isinstance(type, (types.NPDatetime, types.NPTimedelta)) else type.bitwidth // 8


def _array(lines, parts, type):
    rank = type.ndim
    item = _number(lines, element_size(type.dtype))
    if type.layout == "bytes":
        data = next(parts)
        sizes = [next(parts) for _ in range(rank)]
        strides = [next(parts) for _ in range(rank)]
    else:
        memref = next(parts)
        descriptor = lines.cast(memref, memref.type.text, _descriptor(rank))
        data = lines.element(descriptor, 1)
        sizes = strides = []
        if rank:
            sizes, strides = (
                [lines.element(both, at) for at in range(rank)]
                for both in (lines.element(descriptor, 3), lines.element(descriptor, 4))
            )
        strides = [lines.one(INTP, f"llvm.mul {one.name}, {item.name} : i64") for one in strides]
    owner = next(parts)
    count = _number(lines, 1)
    for one in sizes:
        count = lines.one(INTP, f"llvm.mul {count.name}, {one.name} : i64")
    null = lines.one(BYTE_POINTER, "llvm.mlir.zero : !llvm.ptr")
    numbers = ArrayType(INTP, rank)
    shape, steps = lines.aggregate(numbers, sizes), lines.aggregate(numbers, strides)
    return lines.aggregate(value_type(type), [owner, null, count, item, data, shape, steps])


def leave(lines, value, type):
    """Write what makes a value of LLVM the compiler's; give its name."""
    if isinstance(type, types.NoneType):
        return lines.one(_Text(type.text), f"typed.singleton : {type.text}").name
    if isinstance(type, types.Literal):
        raise NotImplementedError(f"an intrinsic that returns {type}")
    if value is None or value.type != value_type(type):
        found = "nothing" if value is None else f"a value of type {value.type}"
        raise TypeError(f"the result is declared as {type}, and the code generator returns {found}")
    known = lines.function.typed.get(value.name)
    if known is not None and known[1] == type:
        # It is passed on as a call gave it: an array with its owner.
        lines.function.left.add(value.name)
        return known[0]
    if not has_value(type) or (_is_of_arrays(type) and value.name in lines.function.parts):
        return _leave_whole(lines, value, type)
    if has_array(type):
        lines.function.is_pure = False
    parts = list(_disassemble(lines, value, type))
    flat = flat_types(type)
    if len(flat) == 1 and flat[0].text == type.text:
        return parts[0].name
    if not flat and not isinstance(type, types.BaseTuple):
        return lines.one(_Text(type.text), f"{_CAST} to {type.text}").name
    if not flat:
        return lines.one(_Text(type.text), f"typed.tuple() : {type.text}").name
    names, kinds = ", ".join(one.name for one in parts), ", ".join(one.text for one in flat)
    return lines.one(_Text(type.text), f"{_CAST} {names} : {kinds} to {type.text}").name


def has_array(type):
    """Whether there is what has an owner in values of a type: an array or text."""
    return _is_owned(type) or any(map(has_array, _items(type) or ()))


def may_hold_address(type):
    """Whether a value of a type may say where something is in memory."""
    items = _items(type)
    if items is not None:
        return any(map(may_hold_address, items))
    return not isinstance(type, (types.NoneType, types.Boolean, types.Float, types.Complex))


def _is_of_arrays(type):
    """Whether values of a type are of items with arrays or texts."""
    return has_array(type) and not _is_owned(type)


def _is_owned(type):
    return isinstance(type, (types.Array, types.PyObject)) or texts.has_form(type)


def _disassemble(lines, value, type):
    items = _items(type)
    if items is not None:
        for at, one in enumerate(items):
            yield from _disassemble(lines, lines.element(value, at), one)
    elif isinstance(type, types.Complex):
        halves = [lines.element(value, at) for at in range(2)]
        names = ", ".join(one.name for one in halves)
        yield lines.one(_Text(type.text), f"complex.create {names} : {type.text}")
    elif isinstance(type, types.Array):
        yield from _array_parts(lines, value, type)
    elif isinstance(type, types.FunctionType):
        yield function_values.closed(lines, value, type)
    elif isinstance(type, types.SliceType):
        yield from (lines.element(value, at) for at in slices.stored(type))
    elif texts.has_form(type):
        yield from texts.closed(lines, value, type)
    elif isinstance(type, types.PyObject):
        yield _memref_of(lines, value, [_number(lines, 1)], [_number(lines, 1)], flat_types(type)[0])
        yield value
    else:
        yield value


def _array_parts(lines, value, type):
    """Write the parts that the compiler has for an array; its owner, which it retains, comes last."""
    owner, data = lines.element(value, 0), lines.element(value, 4)
    sizes, strides = (
        [lines.element(numbers, at) for at in range(type.ndim)]
        for numbers in (lines.element(value, 5), lines.element(value, 6))
    )
    if type.layout == "bytes":
        yield from [data, *sizes, *strides, owner]
        return
    item = _number(lines, element_size(type.dtype))
    strides = [lines.one(INTP, f"llvm.sdiv {one.name}, {item.name} : i64") for one in strides]
    yield _memref_of(lines, data, sizes, strides, flat_types(type)[0])
    yield owner


def _memref_of(lines, data, sizes, strides, memref):
    rank = len(sizes)
    descriptor = _descriptor(rank)
    parts = [data, data, _number(lines, 0)]
    if rank:
        parts += [lines.aggregate(ArrayType(INTP, rank), numbers) for numbers in (sizes, strides)]
    return lines.cast(lines.aggregate(descriptor, parts), descriptor.text, memref)


def undefined(type):
    """Give a value of LLVM of which nothing is known."""
    return Constant(value_type(type), Undefined)
