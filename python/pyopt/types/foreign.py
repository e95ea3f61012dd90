"""Types of Numba's that compiled code doesn't have: they can be named, compared and derived from.

A function with such a type in its signature is refused when it is compiled, by the type's name.
"""

from pyopt.types import base, composite, literals


class Foreign(base.Type):
    """A type made of parts: each is an attribute of the name that ``parts`` has for it."""

    parts = ()
    __slots__ = ("__dict__",)

    def __init__(self, *values, **keywords):
        """Keep the parts, and name the type by them."""
        if len(values) > len(self.parts) or not set(keywords) <= set(self.parts):
            raise TypeError(f"{type(self).__name__} takes {', '.join(self.parts) or 'nothing'}")
        given = dict(zip(self.parts, values, strict=False)) | keywords
        for name, value in given.items():
            setattr(self, name, value)
        shown = ",".join(map(str, given.values()))
        base.Type.__init__(self, f"{type(self).__name__}[{shown}]" if shown else type(self).__name__)


def _foreign(name, parts="", *bases):
    """Make a class with such parts; its bases are only asked for by ``isinstance``."""
    scope = {"parts": tuple(parts.split()), "__slots__": (), "__init__": Foreign.__init__}
    scope |= {"__doc__": f"Numba's ``{name}``.", "__module__": "pyopt.types"}
    return type(name, bases if any(issubclass(one, Foreign) for one in bases) else (*bases, Foreign), scope)


ByteArray = _foreign("ByteArray", "dtype ndim layout readonly", base.Buffer)
MemoryView = _foreign("MemoryView", "dtype ndim layout readonly", base.Buffer)
PyArray = _foreign("PyArray", "dtype ndim layout readonly", base.Buffer)
CharSeq = _foreign("CharSeq", "count")
UnicodeCharSeq = _foreign("UnicodeCharSeq", "count")
EphemeralArray = _foreign("EphemeralArray", "dtype count")
MemInfoPointer = _foreign("MemInfoPointer", "dtype")
ArrayCTypes = _foreign("ArrayCTypes", "dtype")
ArrayFlags = _foreign("ArrayFlags", "array_type")
ArrayIterator = _foreign("ArrayIterator", "array_type")
NamedTupleClass = _foreign("NamedTupleClass", "instance_class", base.Callable)
ExceptionClass = _foreign("ExceptionClass", "exc_class", base.Callable)
ExceptionInstance = _foreign("ExceptionInstance", "exc_class")
ExternalFunction = _foreign("ExternalFunction", "symbol sig", base.Callable)
FunctionPrototype = _foreign("FunctionPrototype", "rtype atypes")
UndefinedFunctionType = _foreign("UndefinedFunctionType", "nargs dispatchers", composite.FunctionType)
BoundFunction = _foreign("BoundFunction", "template this", base.Callable)
RecursiveCall = _foreign("RecursiveCall", "dispatcher_type", base.Callable)
ObjModeDispatcher = _foreign("ObjModeDispatcher", "dispatcher", base.Callable)
ContextManager = _foreign("ContextManager", "cm", base.Callable)
LiteralList = _foreign("LiteralList", "literal_value", literals.Literal, base.ConstSized, base.Hashable)
LiteralStrKeyDict = _foreign(
    "LiteralStrKeyDict", "literal_value", literals.Literal, base.ConstSized, base.Hashable
)
for _kind in (LiteralList, LiteralStrKeyDict):
    # There is no other type for values of several types.
    _kind.literal_type = property(lambda self: self)
    _kind.count = property(lambda self: len(self.literal_value))
SliceLiteral = _foreign("SliceLiteral", "literal_value", literals.Literal, literals.SliceType)
SliceLiteral.has_step = property(lambda self: self.literal_value.step is not None)
Module = _foreign("Module", "pymod", base.Opaque)
Generator = _foreign("Generator", "gen_func yield_type", base.Iterable)
EnumerateType = _foreign("EnumerateType", "source_type", base.Iterable)
ZipType = _foreign("ZipType", "source_types", base.Iterable)
Pair = _foreign("Pair", "first_type second_type")
UnionType = _foreign("UnionType", "types")
VarArg = _foreign("VarArg", "dtype")
StarArgTuple = _foreign("StarArgTuple", "types", composite.BaseTuple)
StarArgUniTuple = _foreign("StarArgUniTuple", "dtype count", composite.BaseTuple)
NumPyRandomGeneratorType = _foreign("NumPyRandomGeneratorType")
NumPyRandomBitGeneratorType = _foreign("NumPyRandomBitGeneratorType")
PolynomialType = _foreign("PolynomialType", "coef domain window n_args")
NumpyFlatType = _foreign("NumpyFlatType", "array_type", base.Iterable)
NumpyNdEnumerateType = _foreign("NumpyNdEnumerateType", "array_type", base.Iterable)
NumpyNdIndexType = _foreign("NumpyNdIndexType", "ndim", base.Iterable)
NumpyNdIterType = _foreign("NumpyNdIterType", "arrays", base.Iterable)
UndefVar = _foreign("UndefVar")
Undefined = UndefinedType = _foreign("Undefined")


class RangeType(Foreign, base.Iterable):
    """A range, which bodies of overloads are asked with."""

    parts = ("dtype",)
    __slots__ = ()

    @classmethod
    def from_text(cls, text, dtype):
        """Give the type that compiled code has, by its text and the type of the items."""
        made = cls(dtype)
        made.name, made._text = f"range_state_{dtype}", text
        return made


class Omitted(Foreign, base.Opaque):
    """An argument that isn't passed: what the parameter's default is."""

    parts = ("value",)
    __slots__ = ()

    def __init__(self, value):
        """Keep the default."""
        super().__init__(value)
        self.name = f"omitted(default={value!r})"


class PyObject(base.Dummy):
    """Any object of Python's: for the compiler the array of a byte that holds it (``pyopt.held_objects``)."""

    __slots__ = ()

    def __init__(self, name):
        """Name the type."""
        super().__init__(name, "!typed.array<1, ui8, C, readonly>")


class WrapperAddressProtocol:
    """What a class derives from whose objects are C functions for compiled code."""

    def __wrapper_address__(self):
        """Return the address of the function."""
        raise NotImplementedError

    def signature(self):
        """Return the signature of the function."""
        raise NotImplementedError


class Phantom(base.Dummy):
    """A type that values have no part in."""

    __slots__ = ()


# Abstract classes that only derived ones of extensions belong to.
class IteratorType(base.Iterable):
    """An iterator."""

    __slots__ = ()


class SimpleIteratorType(IteratorType):
    """An iterator of which the type of the items is known."""

    __slots__ = ("yield_type",)

    def __init__(self, name, yield_type):
        """Keep the type of the items."""
        super().__init__(name)
        self.yield_type = yield_type


class SimpleIterableType(base.Iterable):
    """What has an iterator of a known type."""

    __slots__ = ("iterator_type",)

    def __init__(self, name, iterator_type):
        """Keep the type of the iterator."""
        super().__init__(name)
        self.iterator_type = iterator_type


Any = Phantom
Object = base.Type
BaseFunction = base.Callable
WeakType = base.Type
InitialValue = base.Type
DTypeSpec = literals.Named

pyobject = PyObject("pyobject")
ffi_forced_object = base.Opaque("ffi_forced_object")
ffi = base.Opaque("ffi")
pyfunc_type = base.Opaque("pyfunc_type")
code_type = base.Opaque("code_type")
undefined = Undefined()
unknown = base.Dummy("unknown")
slice2_type = literals.SliceType("slice<a:b>", "!typed.slice<si64, si64, !typed.none>")
slice3_type = literals.SliceType("slice<a:b:c>", "!typed.slice<si64, si64, si64>")


def is_homogeneous(*types):
    """Whether all types are the same one."""
    return all(one == types[0] for one in types)


def _domains():
    from pyopt import types

    signed = frozenset([types.int8, types.int16, types.int32, types.int64])
    unsigned = frozenset([types.uint8, types.uint16, types.uint32, types.uint64])
    real = frozenset([types.float32, types.float64])
    complex_ = frozenset([types.complex64, types.complex128])
    return {
        "signed_domain": signed,
        "unsigned_domain": unsigned,
        "integer_domain": signed | unsigned,
        "real_domain": real,
        "complex_domain": complex_,
        "number_domain": signed | unsigned | real | complex_,
    }


# Numba's submodules of types: all classes are found in each.
_MODULES = "abstract common containers function_type functions iterators misc npytypes scalars".split()
_OF_PYTHON = {"py_bool": "boolean", "py_int": "int64", "py_float": "float64", "py_complex": "complex128"}
_OF_PYTHON |= {"bool": "boolean", "np_long": "long_"}


def __getattr__(name):
    from pyopt import types

    if name in _MODULES:
        return types
    if name == "CompileResultWAP":
        from pyopt.cfuncs import CompileResultWAP

        return CompileResultWAP
    plain = name.removeprefix("np_").removeprefix("py_")
    if plain.endswith("_domain"):
        return _domains()[plain]
    plain = _OF_PYTHON.get(name) or plain.removeprefix("c_")
    if plain != name and isinstance(getattr(types, plain, None), base.Type):
        return getattr(types, plain)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def list_display(items, text):
    """Give the type of a list that nobody changes: that of one type has the class of lists that do."""
    if not items:
        return base.Type("list()", text)
    if all(one == items[0] for one in items):
        made = composite.List(items[0])
    else:
        made = LiteralList(list(items))
    made._text = text
    return made


def list_of_literals(items):
    """Give the type of a list of values that are known; those of one type have the class of other lists."""
    one, *others = map(_plain, items)
    if any(other != one for other in others):
        return LiteralList(items)
    return composite.List(one, initial_value=[_value_of(item) for item in items])


def dict_of_literals(keys, values):
    """Give the type of a dict of keys and values that are known."""
    known = dict(zip(map(_value_of, keys), map(_value_of, values), strict=True))
    return composite.Dict(_plain(keys[0]), _plain(values[0]), known)


def _plain(type):
    """Give the type that a value has otherwise, and what it holds."""
    is_tuple = isinstance(type, composite.BaseTuple)
    return composite.Tuple(map(_plain, type)) if is_tuple else literals.unliteral(type)


def _value_of(type):
    if isinstance(type, literals.Literal):
        return type.literal_value
    return tuple(map(_value_of, type)) if isinstance(type, composite.BaseTuple) else type.initial_value


def dict_display(names, items, text):
    """Give the type of a dict of which the keys are known, as values of several types have one."""
    made = LiteralStrKeyDict(dict(zip(map(literals.literal, names), items, strict=True)))
    made._text = text
    return made
