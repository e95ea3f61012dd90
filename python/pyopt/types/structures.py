"""References to structures in memory that all their names share: ``numba.experimental.structref``."""

from operator import attrgetter

from pyopt.errors import TypingError
from pyopt.types import base, composite, enums

#: The field of a reference: its memory. It is no name of Python's, so that programs can't ask for it.
STRUCTURE = "&structure"

#: What the memory has where a field refers to a structure: which one is known by the field's type. So a
#: structure may hold others of its own type, and its form doesn't grow with what it refers to.
REFERENCE = base.Type("reference", "!typed.list<tuple<>>")


class StructRef(base.Type):
    """A reference to a structure of named fields; programs derive from it and register their classes."""

    __slots__ = ("__dict__",)
    #: Whether a field of the type has a new structure before it is set, instead of being an error then.
    is_made_blank = True

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
    def key(self):
        """The name, and the structures in fields: programs may have several classes of one name."""
        held = (one for _, one in self._fields or () if isinstance(one, StructRef))
        return self.name, *((type(one), one.key) for one in held)

    @property
    def field_dict(self):
        """The types of the fields by name."""
        return dict(self._fields)

    @property
    def _declared(self):
        # The fields, of which the types may be deferred.
        return self._fields

    @property
    def memory(self):
        """The type of the memory in compiled code: a list of one tuple."""
        declared = self._declared
        if declared is None:
            raise TypingError(f"{self} can't have a field of its own type, but of a deferred one")
        for name, one in declared:
            reason = refusal(one, keeps_lists=True)
            if reason:
                raise TypingError(f"the field '{name}' of {self} can't be {reason}")
        return composite.List(composite.Tuple([in_memory(one) for _, one in declared]))


class ClassInstanceType(StructRef):
    """The type of the instances of a class that ``jitclass`` has compiled, each of which derives its own."""

    is_made_blank = False
    # Each has a class of its own.
    key = base.Type.key

    def __init__(self, class_type):
        """Describe the instances of a class; their fields may be defined later."""
        base.Type.__init__(self, f"instance.{class_type.name}")
        self.class_type = class_type

    def __reduce_ex__(self, protocol):
        """Pickle it by the name of its class: it is the type that this has where it is read."""
        return _instance_type, (type(self).__module__, self.class_type.class_name)

    @property
    def struct(self):
        """The types of the fields by name."""
        return self.class_type.struct

    @property
    def _declared(self):
        return tuple(self.struct.items())

    @property
    def _fields(self):
        # Deferred types are defined by now, or the error says so.
        return tuple((name, resolved(one)) for name, one in self._declared)


def _instance_type(module, name):
    from pyopt.jitclasses import instance_type

    return instance_type(module, name)


class ClassType(base.Callable):
    """The type of a class that ``jitclass`` has compiled."""

    __slots__ = ("class_name", "instance_type", "struct")

    def __init__(self, class_name, struct, instance_class=ClassInstanceType):
        """Describe a class: its name, and the types of its fields by name."""
        super().__init__(f"jitclass.{class_name}")
        self.class_name = class_name
        self.struct = struct
        self.instance_type = instance_class(self)

    def __reduce_ex__(self, protocol):
        """Pickle it by that of its instances."""
        return attrgetter("class_type"), (self.instance_type,)


class DeferredType(base.Type):
    """A type that is defined later: that of a field of a class whose instances it holds."""

    __slots__ = ("_defined",)

    def __init__(self):
        """Leave it open."""
        super().__init__(f"DeferredType#{id(self)}")
        self._defined = None

    def define(self, type):
        """Say which type it is, once."""
        if self._defined is not None:
            raise TypeError("deferred type already defined")
        if not isinstance(type, base.Type):
            raise TypeError(f"arg is not a Type; got: {type.__class__}")
        self._defined = type

    def get(self):
        """Give the type."""
        if self._defined is None:
            raise RuntimeError("deferred type not defined")
        return self._defined


def deferred_type():
    """Make a type that is defined later."""
    return DeferredType()


def resolved(type):
    """Give a type with what is defined in the place of deferred types."""
    if isinstance(type, DeferredType):
        return resolved(defined(type))
    if isinstance(type, composite.Optional):
        return composite.Optional(resolved(type.type))
    return type


def defined(deferred):
    """Give the type that a deferred one is defined as."""
    try:
        return deferred.get()
    except RuntimeError as error:
        raise TypingError(str(error)) from None


def in_memory(type):
    """Give the type that a field's words have: that of the field, with references of no type of their own."""
    if isinstance(type, DeferredType):
        return in_memory(defined(type))
    if isinstance(type, StructRef):
        return REFERENCE
    if isinstance(type, composite.Optional):
        return composite.Optional(in_memory(type.type))
    return type


def is_plain(type):
    """Whether values of a type refer to no memory: one can be read while it is replaced."""
    if isinstance(type, composite.BaseTuple):
        return all(map(is_plain, type.types))
    is_text = isinstance(type, enums.StrEnumMember)
    return isinstance(type, (base.Scalar, enums.EnumMember)) and not is_text


def is_kept_list(type):
    """Whether a list of a type may be kept: one that may change, of items that aren't lent for a call."""
    if not isinstance(type, composite.List) or type != composite.List(type.dtype):
        return False
    return is_kept_list(type.dtype) or (is_plain(type.dtype) and not type.dtype._layout)


def refusal(type, keeps_lists=False):
    """Say what compiled code can't keep in a structure, or where lists may be; None for what it can."""
    if keeps_lists and is_kept_list(type):
        return None
    if isinstance(type, DeferredType):
        return refusal(defined(type))
    if isinstance(type, enums.StrEnumMember):
        return f"{type}: its text can be kept"
    if isinstance(type, (StructRef, enums.EnumMember)):
        return getattr(type, "refused", None)
    if isinstance(type, composite.MutableSequence):
        return f"{type}: a list of what isn't numbers is Python's list again when the call ends"
    if isinstance(type, composite.Optional):
        return refusal(type.type)
    if isinstance(type, composite.BaseTuple):
        if any(isinstance(one, StructRef) for one in type.types):
            return "a tuple of references to structures"
        return next(filter(None, map(refusal, type.types)), None)
    fields = getattr(type, "field_types", None)
    if fields is not None:
        # A dataclass.
        return refusal(composite.Tuple(list(fields.values())))
    # Functions that were passed stay as long as the process.
    kept = (base.Scalar, composite.Array, composite.FunctionType)
    if getattr(type, "is_kept", False):
        return None
    if isinstance(type, kept) or type.text in ("!typed.none", "!typed.str", "!typed.bytes"):
        return f"{type}, which compiled code doesn't have" if type.is_foreign else None
    return f"{type}, which compiled code doesn't keep"
