"""Types that say which value it is: literals, dtypes, slices and functions."""

from pyopt.types import base
from pyopt.types.text import from_text as read
from pyopt.types.text import quoted, unquoted

# How the compiler writes truth values.
_TRUTH_TEXTS = ("false", "true")


class Literal(base.Type):
    """A type with one value, which the compiler knows."""

    __slots__ = ("literal_value",)

    def __init__(self, value):
        """Describe the value, by the class of such literals."""
        self.literal_value = value
        name = f"Literal[{type(value).__name__}]({value})"
        if _CLASSES.get(type(value)) is not type(self):
            self._describe_other(name)
            return
        if isinstance(value, str):
            text = quoted(value)
        else:
            text = _TRUTH_TEXTS[value] if isinstance(value, bool) else f"{value} : i64"
        super().__init__(name, f"!typed.literal<{text}>")

    def _describe_other(self, name):
        """Describe a value of another class."""
        from pyopt.errors import LiteralTypingError

        raise LiteralTypingError(f"{self.literal_value!r} is no value of a {type(self).__name__}")

    @property
    def literal_type(self):
        """The type that the value has otherwise."""
        return literal_type(self.literal_value)


class IntegerLiteral(Literal, base.Integer):
    """An int that the compiler knows."""

    __slots__ = ()
    bitwidth = 64
    signed = True


class BooleanLiteral(Literal, base.Boolean):
    """A truth value that the compiler knows."""

    __slots__ = ()


class StringLiteral(Literal, base.UnicodeType):
    """A text that the compiler knows.

    As in Numba one can be made of any value, for programs that keep values in types; only those of texts are
    types of the compiler's.
    """

    __slots__ = ()

    def _describe_other(self, name):
        base.Type.__init__(self, name)


_CLASSES = {bool: BooleanLiteral, int: IntegerLiteral, str: StringLiteral}


def literal(value):
    """Make the type of a value that the compiler knows: an int, truth value or text."""
    kind = _CLASSES.get(type(value))
    if kind is None:
        from pyopt.errors import LiteralTypingError

        raise LiteralTypingError(f"there is no literal type for {value!r}")
    return kind(value)


def maybe_literal(value):
    """Make the type of a value that the compiler knows; None where there is no such type."""
    return literal(value) if type(value) in _CLASSES else None


def unliteral(type):
    """Give the type of a literal's value, and any other type as it is."""
    if isinstance(type, Literal):
        return type.literal_type
    return type if getattr(type, "initial_value", None) is None else read(type.text)


def literal_type(value):
    """Give the type that a literal's value has otherwise."""
    return read({bool: "i1", int: "si64", str: "!typed.str"}[type(value)])


def from_text(text, inner):
    """Read the compiler's form; None for what has a form of its own."""
    if inner.startswith("{mro = "):
        return base.Type(text.split('"')[1].removeprefix("builtins."), text)
    if inner.startswith('"'):
        return literal(unquoted(inner))
    try:
        is_truth = inner in _TRUTH_TEXTS
        return literal(inner == "true" if is_truth else int(inner.removesuffix(" : i64")))
    except ValueError:
        return None


class Named(base.Opaque):
    """The type of a value that names a type; two are equal if they name the same."""

    __slots__ = ("instance_type",)

    def __init__(self, instance_type, kind, text=None):
        """Describe it by what is named, and by Numba's word for what names it."""
        super().__init__(f"{kind}({instance_type.name})", text or f"!typed.dtype<{instance_type.text}>")
        self.instance_type = instance_type

    @property
    def key(self):
        """What is named."""
        return self.instance_type


class DType(Named):
    """A NumPy dtype."""

    __slots__ = ()

    def __init__(self, dtype):
        """Describe it by the type of the elements."""
        Named.__init__(self, dtype, "dtype")

    @property
    def dtype(self):
        """The type of the elements."""
        return self.instance_type

    def __getitem__(self, index):
        """Make the type of arrays of that dtype, as the type of the elements does."""
        return self.dtype[index]


class NumberClass(Named, base.Callable):
    """A class of numbers: of NumPy's or Python's, or a type of this package."""

    __slots__ = ()

    def __init__(self, instance_type, text=None):
        """Describe it by the type of the numbers."""
        Named.__init__(self, instance_type, "class", text)

    dtype = DType.dtype


class NumberDType(DType, NumberClass):
    """What names a type of numbers in one way or the other: compiled code treats all alike."""

    __slots__ = ()


class TypeRef(Named, base.Callable):
    """A type of this package that isn't of numbers, as a value."""

    __slots__ = ()

    def __init__(self, instance_type):
        """Describe it by the type."""
        super().__init__(instance_type, "typeref")


class SliceType(base.Type):
    """A slice."""

    __slots__ = ()

    @property
    def has_step(self):
        """Whether it says the step."""
        return not self.text.endswith("!typed.none>")

    @property
    def members(self):
        """How many parts it has, without a step that it doesn't say."""
        return 3 if self.has_step else 2


class Function(base.Callable, base.Opaque):
    """A function of Python or NumPy that the compiler knows, or one that typing templates are for."""

    __slots__ = ("templates",)

    def __init__(self, name, text=None):
        """Describe one by its name and the compiler's text, or by a template or several."""
        self.templates = () if isinstance(name, str) else name if isinstance(name, tuple) else (name,)
        key = self.templates[0].key if self.templates else name
        super().__init__(name if isinstance(name, str) else f"Function({key})", text)


class Dispatcher(base.Callable, base.Opaque):
    """A compiled function: each has a type of its own. So has a Python function that is an argument."""

    __slots__ = ()

    @property
    def dispatcher(self):
        """The function."""
        from pyopt.bindings import function_of

        # Names that are no identifiers have quotes.
        symbol = self.text.partition("@")[2].removesuffix(">")
        return function_of(symbol.strip('"'))

    def get_call_type(self, context, args, kws):
        """Give the signature of a call with arguments of types."""
        return context.resolve_function_type(self, args, kws)
