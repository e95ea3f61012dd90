"""Reads types from the compiler's text form."""

import re

from pyopt import _core
from pyopt.types import base, composite

_QUOTED = re.compile(r'"[^"]*"')
# What needs no quotation marks in the name of a symbol.
_IDENTIFIER = re.compile(r"[A-Za-z_][\w$.]*", re.ASCII)
# Types without parts, by their text.
_NAMED = {}
# The same, by their names.
_BY_NAME = {}


def named(type):
    """Enter a type that has a name of its own."""
    enter_text(type.text, type)
    _BY_NAME[type.name] = type
    return type


def of_name(name):
    """Give the type that has a name of its own; None without one."""
    return _BY_NAME.get(name)


def enter_text(text, type):
    """Enter a type that a text in the compiler's form stands for."""
    _NAMED[text] = type


def from_text(text):
    """Return the type of a text in the compiler's form."""
    known = _NAMED.get(text)
    if known is not None:
        return known
    head, _, rest = text.partition("<")
    read = _READERS.get(head)
    made = read and read(text, rest[:-1])
    # The type of the tuple without items has no items either.
    return base.Type(text.removeprefix("!typed."), text) if made is None else made


def _array(_, inner):
    ndim, dtype, layout, *readonly = split(inner)
    return composite.Array(from_text(dtype), int(ndim), layout, bool(readonly))


def _tuple(_, inner):
    return composite.Tuple(map(from_text, split(inner)))


def _sequence(text, inner):
    items, of_class = split(inner)
    if of_class.startswith("("):
        from pyopt.types.addresses import signature_from_text

        return composite.FunctionType(signature_from_text(of_class))
    if of_class.startswith("["):
        return base.Type(f"Function({of_class[1:-1]})", text)
    if of_class.startswith("#py.named_tuple"):
        return composite.NamedTuple.from_parts(from_text(items), of_class)
    if of_class.startswith("#py.keywords"):
        from pyopt.types.foreign import dict_display

        return dict_display(texts_in(of_class), from_text(items), text)
    if of_class == '#py.named<"builtins.list">':
        from pyopt.types.foreign import list_display

        # The type of the tuple without items has no items either.
        return list_display(getattr(from_text(items), "types", ()), text)
    name = of_class.partition('"')[2].partition('"')[0].removeprefix("builtins.")
    return base.Type(f"{name}({', '.join(map(str, from_text(items)))})", text)


def _time(kind):
    return lambda _, inner: kind("" if inner == "generic" else inner)


def _literal(text, inner):
    from pyopt.types import literals

    return literals.from_text(text, inner)


def _record(text, _):
    from pyopt.types.records import Record

    return Record.from_text(text)


def _dtype(_, inner):
    from pyopt.types import literals

    named = from_text(inner)
    if isinstance(named, (base.Number, base.Boolean)):
        return literals.NumberDType(named)
    return literals.DType(named) if isinstance(named, base.Scalar) else literals.TypeRef(named)


def _address(reader):
    def read(text, inner):
        from pyopt.types import addresses

        return _NAMED.get(text) or getattr(addresses, reader)(text, inner)

    return read


def _function(text, _):
    from pyopt.types.literals import Dispatcher, Function

    scalar = _scalar_class(text)
    if scalar is not None:
        return scalar
    # A symbol that is a name has no quotation marks.
    name = text.partition("<")[2].removesuffix(">").lstrip("@").strip('"').partition(":")[0]
    if text.startswith("!typed.function"):
        return Dispatcher(f"type(CPUDispatcher(<function {name}>))", text)
    return Function(f"Function({name})", text)


def _scalar_class(text):
    """Return the type of a class of NumPy's scalars or of Python's numbers; None for another function."""
    from pyopt.types.literals import NumberClass

    module, _, name = text.removeprefix('!typed.named<"').removesuffix('">').rpartition(".")
    python = {"int": "int64", "float": "float64", "complex": "complex128", "bool": "bool"}
    name = {"numpy": name, "builtins": python.get(name)}.get(module)
    instance = None if name is None else _BY_NAME.get(name.removesuffix("_"))
    if instance is None:
        return None
    return NumberClass(instance, text)


def _slice(text, inner):
    from pyopt.types.literals import SliceType

    return SliceType(f"slice({', '.join(str(from_text(part)) for part in split(inner))})", text)


def _range(text, inner):
    from pyopt.types.foreign import RangeType

    return RangeType.from_text(text, from_text(inner))


def _list(_, inner):
    return None if inner == "none" else composite.List(from_text(inner))


def _dict(_, inner):
    key, value = split(inner)
    return None if key == "none" else composite.Dict(from_text(key), from_text(value))


def _set(_, inner):
    return None if inner == "none" else composite.Set(from_text(inner))


def _display_of_list(text, inner):
    from pyopt.types.foreign import list_of_literals

    return list_of_literals([from_text(item) for item in split(inner)])


def _display_of_dict(text, inner):
    from pyopt.types.foreign import dict_of_literals

    parts = [from_text(part) for part in split(inner)]
    return dict_of_literals(parts[::2], parts[1::2])


def _generator(text, inner):
    return base.Type(f"generator({from_text(inner)})", text)


_READERS = {
    "!typed.array": _array,
    "!typed.c_function": _address("function_from_text"),
    "!typed.datetime64": _time(base.NPDatetime),
    "!typed.dict": _dict,
    "!typed.dtype": _dtype,
    "!typed.function": _function,
    "!typed.generator": _generator,
    "!typed.list": _list,
    "!typed.literal": _literal,
    "!typed.named": _function,
    "!typed.optional": lambda _, inner: composite.Optional(from_text(inner)),
    "!typed.pointer": _address("pointer_from_text"),
    "!typed.range": _range,
    "!typed.record": _record,
    "!typed.sequence": _sequence,
    "!typed.set": _set,
    "!typed.slice": _slice,
    "!typed.timedelta64": _time(base.NPTimedelta),
    "dict": _display_of_dict,
    "list": _display_of_list,
    "tuple": _tuple,
}


def split(text):
    """Split at the commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    # Neither the arrow of a function's type nor what is in quotation marks closes a bracket.
    plain = _QUOTED.sub(lambda found: "_" * len(found[0]), text).replace("->", "--")
    for at, char in enumerate(plain):
        depth += (char in "<[(") - (char in ">])")
        if char == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


def quoted(text):
    """Write a text as MLIR does."""
    return _core.quoted_text(text.encode("utf-8", "surrogatepass"))


def symbol_text(name):
    """Write a reference to a symbol as MLIR does."""
    return f"@{name if _IDENTIFIER.fullmatch(name) else quoted(name)}"


def unquoted(text):
    """Read a text that MLIR has written."""
    return _core.unquoted_text(text).decode("utf-8", "surrogatepass")


def texts_in(text):
    """Read the texts that MLIR has written in an attribute."""
    return list(map(unquoted, _QUOTED.findall(text)))
