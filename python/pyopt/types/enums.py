"""The types of members of enumerations, and of the enumerations themselves."""

import enum
from functools import cache

from pyopt.errors import TypingError
from pyopt.once import once
from pyopt.types import base

#: The names of the fields that members have in compiled code: the int or text, which is used as such, or else
#: the position among the members, which of flags is their value. They are no names of Python's, so that
#: programs can't ask for them.
VALUE, NUMBER = "=value", "&member"

#: What a program may define that compiled code wouldn't ask: keys are found, and indices made, without it.
_UNASKED = ("__eq__", "__ne__", "__hash__", "__index__")

#: What compiled code makes of what members are, but for objects.
_MIXED_IN = (int, str)


class _OfEnumeration(base.Type):
    """A type that an enumeration makes; ``dtype`` is the type of the members' values."""

    __slots__ = ("dtype", "instance_class")
    _shown = ""

    def __init__(self, instance_class, dtype=None):
        """Describe it."""
        self.instance_class = instance_class
        self.dtype = value_type(instance_class) if dtype is None else dtype
        super().__init__(f"{self._shown}<{self.dtype}>({instance_class.__qualname__})")

    def __reduce_ex__(self, protocol):
        """Pickle by the enumeration: the class of the type is made for it."""
        kind = next(one for one in type(self).__mro__ if one.__module__ == __name__)
        return kind, (self.instance_class, self.dtype)


class EnumMember(_OfEnumeration):
    """The type of the members of an enumeration, of which each has a class of types of its own."""

    __slots__ = ()
    _shown = "Enum"

    def __new__(cls, instance_class, dtype=None):
        """Make one of the class of types of the enumeration."""
        return super().__new__(_member_class(instance_class))


class IntEnumMember(EnumMember):
    """The type of the members of an enumeration of ints."""

    __slots__ = ()
    _shown = "IntEnum"


class StrEnumMember(EnumMember):
    """The type of the members of an enumeration of texts."""

    __slots__ = ()
    _shown = "StrEnum"


class FlagMember(EnumMember):
    """The type of flags and their combinations."""

    __slots__ = ()
    _shown = "Flag"


class IntFlagMember(IntEnumMember):
    """The type of flags that are ints, and their combinations."""

    __slots__ = ()
    _shown = "IntFlag"


class EnumClass(_OfEnumeration):
    """The type of an enumeration."""

    __slots__ = ()
    _shown = "EnumClass"

    def __new__(cls, instance_class, dtype=None):
        """Make one of the class of types of the enumeration."""
        return super().__new__(_class_class(instance_class))


class IntEnumClass(EnumClass):
    """The type of an enumeration of ints."""

    __slots__ = ()
    _shown = "IntEnumClass"


@once
def _member_class(instance_class):
    return _own_class(instance_class, _kind_of_members(instance_class))


def _kind_of_members(instance_class):
    """Give the class of types that that of the members of an enumeration is derived from."""
    if issubclass(instance_class, enum.Flag):
        return IntFlagMember if issubclass(instance_class, int) else FlagMember
    if issubclass(instance_class, int):
        return IntEnumMember
    return StrEnumMember if issubclass(instance_class, str) else EnumMember


@once
def _class_class(instance_class):
    return _own_class(instance_class, IntEnumClass if issubclass(instance_class, int) else EnumClass)


def _own_class(instance_class, base_class):
    scope = {"__module__": instance_class.__module__, "__slots__": ()}
    return type(instance_class.__name__, (base_class,), scope)


@cache
def value_type(instance_class):
    """Give the type of the values of an enumeration's members; None where they have several."""
    from pyopt.types import argument_type, int64, unicode_type

    _check(instance_class)
    if issubclass(instance_class, (int, enum.Flag)):
        return int64
    if issubclass(instance_class, str):
        return unicode_type
    try:
        found = {argument_type(member.value) for member in instance_class}
    except TypeError:
        return None
    return found.pop() if len(found) == 1 else None


def program_members(instance_class):
    """Give what classes of the program's define for the members of an enumeration, by name."""
    found = {}
    for one in reversed(instance_class.__mro__):
        if one.__module__ not in ("enum", "builtins"):
            # Some of Python's own are in every class of flags.
            found |= {name: one for name, one in vars(one).items() if _module_of(one) != "enum"}
    return found


def _module_of(member):
    """Name the module that wrote a member of a class: of a property, of whatever class, its function's."""
    return getattr(getattr(member, "fget", member), "__module__", "")


def _check(instance_class):
    """Refuse enumerations whose members are more than compiled code makes of them."""
    name = instance_class.__qualname__
    mixed_in = instance_class._member_type_
    if mixed_in is not object:
        if not issubclass(mixed_in, _MIXED_IN):
            kind = mixed_in.__name__
            raise TypingError(f"the enumeration {name} is one of {kind}: members are objects, ints or texts")
        plain = int.__int__ if issubclass(mixed_in, int) else str.__str__
        if any(plain(one) != one._value_ for one in instance_class.__members__.values()):
            raise TypingError(f"members of the enumeration {name} have values that they don't equal")
    defined = program_members(instance_class)
    for operator in _UNASKED:
        if operator in defined:
            raise TypingError(f"{name} defines {operator}, which compiled code doesn't ask")
    if issubclass(instance_class, int) and any(
        not -(1 << 63) <= int(one) < 1 << 63 for one in instance_class
    ):
        raise TypingError(f"the enumeration {name} has ints beyond 64 bits")
    if issubclass(instance_class, enum.Flag):
        _check_flags(instance_class, name)


def _check_flags(instance_class, name):
    values = [one._value_ for one in instance_class.__members__.values()]
    if any(not 0 <= value < 1 << 62 for value in values):
        raise TypingError(f"the enumeration {name} has flags that are negative or beyond 62 bits")
    boundary = getattr(instance_class, "_boundary_", None)
    if boundary is not None and boundary.value == "eject":
        raise TypingError(f"flags of the enumeration {name} may be combined to what is none: boundary=EJECT")
    is_kept = issubclass(instance_class, int) if boundary is None else boundary.value == "keep"
    if not is_kept and mask_of_flags(instance_class) != mask_of_flags(instance_class, of_one_bit=True):
        raise TypingError(f"the enumeration {name} has flags of several bits that are no flags by themselves")


def mask_of_flags(instance_class, of_one_bit=False):
    """Give the bits that an enumeration has flags of, or flags of this one bit."""
    mask = 0
    for one in instance_class.__members__.values():
        if not of_one_bit or not one._value_ & (one._value_ - 1):
            mask |= one._value_
    return mask
