"""Enumerations in compiled code: their members, and what can be done with the classes.

A member of an enumeration of ints is that int with the class in its type; operations take it as the int. Any
other member is its position in the class. Names and values are tables that the bodies here look into.
"""

import enum
import inspect
import operator
from functools import cache
from types import FunctionType

from pyopt import own_types, types
from pyopt.class_methods import method_body
from pyopt.errors import TypingError
from pyopt.extending import _Candidate, intrinsic, overload, overload_attribute, overload_method
from pyopt.intrinsics import InMlir
from pyopt.once import once
from pyopt.types.enums import INT, POSITION, EnumClass, EnumMember, IntEnumClass, IntEnumMember

# Positions by name, of each enumeration that was met.
_positions = {}


@own_types.register_model(EnumMember)
class _MemberModel(own_types.DirectModel):
    """The model of members: their position."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [(POSITION, types.int64)])


@own_types.register_model(IntEnumMember)
class _IntMemberModel(own_types.DirectModel):
    """The model of members that are ints."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [(INT, types.int64)])


@own_types.register_model(EnumClass)
class _ClassModel(own_types.DirectModel):
    """The model of enumerations: their type says all."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [])


_type_of_members = cache(EnumMember)
_type_of_class = cache(EnumClass)


def instances_of(value):
    """Give the attribute by which ``isinstance`` knows the members of an enumeration, if a value is one."""
    if not isinstance(value, enum.EnumMeta) or not value.__members__:
        return {}
    try:
        return {f"{_type_of_class(value)}.<instances>": ("tuple", [("type", _type_of_members(value).text)])}
    except TypingError:
        # Whoever uses it learns what is missing.
        return {}


@own_types.unbox(EnumMember)
def _(member):
    kind = type(member)
    positions = _positions.get(kind)
    if positions is None:
        positions = _positions[kind] = {name: at for at, name in enumerate(kind._member_names_)}
    return positions[member._name_]


@own_types.box(EnumMember)
def _(type, position):
    return type.instance_class[type.instance_class._member_names_[position]]


own_types.unbox(IntEnumMember)(int)
own_types.box(IntEnumMember)(lambda type, value: type.instance_class(value))


own_types.unbox(EnumClass)(lambda instance_class: None)
own_types.box(EnumClass)(lambda type, none: type.instance_class)


@intrinsic
def _number_of(typingctx, member):
    """Give the number that a member is kept as."""
    text = f"tuple<{types.int64.text}>"
    lines = [
        f"%fields = typed.as_tuple %arg0 : {member.text}",
        f"%number = typed.tuple_get %fields[0] : {text} -> {types.int64.text}",
        f"return %number : {types.int64.text}",
    ]
    return types.int64(member), InMlir(lines)


@overload_attribute(EnumMember, "name")
def _(self):
    names = tuple(self.instance_class._member_names_)
    if not isinstance(self, IntEnumMember):
        return lambda self: names[_number_of(self)]
    values = tuple(int(one) for one in self.instance_class)

    def name(self):
        for at in range(len(values)):
            if values[at] == _number_of(self):
                return names[at]
        raise AttributeError("no member has this value")

    return name


@overload_attribute(EnumMember, "value")
def _(self):
    if isinstance(self, IntEnumMember):
        return lambda self: _number_of(self)
    if self.dtype is None:
        raise TypingError(f"the values of {self} have several types")
    values = tuple(one.value for one in self.instance_class)
    return lambda self: values[_number_of(self)]


@once
def _enter_members(instance_class):
    """Enter what an enumeration defines for its members: methods and properties, and their hash."""
    _enter_hash()
    for base in reversed(instance_class.__mro__[: instance_class.__mro__.index(enum.Enum)]):
        if base.__module__ == "enum":
            continue
        for name, member in vars(base).items():
            if name.startswith("_"):
                continue
            if type(member) is property:
                _enter_attribute(name)
            elif isinstance(member, (FunctionType, staticmethod, classmethod)):
                _enter_method(name)


@once
def _enter_hash():
    @overload(hash)
    def _(obj):
        if isinstance(obj, EnumMember) and not isinstance(obj, IntEnumMember):
            return lambda obj: hash(obj.name)


@once
def _enter_attribute(name):
    @overload_attribute(EnumMember, name, strict=False)
    def _(self):
        member = inspect.getattr_static(self.instance_class, name, None)
        return member.fget if type(member) is property else None


@once
def _enter_method(name):
    @overload_method(EnumMember, name, strict=False)
    def _(self, *args, **kwargs):
        return method_body(self.instance_class, name)


@overload(iter)
def _(self):
    if isinstance(self, EnumClass):
        members = tuple(self.instance_class)
        return lambda self: members


@overload_method(EnumClass, "__call__")
def _(self, value):
    members = tuple(self.instance_class)
    if value == _type_of_members(self.instance_class):
        return lambda self, value: value
    if self.dtype is None:
        raise TypingError(f"{self} isn't called: its members have values of several types")
    if not isinstance(value, types.Number if isinstance(self, IntEnumClass) else type(self.dtype)):
        return None
    values = tuple(one.value for one in members)
    message = f" is not a valid {self.instance_class.__qualname__}"

    def find(self, value):
        for at in range(len(values)):
            if values[at] == value:
                return members[at]
        raise ValueError(repr(value) + message)

    return find


@once
def _enter_operators():
    """Enter what operators and `len` do with enumerations, when the first one is met.

    Each name with overloads is one that all programs are asked about.
    """

    @overload(len)
    def _(obj):
        if isinstance(obj, EnumClass):
            count = len(obj.instance_class)
            return lambda obj: count

    @_Candidate.decorator("attribute:*", EnumClass, None, False, False)
    def _(name):
        def attribute(self):
            member = self.instance_class.__members__.get(name)
            return None if member is None else lambda self: member

        return attribute

    @overload(operator.contains)
    def _(container, item):
        if isinstance(container, EnumClass) and item == _type_of_members(container.instance_class):
            return lambda container, item: True

    @overload(operator.getitem, prefer_literal=True)
    def _(a, b):
        if not isinstance(a, EnumClass) or types.unliteral(b) != types.unicode_type:
            return None
        if isinstance(b, types.Literal) and b.literal_value in a.instance_class.__members__:
            member = a.instance_class[b.literal_value]
            return lambda a, b: member
        names = tuple(a.instance_class.__members__)
        members = tuple(a.instance_class.__members__.values())

        def find(a, b):
            for at in range(len(names)):
                if names[at] == b:
                    return members[at]
            raise KeyError(b)

        return find


# The last of all: another thread may ask for a member's type as soon as there is an answer.
@own_types.typeof_impl.register(enum.IntFlag)
def _(flag, context):
    # A combination of flags need not be a member: each is the int that it is, as where it is a global.
    return None


@own_types.typeof_impl.register(enum.EnumMeta)
def _(instance_class, context):
    # The classes that enumerations are derived from have no members.
    if not instance_class.__members__:
        return None
    _enter_operators()
    _enter_members(instance_class)
    return _type_of_class(instance_class)


@own_types.typeof_impl.register(enum.Enum)
def _(member, context):
    _enter_members(type(member))
    return _type_of_members(type(member))
