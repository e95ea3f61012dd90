"""Types of values in compiled code, under Numba's names.

A type's ``text`` is its form in the compiler's IR. Types are called to make signatures
(``float64(float64, int64)``) and indexed to make arrays (``float64[:, ::1]``).
"""

from pyopt import _core


class Type:
    """A type. Two are equal if they have the same text."""

    __slots__ = ("name", "text")

    def __init__(self, name, text):
        """Name the type as Numba does, and as the compiler does."""
        self.name = name
        self.text = text

    def __repr__(self):
        """Give Numba's name."""
        return self.name

    def __eq__(self, other):
        """Compare the texts."""
        return self.text == other.text if isinstance(other, Type) else NotImplemented

    def __hash__(self):
        """Hash the text."""
        return hash(self.text)

    def __call__(self, *args):
        """Make the signature of a function that takes ``args`` and returns this type."""
        for one in args:
            _expect_type(one)
        return Signature(self, args)


class Scalar(Type):
    """A number or truth value."""

    __slots__ = ()
    _layout = None

    def __getitem__(self, index):
        """Make an array type: ``[:]`` is any layout, ``[::1]`` last is C order, ``[::1, :]`` Fortran's."""
        index = index if isinstance(index, tuple) else (index,)
        for one in index:
            if not isinstance(one, slice) or one not in (slice(None), slice(None, None, 1)):
                raise TypeError(f"an array type is written {self.name}[:, ::1], not with {one!r}")
        dense = [dim for dim, one in enumerate(index) if one.step == 1]
        if not dense:
            layout = "A"
        elif dense == [len(index) - 1]:
            layout = "C"
        elif dense == [0]:
            layout = "F"
        else:
            raise TypeError("only the first or the last dimension of an array can be contiguous")
        return Array(self, len(index), self._layout or layout)


class Number(Scalar):
    """A number."""

    __slots__ = ()


class Integer(Number):
    """An integer."""

    __slots__ = ()

    @property
    def bitwidth(self):
        """How many bits it has."""
        return int(self.text[2:])

    @property
    def signed(self):
        """Whether it can be negative."""
        return self.text.startswith("s")


class Float(Number):
    """A floating point number."""

    __slots__ = ()

    @property
    def bitwidth(self):
        """How many bits it has."""
        return int(self.text[1:])


class Complex(Number):
    """A complex number."""

    __slots__ = ()


class Boolean(Scalar):
    """A truth value."""

    __slots__ = ()


class _Time(Scalar):
    """A datetime64 or timedelta64; without a unit it is generic."""

    __slots__ = ("unit",)

    def __init__(self, unit=""):
        """Keep the unit, such as ``"ns"``."""
        kind = self.kind
        super().__init__(f"{kind}[{unit}]" if unit else kind, f"!typed.{kind}<{unit or 'generic'}>")
        self.unit = unit


class NPDatetime(_Time):
    """A point in time."""

    __slots__ = ()
    kind = "datetime64"


class NPTimedelta(_Time):
    """A distance in time."""

    __slots__ = ()
    kind = "timedelta64"


class Record(Scalar):
    """An element of a structured dtype: as an argument the array without dimensions that views it."""

    __slots__ = ()
    # Compiled code counts the strides between records in bytes.
    _layout = "bytes"


class NoneType(Type):
    """The type of None."""

    __slots__ = ()


class Array(Type):
    """A NumPy array."""

    __slots__ = ("dtype", "layout", "mutable", "ndim")

    def __init__(self, dtype, ndim, layout, readonly=False):
        """Describe an array of ``ndim`` dimensions in layout ``C``, ``F``, ``A`` or ``bytes``."""
        if not isinstance(dtype, Scalar):
            raise TypeError(f"elements of an array have a scalar type, not {dtype!r}")
        if not 0 <= ndim <= 64:
            raise ValueError(f"arrays have at most 64 dimensions, not {ndim}")
        if layout not in ("C", "F", "A", "bytes"):
            raise ValueError(f"unknown layout {layout!r}; there are C, F, A and bytes")
        suffix = ", readonly" if readonly else ""
        name = f"Array({dtype.name}, {ndim}, {layout!r}{suffix})"
        super().__init__(name, f"!typed.array<{ndim}, {dtype.text}, {layout}{suffix}>")
        self.dtype = dtype
        self.ndim = ndim
        self.layout = layout
        self.mutable = not readonly


class Tuple(Type):
    """A tuple of the given types."""

    __slots__ = ("types",)

    def __init__(self, types):
        """Describe a tuple by its items."""
        self.types = tuple(_expect_type(one) for one in types)
        listed = ", ".join(one.name for one in self.types)
        super().__init__(f"Tuple({listed})", f"tuple<{', '.join(one.text for one in self.types)}>")

    def __iter__(self):
        """Iterate over the items' types."""
        return iter(self.types)

    def __len__(self):
        """Count the items."""
        return len(self.types)


class Optional(Type):
    """The type of a value that may be None: what a function with both kinds of returns gives."""

    __slots__ = ("type",)

    def __init__(self, type):
        """Keep the type of the value."""
        self.type = _expect_type(type)
        super().__init__(f"OptionalType({self.type.name})", f"!typed.optional<{self.type.text}>")


optional = Optional


class List(Type):
    """A list whose items have one type. All lists are Numba's *reflected* ones: callers see changes."""

    __slots__ = ("dtype",)

    def __init__(self, dtype, reflected=True):
        """Describe a list by its items."""
        if not reflected:
            raise ValueError("lists are reflected: callers see what compiled code changes")
        self.dtype = _expect_type(dtype)
        super().__init__(f"List({self.dtype.name})", f"!typed.list<{self.dtype.text}>")


class FunctionType(Type):
    """A compiled function with a signature, as a parameter of another function's signature."""

    __slots__ = ("signature",)

    def __init__(self, signature):
        """Keep the signature: ``FunctionType(float64(float64))``."""
        if not isinstance(signature, Signature) or signature.return_type is None:
            raise TypeError(f"expected a signature with a return type, got {signature!r}")
        self.signature = signature
        arguments = ", ".join(one.name for one in signature.args)
        name = f"FunctionType[{signature.return_type.name}({arguments})]"
        super().__init__(name, f"!pyopt.function<{signature.text}>")


def UniTuple(dtype, count):
    """Make the type of a tuple of ``count`` items of one type."""
    return Tuple([dtype] * count)


class Signature:
    """Argument types and, unless it is to be inferred, the return type. It unpacks to these two."""

    __slots__ = ("args", "return_type")

    def __init__(self, return_type, args):
        """Keep both."""
        self.return_type = _as_value(return_type)
        self.args = tuple(map(_as_value, args))

    def __iter__(self):
        """Give the return type and the argument types."""
        return iter((self.return_type, self.args))

    def __eq__(self, other):
        """Compare both parts."""
        return tuple(self) == tuple(other) if isinstance(other, Signature) else NotImplemented

    def __hash__(self):
        """Hash both parts."""
        return hash(tuple(self))

    def __repr__(self):
        """Write it as Numba does."""
        return f"({', '.join(map(str, self.args))}) -> {self.return_type}"

    @property
    def text(self):
        """The signature in the compiler's text form."""
        returns = "?" if self.return_type is None else self.return_type.text
        return f"({', '.join(one.text for one in self.args)}) -> {returns}"


boolean = bool_ = b1 = Boolean("bool", "i1")
int8 = i1 = char = Integer("int8", "si8")
int16 = i2 = short = Integer("int16", "si16")
int32 = i4 = intc = Integer("int32", "si32")
int64 = i8 = intp = int_ = longlong = Integer("int64", "si64")
uint8 = u1 = uchar = byte = Integer("uint8", "ui8")
uint16 = u2 = ushort = Integer("uint16", "ui16")
uint32 = u4 = uintc = Integer("uint32", "ui32")
uint64 = u8 = uintp = uint = ulonglong = Integer("uint64", "ui64")
float16 = f2 = Float("float16", "f16")
float32 = f4 = Float("float32", "f32")
float64 = f8 = double = float_ = Float("float64", "f64")
complex64 = c8 = Complex("complex64", "complex<f32>")
complex128 = c16 = Complex("complex128", "complex<f64>")
void = none = NoneType("none", "!typed.none")
unicode_type = string = Type("unicode_type", "!typed.str")
ellipsis = Type("ellipsis", "!typed.literal<#py.ellipsis>")

_NAMED = {
    one.text: one
    for one in (
        boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
        float16, float32, float64, complex64, complex128, void, unicode_type, ellipsis,
    )
}  # fmt: skip


def typeof(value):
    """Return the type that a value has as an argument of compiled code."""
    return from_text(_core.typeof_text(value))


def from_dtype(dtype):
    """Return the type of the elements of arrays of a NumPy dtype."""
    import numpy as np

    return typeof(np.empty(0, dtype)).dtype


def from_text(text):
    """Return the type of a text in the compiler's form."""
    known = _NAMED.get(text)
    if known is not None:
        return known
    head, _, rest = text.partition("<")
    inner = rest[:-1]
    if head in ("!typed.datetime64", "!typed.timedelta64"):
        unit = "" if inner == "generic" else inner
        return NPDatetime(unit) if head == "!typed.datetime64" else NPTimedelta(unit)
    if head == "!typed.record":
        return Record("Record", text)
    if head == "!typed.array":
        ndim, dtype, layout, *readonly = _split(inner)
        return Array(from_text(dtype), int(ndim), layout, bool(readonly))
    if head == "tuple":
        return Tuple(map(from_text, _split(inner)))
    if head == "!typed.sequence":
        items, of_class = _split(inner)
        name = of_class.partition('"')[2].partition('"')[0].removeprefix("builtins.")
        return Type(f"{name}({', '.join(map(str, from_text(items)))})", text)
    if head == "!typed.optional":
        return Optional(from_text(inner))
    if head == "!typed.generator":
        return Type(f"generator({from_text(inner)})", text)
    if head == "!typed.literal" and inner.startswith("{mro = "):
        return Type(text.split('"')[1].removeprefix("builtins."), text)
    if head in ("!typed.function", "!typed.named"):
        return Type(f"Function({text.split(chr(34))[1].partition(':')[0]})", text)
    if head == "!typed.list" and inner != "none":
        return List(from_text(inner))
    if head == "!typed.slice":
        return Type(f"slice({', '.join(str(from_text(part)) for part in _split(inner))})", text)
    return Type(text.removeprefix("!typed."), text)


def _split(text):
    """Split at the commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char == "<") - (char == ">")
        if char == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


def parse_signature(signature):
    """Return a ``Signature`` for one, for a tuple of argument types, or for either as a string."""
    source = signature
    if isinstance(signature, str):
        names = {name: value for name, value in globals().items() if isinstance(value, Type)}
        names |= {"Array": Array, "Tuple": Tuple, "UniTuple": UniTuple, "List": List, "__builtins__": {}}
        names |= {"NPDatetime": NPDatetime, "NPTimedelta": NPTimedelta}
        names |= {"FunctionType": FunctionType, "Optional": Optional, "optional": Optional}
        try:
            signature = eval(signature, names)
        except Exception as error:
            raise _signature_error(source, error) from None
    if isinstance(signature, Signature):
        return signature
    if isinstance(signature, Type):
        signature = (signature,)
    if isinstance(signature, tuple) and all(isinstance(one, Type) for one in signature):
        return Signature(None, signature)
    raise _signature_error(source, f"expected types, got {signature!r}")


def _signature_error(signature, reason):
    from pyopt.errors import OptionError

    return OptionError(f"invalid signature {signature!r}: {reason}")


def _as_value(one):
    return Array(one, 0, one._layout) if isinstance(one, Record) else one


def _expect_type(value):
    if not isinstance(value, Type):
        raise TypeError(f"expected a type, got {value!r}")
    return value
