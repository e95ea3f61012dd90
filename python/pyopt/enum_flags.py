"""Flags in compiled code: a flag or a combination of flags is its value.

What values there are, and what others become, CPython's versions say differently: ``_rule`` says how it is.
"""

import enum
from functools import cache

from pyopt import types
from pyopt.enums import held_by
from pyopt.errors import TypingError
from pyopt.extending import intrinsic, overload, overload_attribute
from pyopt.intrinsics import InMlir
from pyopt.types.enums import (
    EnumMember,
    FlagMember,
    IntEnumMember,
    IntFlagMember,
    mask_of_flags,
)

_type_of_members = cache(EnumMember)
#: CPython 3.10 has neither boundaries nor names and items of combinations.
_IS_FIRST = not hasattr(enum, "FlagBoundary")


@intrinsic
def _member_of(typingctx, enumeration, number):
    """Make a flag, or combination of flags, of its value."""
    member = _type_of_members(enumeration.instance_class)
    lines = [
        f"%fields = typed.tuple(%arg1) : tuple<{types.int64.text}>",
        f"%made = typed.as_sequence %fields : {member.text}",
        f"return %made : {member.text}",
    ]
    return member(enumeration, types.int64), InMlir(lines)


def _rule(cls):
    """Say what becomes of bits that are no flags: ``strict``, ``conform`` or ``keep``, or ``plain``."""
    if _IS_FIRST:
        return "plain" if issubclass(cls, int) else "strict"
    return cls._boundary_.value


@cache
def _checked(cls):
    """Give the function that makes the value of a member of an int, or raises ValueError."""
    return _RULES[_rule(cls)](cls)


def _plain(cls):
    return lambda value: value


def _conform(cls):
    known, every = mask_of_flags(cls), _all_bits(cls)

    def conform(value):
        if not ~every <= value <= every:
            value &= known
        return value & known

    return conform


def _keep(cls):
    every = _all_bits(cls)

    def keep(value):
        if value >= ~every:
            return value if value >= 0 else value & every
        bits = -value
        for shift in (1, 2, 4, 8, 16, 32):
            bits |= bits >> shift
        return value & (bits | every)

    return keep


def _strict(cls):
    known, every = mask_of_flags(cls), _all_bits(cls)
    if _IS_FIRST:
        message = f" is not a valid {cls.__qualname__}"

        def strict(value):
            # The member of a negative value is the inverse of another one, which is what the error is about.
            asked = ~value if value < 0 else value
            if asked & ~known:
                raise ValueError(repr(asked) + message)
            return value & known

        return strict
    head, width, bits = f"{cls!r} invalid value ", known.bit_length(), _writer_of_bits()

    def strict(value):
        if not ~every <= value <= every or value & (every ^ known):
            digits = max(value.bit_length(), width)
            given, allowed = bits(value, digits), bits(known, digits)
            raise ValueError(head + repr(value) + "\n    given " + given + "\n  allowed " + allowed)
        return value & every

    return strict


_RULES = {"plain": _plain, "conform": _conform, "keep": _keep, "strict": _strict}


def _all_bits(cls):
    return (1 << mask_of_flags(cls).bit_length()) - 1


@cache
def _writer_of_bits():
    """Give the function that writes a value in so many binary digits, the sign before them."""

    def bits(value, digits):
        text = "0b1 " if value < 0 else "0b0 "
        for at in range(digits - 1, -1, -1):
            text += "1" if value >> at & 1 else "0"
        return text

    return bits


@cache
def constructor(cls):
    """Give the function that a call of an enumeration of flags with an int is."""
    checked = _checked(cls)
    return lambda self, value: _member_of(self, checked(int(value)))


@cache
def _combination(cls, name):
    """Give the function that combines two flags, or one with an int."""
    checked = _checked(cls)
    return {
        "and": lambda left, right: _member_of(cls, checked(held_by(left) & _value_of(right))),
        "or": lambda left, right: _member_of(cls, checked(held_by(left) | _value_of(right))),
        "xor": lambda left, right: _member_of(cls, checked(held_by(left) ^ _value_of(right))),
    }[name]


def _value_of(operand):
    """Stand for the value of a flag, or the int that an operand is."""
    raise NotImplementedError


@overload(_value_of)
def _(operand):
    if isinstance(operand, EnumMember):
        return lambda operand: held_by(operand)
    return lambda operand: int(operand)


@cache
def _inversion(cls):
    checked = _checked(cls)
    if _rule(cls) in ("plain", "keep"):
        return lambda self: _member_of(cls, checked(~held_by(self)))
    known = mask_of_flags(cls)
    return lambda self: _member_of(cls, known & ~held_by(self))


def body_of_flags(name, member, other=None):
    """Give what flags have for a method with these operands; None if they have nothing."""
    cls = member.instance_class
    if name == "__bool__":
        return _is_any
    if name == "__invert__":
        return _inversion(cls)
    if name == "__contains__":
        return _contains if member == other else None
    if name in ("__iter__", "__len__"):
        return None if _IS_FIRST else _members(cls) if name == "__iter__" else _count
    combination = name.strip("_").removeprefix("r")
    # `__ror__` and `__rxor__`, and `__or__`, which begins with no r.
    if combination not in ("and", "or", "xor"):
        return None
    is_int = isinstance(member, IntFlagMember) and (
        other == types.int64 or isinstance(other, (types.Boolean, IntEnumMember))
    )
    return _combination(cls, combination) if member == other or is_int else None


def _is_any(self):
    return held_by(self) != 0


def _contains(self, other):
    return held_by(other) & held_by(self) == held_by(other)


def _count(self):
    count, rest = 0, held_by(self)
    while rest:
        rest &= rest - 1
        count += 1
    return count


@cache
def _members(cls):
    """Give the function that lists the flags of one bit that a combination has."""
    singles = tuple(cls._iter_member_(mask_of_flags(cls, of_one_bit=True)))
    values = tuple(one._value_ for one in singles)

    def members(self):
        found = []
        for at in range(len(values)):
            if held_by(self) & values[at]:
                found.append(singles[at])
        return found

    return members


def _enter_name(kind):
    @overload_attribute(kind, "name")
    def _(self):
        return _name(self.instance_class)


@cache
def _name(cls):
    """Give the function that finds the name of a flag or a combination of flags, or None."""
    known = {one._value_: one._name_ for one in cls.__members__.values()}
    names, values = tuple(known.values()), tuple(known)
    if _IS_FIRST:

        def name(self):
            for at in range(len(values)):
                if values[at] == held_by(self):
                    return names[at]
            return None

        return name
    mask = mask_of_flags(cls, of_one_bit=True)
    if mask != mask_of_flags(cls):
        raise TypingError(f"combinations of flags of {cls.__qualname__} have names that aren't known")
    singles = tuple(cls._iter_member_(mask))
    ones, parts = tuple(one._value_ for one in singles), tuple(one._name_ for one in singles)

    def name(self):
        value = held_by(self)
        for at in range(len(values)):
            if values[at] == value:
                return names[at]
        if value & mask == 0:
            return None
        text = ""
        for at in range(len(ones)):
            if value & ones[at]:
                text += "|" + parts[at]
        if value & ~mask:
            text += "|" + repr(value & ~mask)
        return text[1:]

    return name


for _kind in (FlagMember, IntFlagMember):
    _enter_name(_kind)
