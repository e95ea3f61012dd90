"""Types made of other types: arrays, tuples, lists, functions, and signatures."""

from pyopt.types.base import (
    Buffer,
    Callable,
    ConstSized,
    Container,
    Hashable,
    MutableSequence,
    Scalar,
    Sequence,
    Type,
    expect_type,
)


class Array(Buffer):
    """A NumPy array."""

    __slots__ = ("aligned", "dtype", "layout", "mutable", "ndim")

    def __init__(self, dtype, ndim, layout, readonly=False, name=None, aligned=True):
        """Describe an array of ``ndim`` dimensions in layout ``C``, ``F``, ``A`` or ``bytes``."""
        dtype, inner = _flattened(expect_type(dtype))
        ndim += inner
        if not 0 <= ndim <= 64:
            raise ValueError(f"arrays have at most 64 dimensions, not {ndim}")
        if layout not in ("C", "F", "A", "bytes"):
            raise ValueError(f"unknown layout {layout!r}; there are C, F, A and bytes")
        layout = dtype._layout or (layout if aligned else "bytes")
        suffix = ", readonly" if readonly else ""
        text = f"!typed.array<{ndim}, {dtype.text}, {layout}{suffix}>"
        kind = ("readonly " if readonly else "") + ("unaligned " if layout == "bytes" else "")
        shown = f"{kind}array({dtype}, {ndim}d, {'A' if layout == 'bytes' else layout})"
        # Compiled code has no arrays of other elements.
        Type.__init__(self, name or shown, text if isinstance(dtype, Scalar) else None)
        self.dtype = dtype
        self.ndim = ndim
        self.layout = layout
        self.mutable = not readonly
        self.aligned = aligned

    def __repr__(self):
        """Write it as a program makes it."""
        return (
            f"Array({self.dtype!r}, {self.ndim}, {self.layout!r}, {not self.mutable}, aligned={self.aligned})"
        )

    @property
    def mangling_args(self):
        """The parts that are in the name of a symbol."""
        kind = "mutable" if self.mutable else "readonly"
        return "Array", [self.dtype, self.ndim, self.layout, kind, *["aligned"] * self.aligned]

    def copy(self, dtype=None, ndim=None, layout=None, readonly=None):
        """Give the type with some parts replaced."""
        return Array(
            dtype or self.dtype,
            self.ndim if ndim is None else ndim,
            layout or self.layout,
            not self.mutable if readonly is None else readonly,
            aligned=self.aligned,
        )


def _flattened(dtype):
    """Give the elements of nested arrays, and how many dimensions these have."""
    if isinstance(dtype, Scalar):
        return dtype, 0
    from pyopt.types.records import NestedArray

    return (dtype.dtype, dtype.ndim) if isinstance(dtype, NestedArray) else (dtype, 0)


class BaseTuple(ConstSized, Hashable):
    """A tuple; ``types`` are those of its items."""

    __slots__ = ("types",)

    def __iter__(self):
        """Iterate over the items' types."""
        return iter(self.types)

    def __len__(self):
        """Count the items."""
        return len(self.types)

    def __getitem__(self, index):
        """Give the type of an item."""
        return self.types[index]

    @property
    def count(self):
        """How many items there are."""
        return len(self.types)

    def _describe(self, items):
        self.types = tuple(map(expect_type, items))
        listed = ", ".join(one.name for one in self.types)
        return f"Tuple({listed})", f"tuple<{', '.join(_as_value(one).text for one in self.types)}>"


class BaseAnonymousTuple(BaseTuple):
    """A tuple that isn't a named one."""

    __slots__ = ()


def _items(types):
    """Give the types of items; a type alone isn't one of several."""
    if isinstance(types, Type) and not hasattr(types, "__iter__"):
        from pyopt.errors import TypingError

        raise TypingError("Argument 'types' is not iterable")
    return tuple(types)


class Tuple(BaseAnonymousTuple):
    """A tuple of the given types; of equal ones a ``UniTuple``."""

    __slots__ = ()

    def __new__(cls, types):
        """Give a tuple of one type its own class."""
        types = _items(types)
        if cls is Tuple and types and all(one == types[0] for one in types):
            return UniTuple(types[0], len(types))
        made = super().__new__(cls)
        # Here, as an iterator gives its items only once.
        made.types = types
        return made

    def __init__(self, types):
        """Describe a tuple by its items."""
        super().__init__(*self._describe(self.types))

    def __reduce__(self):
        """Pickle by the items."""
        return type(self), (self.types,)

    def __repr__(self):
        """Write it as a program makes it."""
        return f"Tuple({self.types!r})"


class UniTuple(BaseAnonymousTuple, Sequence):
    """A tuple of ``count`` items of one type."""

    __slots__ = ("dtype",)

    def __init__(self, dtype, count):
        """Describe a tuple by its items."""
        _, text = self._describe([dtype] * count)
        super().__init__(f"UniTuple({dtype.name} x {count})", text)
        self.dtype = dtype

    def __repr__(self):
        """Write it as a program makes it."""
        return f"UniTuple({self.dtype!r}, {self.count})"


class BaseNamedTuple(BaseTuple):
    """A named tuple; ``fields`` are the names of its items."""

    __slots__ = ("fields",)

    @property
    def instance_class(self):
        """The class."""
        from pyopt.named_tuples import class_of

        return class_of(self)


class NamedTuple(BaseNamedTuple):
    """A named tuple of the given types."""

    __slots__ = ()

    def __init__(self, types, cls):
        """Describe a named tuple by its items and its class."""
        from pyopt import _core

        items = Tuple(types)
        # The class as the compiler writes it, taken from the type of an instance.
        of_class = _core.typeof_text(cls(*[0] * len(items))).partition("#py.")[2]
        self._fill(items, f"#py.{of_class.removesuffix('>')}", cls.__name__, cls._fields)

    @staticmethod
    def from_parts(items, of_class):
        """Describe it by its items and the compiler's text of its class."""
        from pyopt.types.text import texts_in

        kind = NamedUniTuple if isinstance(items, UniTuple) else NamedTuple
        made = kind.__new__(kind)
        name, *fields = texts_in(of_class)
        made._fill(items, of_class, name, tuple(fields))
        return made

    def _fill(self, items, of_class, name, fields):
        is_uniform = len(items) > 0 and all(one == items[0] for one in items)
        listed = f"{items[0]} x {len(items)}" if is_uniform else ", ".join(map(str, items))
        Type.__init__(self, f"{name}({listed})", f"!typed.sequence<{items.text}, {of_class}>")
        self.types = items.types
        self.fields = fields


class NamedUniTuple(NamedTuple, Sequence):
    """A named tuple of ``count`` items of one type."""

    __slots__ = ()

    def __init__(self, dtype, count, cls):
        """Describe a named tuple by the type of its items and its class."""
        super().__init__([dtype] * count, cls)

    @property
    def dtype(self):
        """The type of the items."""
        return self.types[0]


class Optional(Type):
    """The type of a value that may be None: what a function with both kinds of returns gives."""

    __slots__ = ("type",)

    def __init__(self, type):
        """Keep the type of the value."""
        self.type = expect_type(type)
        super().__init__(f"OptionalType({self.type.name})")

    @property
    def text(self):
        """The form in the compiler's IR, which a structure with such a field of its own type has later."""
        return f"!typed.optional<{_as_value(self.type).text}>"


def _shown(initial_value):
    return "" if initial_value is None else f"<iv={initial_value}>"


class List(MutableSequence):
    """A list whose items have one type. All lists are Numba's *reflected* ones: callers see changes."""

    __slots__ = ("dtype", "initial_value", "reflected")

    def __init__(self, dtype, reflected=True, initial_value=None):
        """Describe a list by its items; every list is reflected, whatever was asked for.

        ``initial_value`` is what a display was made of, where an overload is told.
        """
        self.dtype = expect_type(dtype)
        self.reflected = True
        self.initial_value = initial_value
        super().__init__(
            f"list({self.dtype.name}){_shown(initial_value)}", f"!typed.list<{_as_value(self.dtype).text}>"
        )

    def __repr__(self):
        """Write it as a program makes it."""
        return f"List({self.dtype!r})"


class DictType(Container):
    """A dict whose keys have one type, and its values too: a typed one, where a program makes the type."""

    __slots__ = ()
    #: What a display was made of, where an overload is told.
    initial_value = None

    def __new__(cls, keyty=None, valty=None, initial_value=None):
        """Make the type of ``typed.Dict``."""
        if cls is DictType:
            from pyopt.containers import TypedDictType

            cls = TypedDictType
        return super().__new__(cls)

    @property
    def keyvalue_type(self):
        """The type of an item."""
        return Tuple([self.key_type, self.value_type])


class Dict(DictType):
    """A dict of Python's: as an argument it is copied, and written back where it changed."""

    __slots__ = ("initial_value", "key_type", "value_type")

    def __init__(self, keyty, valty, initial_value=None):
        """Describe a dict by its keys and values, and what a display was made of, where that is known."""
        self.key_type = expect_type(keyty)
        self.value_type = expect_type(valty)
        self.initial_value = initial_value
        name = f"DictType[{self.key_type.name},{self.value_type.name}]{_shown(initial_value)}"
        super().__init__(name, f"!typed.dict<{self.key_type.text}, {self.value_type.text}>")


class Set(Container):
    """A set whose items have one type. As lists, all sets are Numba's *reflected* ones."""

    __slots__ = ("dtype", "reflected")
    mutable = True

    def __init__(self, dtype, reflected=True):
        """Describe a set by its items; every set is reflected, whatever was asked for."""
        self.dtype = expect_type(dtype)
        self.reflected = True
        super().__init__(f"set({self.dtype.name})", f"!typed.set<{self.dtype.text}>")

    def __repr__(self):
        """Write it as a program makes it."""
        return f"Set({self.dtype!r})"


class FunctionType(Callable):
    """A compiled function with a signature, as a parameter of another function's signature."""

    __slots__ = ("signature",)

    def __init__(self, signature):
        """Keep the signature: ``FunctionType(float64(float64))``."""
        if not isinstance(signature, Signature) or signature.return_type is None:
            raise TypeError(f"expected a signature with a return type, got {signature!r}")
        self.signature = signature
        arguments = ", ".join(one.name for one in signature.args)
        name = f"FunctionType[{signature.return_type.name}({arguments})]"
        arguments = ", ".join(one.text for one in signature.args)
        # The address by which the host finds the function, and the signature as the class of that.
        text = f"({arguments}) -> {signature.return_type.text}"
        super().__init__(name, f"!typed.sequence<tuple<!typed.pointer<!typed.none>>, {text}>")

    @property
    def nargs(self):
        """The number of arguments."""
        return len(self.signature.args)


class Signature:
    """Argument types and, unless it is to be inferred, the return type. It unpacks to these two."""

    __slots__ = ("args", "pysig", "recvr", "return_type")

    def __init__(self, return_type, args, pysig=None, recvr=None):
        """Keep both; ``pysig`` says names and defaults of parameters, ``recvr`` a method's receiver."""
        self.recvr = recvr
        self.return_type = _as_value(return_type)
        self.args = tuple(map(_as_value, args))
        self.pysig = pysig

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
        return f"{self.args} -> {self.return_type}"

    def as_type(self):
        """Give the type of functions with this signature."""
        return FunctionType(self)

    def replace(self, **parts):
        """Give the signature with some parts replaced: ``return_type``, ``args``, ``recvr``, ``pysig``."""
        unknown = parts.keys() - set(self.__slots__)
        if unknown:
            raise TypeError(f"a signature has no part {', '.join(sorted(unknown))}")
        return Signature(**{name: getattr(self, name) for name in self.__slots__} | parts)

    @property
    def is_method(self):
        """Whether it has a receiver."""
        return self.recvr is not None

    def as_function(self):
        """Give that of a method with the receiver as the first argument."""
        return self.replace(recvr=None, args=(self.recvr, *self.args)) if self.is_method else self

    def as_method(self):
        """Give that of a function with the first argument as the receiver."""
        return self if self.is_method else self.replace(recvr=self.args[0], args=self.args[1:])

    def is_precise(self):
        """Say whether all of its types are known."""
        return self.return_type is not None

    @property
    def text(self):
        """The signature in the compiler's text form."""
        returns = "?" if self.return_type is None else self.return_type.text
        return f"({', '.join(one.text for one in self.args)}) -> {returns}"


def _as_value(one):
    # Records are passed as arrays without dimensions.
    layout = getattr(one, "_layout", None)
    return Array(one, 0, layout) if layout else one
