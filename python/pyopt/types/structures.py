"""References to structures in memory that all their names share: ``numba.experimental.structref``."""

from pyopt.errors import TypingError
from pyopt.types import base, composite

#: The field of a reference: its memory. It is no name of Python's, so that programs can't ask for it.
STRUCTURE = "&structure"


class StructRef(base.Type):
    """A reference to a structure of named fields; programs derive from it and register their classes."""

    __slots__ = ("__dict__",)

    def __init__(self, fields):
        """Describe a reference to fields: names and types."""

        def checked(field):
            name, type = field
            if not isinstance(name, str):
                raise ValueError("expecting a str for field name")
            if not isinstance(type, base.Type):
                raise ValueError("expecting a Numba Type for field type")
            return name, type

        # Fields may be of the type itself, which is asked for its form then.
        super().__init__(f"numba.{type(self).__name__}")
        self._fields = None
        self._fields = tuple(map(checked, self.preprocess_fields(fields)))
        super().__init__(f"numba.{type(self).__name__}{self._fields}")

    def preprocess_fields(self, fields):
        """Give the fields as they are to be; derived classes may change them."""
        return fields

    @property
    def field_dict(self):
        """The types of the fields by name."""
        return dict(self._fields)

    @property
    def memory(self):
        """The type of the memory in compiled code: a list of one tuple."""
        if self._fields is None:
            raise TypingError(f"{self} can't have a field of its own type")
        for name, one in self._fields:
            reason = _refusal(one)
            if reason:
                raise TypingError(f"the field '{name}' of {self} can't be {reason}")
        return composite.List(composite.Tuple([one for _, one in self._fields]))


def _refusal(type):
    """Say what compiled code can't keep in a structure; None for what it can."""
    if isinstance(type, composite.Array) and not type.mutable:
        return "a readonly array: its memory may be that of the code that has it as a constant"
    if isinstance(type, composite.MutableSequence):
        return "a list: it is Python's list again when the call ends"
    if isinstance(type, composite.Optional):
        return _refusal(type.type)
    if isinstance(type, composite.BaseTuple):
        if any(isinstance(one, StructRef) for one in type.types):
            return "a tuple of references to structures"
        return next(filter(None, map(_refusal, type.types)), None)
    kept = (base.Scalar, composite.Array, StructRef)
    if isinstance(type, kept) or type.text in ("!typed.none", "!typed.str"):
        return f"{type}, which compiled code doesn't have" if type.is_foreign else None
    return f"{type}, which compiled code doesn't keep"
