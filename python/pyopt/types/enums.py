"""The types of members of enumerations, and of the enumerations themselves."""

import enum
from functools import cache

from pyopt.errors import TypingError
from pyopt.once import once
from pyopt.types import base

#: The names of the fields that members have in compiled code: the int, which is used as such, or else the
#: position among the members. They are no names of Python's, so that programs can't ask for them.
INT, POSITION = "=value", "&member"

#: What a program may define to change what operators do, which compiled code wouldn't ask.
_OPERATORS = (
    "eq ne lt le gt ge hash bool int index add sub mul truediv floordiv mod pow and or xor lshift rshift neg"
)


class _OfEnumeration(base.Type):
    """A type that an enumeration makes; ``dtype`` is the type of the members' values."""

    __slots__ = ("dtype", "instance_class")
    _shown = ""

    def __init__(self, instance_class, dtype=None):
        """Describe it."""
        self.instance_class = instance_class
        self.dtype = value_type(instance_class) if dtype is None else dtype
        super().__init__(f"{self._shown}<{self.dtype}>({instance_class.__qualname__})")


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
    return _own_class(instance_class, IntEnumMember if issubclass(instance_class, int) else EnumMember)


@once
def _class_class(instance_class):
    return _own_class(instance_class, IntEnumClass if issubclass(instance_class, int) else EnumClass)


def _own_class(instance_class, base_class):
    scope = {"__module__": instance_class.__module__, "__slots__": ()}
    return type(instance_class.__name__, (base_class,), scope)


@cache
def value_type(instance_class):
    """Give the type of the values of an enumeration's members; None where they have several."""
    from pyopt.types import argument_type, int64

    _check(instance_class)
    if issubclass(instance_class, int):
        return int64
    try:
        found = {argument_type(member.value) for member in instance_class}
    except TypeError:
        return None
    return found.pop() if len(found) == 1 else None


def _check(instance_class):
    """Refuse enumerations whose members are more than compiled code makes of them."""
    name = instance_class.__qualname__
    if issubclass(instance_class, enum.Flag):
        raise TypingError(f"the enumeration {name} is one of flags: their combinations are no members")
    if not issubclass(instance_class, int) and instance_class._member_type_ is not object:
        kind = instance_class._member_type_.__name__
        raise TypingError(f"the enumeration {name} is one of {kind}: members are objects or ints")
    for one in instance_class.__mro__:
        if one.__module__ in ("enum", "builtins"):
            continue
        for operator in _OPERATORS.split():
            if f"__{operator}__" in one.__dict__:
                raise TypingError(f"{name} defines __{operator}__, which compiled code doesn't ask")
    if issubclass(instance_class, int) and any(
        not -(1 << 63) <= int(one) < 1 << 63 for one in instance_class
    ):
        raise TypingError(f"the enumeration {name} has ints beyond 64 bits")
