"""Types of values in compiled code, under Numba's names.

A type's ``text`` is its form in the compiler's IR. Types are called to make signatures
(``float64(float64, int64)``) and indexed to make arrays (``float64[:, ::1]``). Those of Numba's that compiled
code doesn't have are there too, to be named and compared (``foreign``).
"""

from pyopt import _core
from pyopt.entry_points import entry_point
from pyopt.types.base import (
    ArrayCompatible,
    Boolean,
    Buffer,
    Bytes,
    Callable,
    Complex,
    ConstSized,
    Container,
    Conversion,
    Dummy,
    EllipsisType,
    Float,
    Hashable,
    Integer,
    Iterable,
    IterableType,
    MutableSequence,
    NoneType,
    NPDatetime,
    NPTimedelta,
    Number,
    Opaque,
    Scalar,
    Sequence,
    Sized,
    Type,
    UnicodeType,
    foreign_text,
)
from pyopt.types.composite import (
    Array,
    BaseAnonymousTuple,
    BaseNamedTuple,
    BaseTuple,
    Dict,
    DictType,
    FunctionType,
    List,
    NamedTuple,
    NamedUniTuple,
    Optional,
    Set,
    Signature,
    Tuple,
    UniTuple,
)
from pyopt.types.text import from_text, named

optional = Optional

boolean = bool_ = b1 = named(Boolean("bool", "i1"))
int8 = i1 = char = named(Integer("int8", "si8"))
int16 = i2 = short = named(Integer("int16", "si16"))
int32 = i4 = intc = named(Integer("int32", "si32"))
int64 = i8 = intp = int_ = long_ = longlong = ssize_t = named(Integer("int64", "si64"))
uint8 = u1 = uchar = byte = named(Integer("uint8", "ui8"))
uint16 = u2 = ushort = named(Integer("uint16", "ui16"))
uint32 = u4 = uintc = named(Integer("uint32", "ui32"))
uint64 = u8 = uintp = uint = ulong = ulonglong = size_t = named(Integer("uint64", "ui64"))
float16 = f2 = named(Float("float16", "f16"))
float32 = f4 = named(Float("float32", "f32"))
float64 = f8 = double = float_ = named(Float("float64", "f64"))
complex64 = c8 = named(Complex("complex64", "complex<f32>"))
complex128 = c16 = named(Complex("complex128", "complex<f64>"))
void = none = named(NoneType("none"))
unicode_type = string = named(UnicodeType("unicode_type", "!typed.str"))
bytes_type = named(Bytes())
ellipsis = named(EllipsisType("...", "!typed.literal<#py.ellipsis>"))


# Where the types are that few programs name: these modules aren't imported with the rest.
_HOMES = ("enums", "literals", "records", "addresses", "structures", "foreign")
_TYPED = {"ListType": "ListType", "SetType": "TypedSetType"}


def __getattr__(name):
    from importlib import import_module

    if name in _TYPED:
        return getattr(import_module("pyopt.containers"), _TYPED[name])
    if name in _HOMES:
        # One of them may be on its way: it isn't looked into before the one that it asks for is there.
        return import_module(f"{__name__}.{name}")
    for home in _HOMES:
        found = getattr(import_module(f"{__name__}.{home}"), name, None)
        if found is not None and not name.startswith("__"):
            globals()[name] = found
            return found
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__():
    from importlib import import_module

    found = [import_module(f"{__name__}.{home}") for home in _HOMES]
    own = {name for one in found for name, value in vars(one).items() if _is_of_types(value)}
    return sorted({*globals(), *own, *_TYPED})


def _is_of_types(value):
    return isinstance(value, Type) or (isinstance(value, type) and issubclass(value, Type))


@entry_point
def typeof(value, purpose=None):
    """Return the type that a value has as an argument of compiled code; ``ValueError`` if it has none.

    ``purpose``, which Numba's other function of this name takes, has no effect: constants have the types of
    arguments.
    """
    from pyopt.own_types import typeof_impl

    try:
        # A type is asked for, and no object taken: the function for `unbox` may need what isn't there yet.
        made = typeof_impl(value) or argument_type(value)
        signature = getattr(made, "sig", None)
        if signature is not None and hasattr(value, "__wrapper_address__"):
            # Compiled code is passed its address, and may keep it as any function of the signature.
            return FunctionType(signature)
        return told(made) if isinstance(made, Array) else made
    except TypeError as error:
        from pyopt.errors import NoTypeError, PyoptError

        if isinstance(error, PyoptError):
            raise
        raise NoTypeError(str(error)) from None


def argument_type(value):
    """Return the type with which compiled code takes a value."""
    return from_text(_core.typeof_text(value))


def told(type):
    """Give a type of an argument as programs are told of it.

    A record is passed as an array without dimensions; a C function is one with a signature.
    """
    if isinstance(type, Array):
        return type.dtype if type.ndim == 0 and type.dtype._layout is not None else type
    if type.text.startswith("!typed.c_function"):
        from pyopt.types.addresses import CFunctionType

        return CFunctionType(type)
    return type


def from_dtype(dtype):
    """Return the type of the elements of arrays of a NumPy dtype."""
    import numpy as np

    of_subarray = np.dtype(dtype).subdtype
    if of_subarray is not None:
        from pyopt.types.records import NestedArray

        element, shape = of_subarray
        return NestedArray(from_dtype(element), shape)
    return argument_type(np.empty(0, dtype)).dtype


class _Names(dict):
    """The names that a signature in text may use."""

    def __missing__(self, name):
        import pyopt.types

        if name == "types":
            return _TypesByAttribute()
        found = None if name.startswith("_") else getattr(pyopt.types, name, None)
        if not _is_of_types(found):
            raise NameError(f"name '{name}' is not defined")
        return found


class _TypesByAttribute:
    """What `types` stands for in a signature in text: the same names as attributes."""

    def __getattr__(self, name):
        return _Names()[name]


def parse_signature(signature):
    """Return a ``Signature`` for one, for a tuple of argument types, or for either as a string."""
    source = signature
    if isinstance(signature, str):
        try:
            signature = eval(signature, {"__builtins__": {}}, _Names())
        except Exception as error:
            raise _signature_error(source, error) from None
    if isinstance(signature, Signature):
        return signature
    if isinstance(signature, Type):
        signature = (signature,)
    if isinstance(signature, tuple) and all(isinstance(one, Type) for one in signature):
        return Signature(None, signature)
    raise _signature_error(source, f"expected types, got {signature!r}")


def is_signature(value):
    """Whether a value is a signature, other than a function to compile: types can be called."""
    is_types = isinstance(value, tuple) and all(isinstance(one, Type) for one in value)
    return is_types or isinstance(value, (str, Type, Signature))


def _signature_error(signature, reason):
    from pyopt.errors import OptionError, UnknownNameError

    kind = UnknownNameError if isinstance(reason, NameError) else OptionError
    return kind(f"invalid signature {signature!r}: {reason}")
