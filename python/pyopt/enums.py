"""Enumerations in compiled code: their members, and what can be done with the classes.

A member of an enumeration of ints or texts is that int or text with the class in its type; operations take it
as such. A flag is its value, any other member its position in the class. Names and values are tables that the
bodies here look into. What classes define for operators is in ``enum_operators``, flags in ``enum_flags``,
``__members__`` are in ``enum_mappings``.
"""

import enum
import inspect
import operator
from functools import cache
from types import DynamicClassAttribute, FunctionType

from pyopt import own_types, types
from pyopt.class_methods import method_body
from pyopt.errors import TypingError
from pyopt.extending import _Candidate, intrinsic, overload, overload_attribute, overload_method
from pyopt.intrinsics import InMlir
from pyopt.once import once
from pyopt.types.enums import (
    NUMBER,
    VALUE,
    EnumClass,
    EnumMember,
    FlagMember,
    IntEnumClass,
    IntEnumMember,
    StrEnumMember,
    program_members,
)

# Enumerations may have those of the module `enum` in the place of Python's.
_PROPERTIES = (property, DynamicClassAttribute)

# Positions by name, of each enumeration that was met.
_positions = {}


@own_types.register_model(EnumMember)
class _MemberModel(own_types.DirectModel):
    """The model of members: their position, or what flags are in all."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [(NUMBER, types.int64)])


@own_types.register_model(IntEnumMember)
class _IntMemberModel(own_types.DirectModel):
    """The model of members that are ints."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [(VALUE, types.int64)])


@own_types.register_model(StrEnumMember)
class _StrMemberModel(own_types.DirectModel):
    """The model of members that are texts."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [(VALUE, types.unicode_type)])


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


def _of_value(type, value):
    return type.instance_class(value)


own_types.unbox(IntEnumMember)(int)
own_types.unbox(StrEnumMember)(str.__str__)
own_types.unbox(FlagMember)(lambda flag: flag._value_)
for _kind in (IntEnumMember, StrEnumMember, FlagMember):
    own_types.box(_kind)(_of_value)


own_types.unbox(EnumClass)(lambda instance_class: None)
own_types.box(EnumClass)(lambda type, none: type.instance_class)


@intrinsic
def held_by(typingctx, member):
    """Give what a member is kept as: a number, or the text that it is."""
    held = types.unicode_type if isinstance(member, StrEnumMember) else types.int64
    lines = [
        f"%fields = typed.as_tuple %arg0 : {member.text}",
        f"%held = typed.tuple_get %fields[0] : tuple<{held.text}> -> {held.text}",
        f"return %held : {held.text}",
    ]
    return held(member), InMlir(lines)


@overload_attribute(EnumMember, "name")
def _(self):
    names = tuple(self.instance_class._member_names_)
    if not isinstance(self, (IntEnumMember, StrEnumMember)):
        return lambda self: names[held_by(self)]
    values = tuple(_plain(one) for one in self.instance_class)

    def name(self):
        for at in range(len(values)):
            if values[at] == held_by(self):
                return names[at]
        raise AttributeError("no member has this value")

    return name


def _plain(member):
    """Give a member of an enumeration of ints or texts as one."""
    return int(member) if isinstance(member, int) else str.__str__(member)


@overload_attribute(EnumMember, "value")
def _(self):
    if isinstance(self, (IntEnumMember, StrEnumMember, FlagMember)):
        return lambda self: held_by(self)
    return _table(self, [one.value for one in self.instance_class], "values")


@overload_attribute(EnumMember, "__class__", strict=False)
def _(self):
    return _class_body(self.instance_class)


@overload_attribute(EnumClass, "__name__")
def _(self):
    name = self.instance_class.__name__
    return lambda self: name


@cache
def _class_body(instance_class):
    """Give the function that finds the enumeration of a member."""
    return lambda member: instance_class


def _table(type, values, what):
    """Give the function that finds what belongs to a member."""
    if len({types.argument_type(one) for one in values}) > 1:
        raise TypingError(f"the {what} of {type} have several types")
    values = tuple(values)
    if not isinstance(type, (IntEnumMember, StrEnumMember)):
        return lambda self: values[held_by(self)]
    members = tuple(map(_plain, type.instance_class))

    def find(self):
        for at in range(len(members)):
            if members[at] == held_by(self):
                return values[at]
        raise AttributeError("no member has this value")

    return find


@once
def _enter_members(instance_class):
    """Enter what an enumeration defines for its members: methods, properties, attributes and operators."""
    _enter_hash()
    if issubclass(instance_class, enum.Flag):
        from pyopt import enum_flags  # noqa: F401
    from pyopt.enum_operators import enter_operators

    enter_operators(instance_class)
    for name, member in program_members(instance_class).items():
        if name.startswith("_"):
            continue
        if isinstance(member, _PROPERTIES):
            _enter_attribute(name)
        elif isinstance(member, (FunctionType, staticmethod, classmethod)):
            _enter_method(name)
    for name in {name for member in instance_class for name in vars(member) if not name.startswith("_")}:
        _enter_attribute(name)


@once
def _enter_hash():
    @overload(hash)
    def _(obj):
        if isinstance(obj, FlagMember):
            return _hash_of_flag
        if isinstance(obj, EnumMember) and not isinstance(obj, (IntEnumMember, StrEnumMember)):
            return lambda obj: hash(obj.name)


def _hash_of_flag(obj):
    """Hash the name, which is None where no flag is set; the hash of None is different in each process."""
    name = obj.name
    return 0 if name is None else hash(name)


@once
def _enter_attribute(name):
    @overload_attribute(EnumMember, name, strict=False)
    def _(self):
        member = inspect.getattr_static(self.instance_class, name, None)
        if isinstance(member, _PROPERTIES):
            return member.fget
        members = list(self.instance_class)
        if isinstance(self, FlagMember) or not all(name in vars(one) for one in members):
            return None
        return _table(self, [vars(one)[name] for one in members], f"attributes '{name}'")


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
    if value == _type_of_members(self.instance_class):
        return lambda self, value: value
    if issubclass(self.instance_class, enum.Flag):
        from pyopt.enum_flags import constructor

        is_int = isinstance(value, (types.Integer, types.Boolean))
        return constructor(self.instance_class) if is_int else None
    members = tuple(self.instance_class)
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
            if name == "__members__":
                from pyopt.enum_mappings import mapping_body

                return mapping_body(self.instance_class)
            known = self.instance_class.__members__
            # A method of members that is called with one.
            member = known[name] if name in known else program_members(self.instance_class).get(name)
            is_found = name in known or isinstance(member, FunctionType)
            return (lambda self: member) if is_found else None

        return attribute

    @overload(operator.contains)
    def _(container, item):
        if isinstance(container, EnumClass) and item == _type_of_members(container.instance_class):
            return lambda container, item: True

    @overload(operator.getitem, prefer_literal=True)
    def _(a, b):
        return item_of(a.instance_class, b) if isinstance(a, EnumClass) else None


def item_of(instance_class, name):
    """Give the function that finds a member by its name, of a type; None if that is none of texts."""
    if types.unliteral(name) != types.unicode_type:
        return None
    known = instance_class.__members__
    if isinstance(name, types.Literal) and name.literal_value in known:
        member = known[name.literal_value]
        return lambda a, b: member
    names, members = tuple(known), tuple(known.values())

    def find(a, b):
        for at in range(len(names)):
            if names[at] == b:
                return members[at]
        raise KeyError(b)

    return find


# The last of all: another thread may ask for a member's type as soon as there is an answer.
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
