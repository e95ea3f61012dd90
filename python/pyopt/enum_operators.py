"""Operators that enumerations define for their members, and those that flags have."""

from enum import Flag
from types import FunctionType

from pyopt.enums import held_by
from pyopt.extending import overload, overload_method
from pyopt.once import once
from pyopt.operations import MIRRORED, OPERATIONS, body_of_operation, compiled_form
from pyopt.types.enums import (
    EnumMember,
    FlagMember,
    IntEnumMember,
    IntFlagMember,
    StrEnumMember,
    program_members,
)

_FLAGS = (FlagMember, IntFlagMember)
# What flags have for operators; on CPython 3.10 they have no items.
_OF_FLAGS = (
    *("__bool__", "__contains__", "__invert__", "__iter__", "__len__"),
    *(f"__{prefix}{name}__" for name in ("and", "or", "xor") for prefix in ("", "r")),
)


def enter_operators(instance_class):
    """Enter what operators do with members of an enumeration, where it says so.

    Each name with overloads is one that all programs are asked about.
    """
    names = set(program_members(instance_class))
    if issubclass(instance_class, Flag):
        names.update(_OF_FLAGS)
    if issubclass(instance_class, str):
        names.add("__iter__")
    for name in sorted(names):
        if name in OPERATIONS:
            _enter_operation(name)
        if name in MIRRORED and name in OPERATIONS:
            # The right operand is asked for it.
            _enter_operation(MIRRORED[name])
        if name == "__len__":
            _enter_operation("__bool__")
        if name == "__call__":
            _enter_call()


@once
def _enter_operation(name):
    overload(OPERATIONS[name], strict=False)(_operation(name))


@once
def _enter_call():
    @overload_method(EnumMember, "__call__", strict=False)
    def _(self, *args, **kwargs):
        return _defined(self, "__call__")


def _operation(name):
    def implement(*operands):
        return body_of_operation(name, operands, _body_of, _asks_right(operands))

    return implement


def _asks_right(operands):
    """Whether the right operand is asked: a member that is an int or text where the left one is plain."""
    left, right = operands[0], operands[-1]
    if isinstance(right, (IntEnumMember, StrEnumMember)):
        return left == right.dtype
    return True


def _body_of(name, *operands):
    """Give what the enumeration of the first operand has for a method, with these operands."""
    member = operands[0]
    if not isinstance(member, EnumMember):
        return None
    defined = _defined(member, name)
    if defined is not None:
        return defined
    if name == "__bool__" and _defined(member, "__len__") is not None:
        return _has_length
    if isinstance(member, _FLAGS):
        from pyopt.enum_flags import body_of_flags

        return body_of_flags(name, *operands)
    if name == "__iter__" and isinstance(member, StrEnumMember):
        return held_text
    return None


def _defined(member, name):
    """Give the function that a class of the program's has under a name; None if none has one."""
    function = program_members(member.instance_class).get(name)
    return compiled_form(function) if isinstance(function, FunctionType) else None


def _has_length(self):
    return len(self) != 0


def held_text(self):
    """Give the text that a member is."""
    return held_by(self)
