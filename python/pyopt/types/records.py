"""Types of structured elements."""

from collections import namedtuple

from pyopt.types.base import Scalar, Type
from pyopt.types.foreign import CharSeq, UnicodeCharSeq
from pyopt.types.text import from_text, quoted, split, unquoted


class NestedArray(Type):
    """A field of a structured type that is an array of fixed shape."""

    __slots__ = ("dtype", "shape")

    def __init__(self, dtype, shape):
        """Describe it by its elements and its shape."""
        shape = tuple(shape)
        if isinstance(dtype, NestedArray):
            shape += dtype.shape
            dtype = dtype.dtype
        self.dtype = dtype
        self.shape = shape
        super().__init__(
            f"nestedarray({dtype.name}, {self.shape})", f"{', '.join([dtype.text, *map(str, self.shape)])}"
        )

    @property
    def ndim(self):
        """How many dimensions it has."""
        return len(self.shape)


class Field(namedtuple("Field", "type offset")):
    """The type of a field of a record, and where it begins."""

    alignment = None

    def __new__(cls, type, offset, title=None):
        """Describe a field; a title is its other name."""
        made = super().__new__(cls, type, offset)
        made.title = title
        return made


def _field_text(type):
    """Give the compiler's form of a field's type, and of its sizes."""
    if isinstance(type, (CharSeq, UnicodeCharSeq)):
        return f"!typed.{'str' if isinstance(type, UnicodeCharSeq) else 'bytes'}, {type.count}"
    return type.text


def _field_from_text(element, shape):
    """Read the type of a field in the compiler's form."""
    for text, kind in (("!typed.str", UnicodeCharSeq), ("!typed.bytes", CharSeq)):
        if element == text:
            return kind(*shape)
    type = from_text(element)
    return NestedArray(type, shape) if shape else type


class Record(Scalar):
    """An element of a structured dtype: as an argument the array without dimensions that views it."""

    __slots__ = ("aligned", "fields", "size", "titles")
    # Compiled code counts the strides between records in bytes.
    _layout = "bytes"

    def __init__(self, fields, size, aligned=False):
        """Describe it by ``(name, {"type": …, "offset": …})`` for each field, and its size in bytes.

        A field may have a ``title``, its other name. ``aligned`` says that the dtype is to be one of NumPy's
        aligned ones.
        """
        self.titles = {name: one["title"] for name, one in fields if one.get("title")}
        own = {name: Field(one["type"], one["offset"], self.titles.get(name)) for name, one in fields}
        self.fields = own | {title: own[name] for name, title in self.titles.items()}
        self.size = size
        self.aligned = aligned
        listed = ", ".join(
            f"[{quoted(name)}, {offset}, {_field_text(type)}{self._title_text(name)}]"
            for name, (type, offset) in own.items()
        )
        super().__init__(self._shown(), f'!typed.record<"void", {size}, [{listed}]>')

    def _title_text(self, name):
        return f", {quoted(self.titles[name])}" if name in self.titles else ""

    def _shown(self):
        fields = ",".join(
            f"{name}[type={type};offset={offset}]"
            for name, (type, offset) in self.fields.items()
            if not self.is_title(name)
        )
        return f"Record({fields};{self.size};False)"

    @classmethod
    def make_c_struct(cls, fields):
        """Describe a structure as C lays it out, of ``(name, type)`` for each field."""
        import numpy as np

        from pyopt.numba.numpy_support import as_dtype
        from pyopt.types import from_dtype

        members = [(name, as_dtype(type)) for name, type in fields]
        made = from_dtype(np.dtype(members, align=True))
        made.aligned = True
        return made

    @classmethod
    def from_text(cls, text):
        """Read the compiler's form."""
        made = cls.__new__(cls)
        _, size, members = split(text.partition("<")[2][:-1])
        made.size = int(size)
        made.aligned = False
        made.fields = {}
        made.titles = {}
        for member in split(members[1:-1]):
            name, offset, element, *shape = split(member[1:-1])
            if shape and shape[-1].startswith('"'):
                made.titles[unquoted(name)] = unquoted(shape.pop())
            type = _field_from_text(element, [*map(int, shape)])
            made.fields[unquoted(name)] = Field(type, int(offset), made.titles.get(unquoted(name)))
        made.fields |= {title: made.fields[name] for name, title in made.titles.items()}
        Type.__init__(made, made._shown(), text)
        return made

    def __len__(self):
        """Count the fields."""
        return len(self.fields) - len(self.titles)

    @property
    def dtype(self):
        """The structured dtype."""
        from pyopt.numba.numpy_support import as_dtype

        return as_dtype(self)

    @property
    def members(self):
        """Names and types of the fields."""
        return [(name, type) for name, (type, _) in self.fields.items() if not self.is_title(name)]

    def is_title(self, name):
        """Say whether a key of ``fields`` is the other name of a field."""
        return name in self.titles.values()

    def typeof(self, name):
        """Give the type of a field."""
        return self.fields[name][0]

    def offset(self, name):
        """Say where a field begins."""
        return self.fields[name][1]
