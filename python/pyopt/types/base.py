"""Types that have no parts, and what all types have, under Numba's names and in its hierarchy.

A type's ``text`` is its form in the compiler's IR. A type without one is known by name alone: it can be
written in signatures and compared, and is refused where something is compiled for it.
"""

import enum
import sys

_FOREIGN = '!foreign<"'


def foreign_text(name):
    """Give the form of a type that compiled code doesn't have."""
    return f'{_FOREIGN}{name}">'


class Type:
    """A type. Two are equal if they have the same text."""

    __slots__ = ("_text", "name")
    # The layout that arrays of such elements always have, if there is one.
    _layout = None
    #: Whether values can change, and whether callers see what changes in an object of Python's.
    mutable = False
    reflected = False

    def __init__(self, name, text=None):
        """Name the type as Numba does, and as the compiler does if it has it."""
        self.name = name
        self._text = text

    @property
    def key(self):
        """What tells the types of a class apart: the name, unless a class of a program's has more."""
        return self.name

    @property
    def text(self):
        """The form in the compiler's IR."""
        if self._text is not None:
            return self._text
        own_types = sys.modules.get("pyopt.own_types")
        own = own_types.text_of(self) if own_types else None
        return own or foreign_text(self.name)

    def __str__(self):
        """Give Numba's name."""
        return self.name

    def __repr__(self):
        """Write it as a program makes it, where that isn't its name."""
        return self.name

    def __eq__(self, other):
        """Compare the texts."""
        return self.text == other.text if isinstance(other, Type) else NotImplemented

    def __hash__(self):
        """Hash the text."""
        return hash(self.text)

    def __reduce_ex__(self, protocol):
        """Pickle a type of a program's own class by its name and state: it is the one that is known there.

        One that has a name of its own, such as ``int64``, is the one of that name there, and its own copy.
        """
        if type(self).__module__.startswith("pyopt."):
            from pyopt.types.text import of_name

            if of_name(self.name) is self:
                return of_name, (self.name,)
            return super().__reduce_ex__(protocol)
        # Of state that the class gives itself, the name isn't part.
        return _known_type, (type(self), self.name, _state_of(self))

    def __call__(self, *args):
        """Make the signature of a function that takes ``args`` and returns this type."""
        from pyopt.types.composite import Signature

        return Signature(self, map(expect_type, args))

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
        from pyopt.types.composite import Array

        return Array(self, len(index), self._layout or layout)

    @property
    def mangling_args(self):
        """What tells the types of a class apart in the name of a symbol: the name, and the parts of it."""
        return self.name, ()

    def can_convert_to(self, typingctx, other):
        """Say how good the conversion to another type is; None where the type doesn't say."""

    def unify(self, typingctx, other):
        """Say which type values of both are of; None where the type doesn't say."""

    def is_precise(self):
        """Say that nothing of it is left open."""
        return True

    def cast_python_value(self, value):
        """Convert an object to a value of the type."""
        raise NotImplementedError(f"values of {self} aren't made from objects")

    @property
    def is_foreign(self):
        """Whether compiled code has no such type, or none of a part of it."""
        return _FOREIGN in self.text


def _state_of(value):
    """Give the state of an object as pickling has it; before Python 3.11 objects don't tell their own."""
    own = getattr(value, "__getstate__", None)
    return own() if own is not None else dict(vars(value))


def _known_type(kind, name, state):
    """Give the type of a class with a name and a state: the one that is known already, if there is one."""
    made = kind.__new__(kind)
    made.name, made._text = name, None
    if isinstance(state, tuple):
        # The values of slots stand behind those of the dictionary.
        state, slots = state
        for slot, value in slots.items():
            setattr(made, slot, value)
    if hasattr(kind, "__setstate__"):
        made.__setstate__(state)
    elif state:
        vars(made).update(state)
    own_types = sys.modules.get("pyopt.own_types")
    known = own_types and own_types.own_type(made)
    return known.type if known else made


class Conversion(enum.IntEnum):
    """How good a conversion is: the lower the better."""

    exact = 1
    promote = 2
    safe = 3
    unsafe = 4
    nil = 99

    def __str__(self):
        """Give the name."""
        return self.name


class Hashable(Type):
    """A type whose values can be hashed."""

    __slots__ = ()


class Sized(Type):
    """A type whose values have a length."""

    __slots__ = ()


class ConstSized(Sized):
    """A type that says how long its values are."""

    __slots__ = ()


class Iterable(Type):
    """A type whose values can be iterated over."""

    __slots__ = ()


IterableType = Iterable


class Container(Sized, Iterable):
    """A type whose values hold others."""

    __slots__ = ()


class Sequence(Container):
    """A container with an order."""

    __slots__ = ()


class MutableSequence(Sequence):
    """A sequence that can change."""

    __slots__ = ()
    mutable = True


class Callable(Type):
    """A type whose values can be called."""

    __slots__ = ()


class ArrayCompatible(Type):
    """A type whose values NumPy takes for arrays."""

    __slots__ = ()


class Buffer(Sized, Iterable, ArrayCompatible):
    """Elements of one type in memory."""

    __slots__ = ()

    def __init__(self, dtype, ndim, layout, readonly=False, name=None):
        """Describe a type of a program's that is like an array."""
        super().__init__(name or f"{type(self).__name__}({dtype}, {ndim}, {layout})")
        self.dtype = dtype
        self.ndim = ndim
        self.layout = layout
        self.mutable = not readonly

    @property
    def is_c_contig(self):
        """Whether the elements lie in C order without gaps."""
        return self.layout == "C" or (self.ndim <= 1 and self.layout == "F")

    @property
    def is_f_contig(self):
        """Whether the elements lie in Fortran's order without gaps."""
        return self.layout == "F" or (self.ndim <= 1 and self.layout == "C")

    @property
    def is_contig(self):
        """Whether the elements lie without gaps."""
        return self.layout in ("C", "F")


class Dummy(Type):
    """A type with one value, or whose values compiled code can't look into."""

    __slots__ = ()


class Opaque(Dummy):
    """A type whose values compiled code can't look into."""

    __slots__ = ()


class Scalar(Hashable):
    """A number or truth value."""

    __slots__ = ()

    def __call__(self, *args):
        """Make a signature, or convert a number as a call in compiled code does."""
        if len(args) == 1 and not isinstance(args[0], Type):
            return self.cast_python_value(args[0])
        return super().__call__(*args)

    def cast_python_value(self, value):
        """Convert a number."""
        import numpy as np

        return np.asarray(value).astype(self.name)[()]


class Number(Scalar):
    """A number. Of those of one kind the one with fewer bits is less."""

    __slots__ = ()

    def cast_python_value(self, value):
        """Convert a number; an int that the type doesn't hold raises ``OverflowError``."""
        import numpy as np

        return np.dtype(self.name).type(value)

    def __lt__(self, other):
        """Compare the bits of two of one kind."""
        kind = next((one for one in (Integer, Float, Complex) if isinstance(self, one)), None)
        if kind is None or not isinstance(other, kind):
            return NotImplemented
        if kind is Integer and self.signed != other.signed:
            return NotImplemented
        return self.bitwidth < other.bitwidth

    def __le__(self, other):
        """Compare the bits of two of one kind, or say that they are the same."""
        return self == other or self.__lt__(other)


class Integer(Number):
    """An integer."""

    __slots__ = ()

    @property
    def bitwidth(self):
        """How many bits it has."""
        return int(self.text[2:])

    @classmethod
    def from_bitwidth(cls, bitwidth, signed=True):
        """Give the integer of so many bits."""
        from pyopt import types

        return getattr(types, f"{'' if signed else 'u'}int{bitwidth}")

    @property
    def signed(self):
        """Whether it can be negative."""
        return self.text.startswith("s")

    @property
    def minval(self):
        """The least value."""
        return -(1 << (self.bitwidth - 1)) if self.signed else 0

    @property
    def maxval(self):
        """The greatest value."""
        return (1 << (self.bitwidth - self.signed)) - 1


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

    @property
    def bitwidth(self):
        """How many bits it has."""
        return self.underlying_float.bitwidth * 2

    @property
    def underlying_float(self):
        """The type of its parts."""
        part = self.text.removeprefix("complex<").removesuffix(">")
        return Float(f"float{part[1:]}", part)


class Boolean(Scalar):
    """A truth value."""

    __slots__ = ()

    def cast_python_value(self, value):
        """Give the truth of an object."""
        return bool(value)


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


class NoneType(Opaque):
    """The type of None."""

    __slots__ = ()

    def __init__(self, name="none"):
        """Name it; all of them are one."""
        super().__init__(name, "!typed.none")


class EllipsisType(Opaque):
    """The type of ``...``."""

    __slots__ = ()


class UnicodeType(Sized, Iterable, Hashable):
    """Text."""

    __slots__ = ()


class Bytes(Sized, Iterable, Hashable):
    """Python's ``bytes``."""

    __slots__ = ()

    def __init__(self, dtype=None, ndim=1, layout="C", readonly=True):
        """Take what Numba describes them by, which is the same for all."""
        super().__init__("bytes", "!typed.bytes")

    ndim, layout, aligned = 1, "C", True

    @property
    def dtype(self):
        """The type of the items."""
        from pyopt.types import uint8

        return uint8


def expect_type(value):
    """Give the type back; raise for what is none."""
    if not isinstance(value, Type):
        raise TypeError(f"expected a type, got {value!r}")
    return value
