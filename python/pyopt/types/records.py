"""Types of structured elements."""

from collections import namedtuple

from pyopt.types.base import Scalar, Type
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

    __slots__ = ()
    alignment = title = None


class Record(Scalar):
    """An element of a structured dtype: as an argument the array without dimensions that views it."""

    __slots__ = ("aligned", "fields", "size")
    # Compiled code counts the strides between records in bytes.
    _layout = "bytes"

    def __init__(self, fields, size, aligned=False):
        """Describe it by ``(name, {"type": …, "offset": …})`` for each field, and its size in bytes.

        ``aligned`` says that the dtype is to be one of NumPy's aligned ones.
        """
        self.fields = {name: Field(one["type"], one["offset"]) for name, one in fields}
        self.size = size
        self.aligned = aligned
        listed = ", ".join(
            f"[{quoted(name)}, {offset}, {type.text}]" for name, (type, offset) in self.fields.items()
        )
        super().__init__(self._shown(), f'!typed.record<"void", {size}, [{listed}]>')

    def _shown(self):
        fields = ",".join(
            f"{name}[type={type};offset={offset}]" for name, (type, offset) in self.fields.items()
        )
        return f"Record({fields};{self.size};False)"

    @classmethod
    def make_c_struct(cls, fields):
        """Describe a structure as C lays it out, of ``(name, type)`` for each field."""
        import numpy as np

        from pyopt.types import from_dtype

        members = [
            (name, (type.dtype.name, type.shape) if isinstance(type, NestedArray) else type.name)
            for name, type in fields
        ]
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
        for member in split(members[1:-1]):
            name, offset, element, *shape = split(member[1:-1])
            type = from_text(element)
            type = NestedArray(type, map(int, shape)) if shape else type
            made.fields[unquoted(name)] = Field(type, int(offset))
        Type.__init__(made, made._shown(), text)
        return made

    def __len__(self):
        """Count the fields."""
        return len(self.fields)

    @property
    def dtype(self):
        """The structured dtype."""
        from pyopt.numba.numpy_support import as_dtype

        return as_dtype(self)

    @property
    def members(self):
        """Names and types of the fields."""
        return [(name, type) for name, (type, _) in self.fields.items()]

    def typeof(self, name):
        """Give the type of a field."""
        return self.fields[name][0]

    def offset(self, name):
        """Say where a field begins."""
        return self.fields[name][1]
