"""Cups of dice: handles of a C library in compiled code.

``Cup(seed)`` has a state of C's ``erand48``. In compiled code ``cup.roll()`` is a number from 0 to
1, ``cup * sides`` a throw of a die, and ``Cup(address)`` the cup at an address.
"""

import ctypes
import operator
from weakref import WeakValueDictionary

from pyopt.extensions import use_core

use_core("dice._core")

from pyopt import types
from pyopt.extending import (
    as_numba_type,
    box,
    intrinsic,
    make_attribute_wrapper,
    models,
    overload,
    overload_method,
    register_model,
    typeof_impl,
    unbox,
)
from pyopt.intrinsics import InMlir

_cups = WeakValueDictionary()


class Cup:
    """A state of C's, which lives as long as the object."""

    def __init__(self, seed):
        """Begin from a seed of 48 bits."""
        self._state = (ctypes.c_ushort * 3)(*(seed >> shift & 0xFFFF for shift in (0, 16, 32)))
        _cups[self.address] = self

    @property
    def address(self):
        """Where the state is."""
        return ctypes.addressof(self._state)


class CupType(types.Type):
    """The type of cups."""

    def __init__(self):
        """Name it."""
        super().__init__(name="Cup")


CUP = CupType()
as_numba_type.register(Cup, CUP)


@register_model(CupType)
class CupModel(models.DialectModel):
    """A handle: a type of the dialect with the address as its field."""

    def __init__(self, dmm, fe_type):
        """Name the dialect's type, and the field."""
        super().__init__(dmm, fe_type, "!dice.cup", [("address", types.int64)])


make_attribute_wrapper(CupType, "address", "address")


@typeof_impl.register(Cup)
def type_of_cup(cup, context):
    """Give the type of an object."""
    return CUP


@unbox(CupType)
def fields_of_cup(cup):
    """Give the fields of an object."""
    return [cup.address]


@box(CupType)
def cup_of_fields(kind, address):
    """Give the object of fields: that which has the state."""
    return _cups[address]


@intrinsic
def roll(typingctx, cup):
    """Give the next number."""
    if isinstance(cup, CupType):
        return types.float64(CUP), InMlir(["%value = dice.roll %arg0", "return %value : f64"])


@intrinsic
def cup_at(typingctx, address):
    """Give the cup at an address."""
    if isinstance(address, types.Integer):
        return CUP(types.int64), InMlir(["%cup = dice.of %arg0", "return %cup : !dice.cup"])


@overload(Cup)
def overload_cup(address):
    """Compile ``Cup(address)``."""
    if isinstance(address, types.Integer):
        return lambda address: cup_at(address)


@overload_method(CupType, "roll")
def overload_roll(cup):
    """Compile ``cup.roll()``."""
    return lambda cup: roll(cup)


@overload(operator.mul)
def overload_mul(cup, sides):
    """Compile ``cup * sides``: a throw of a die."""
    if isinstance(cup, CupType) and isinstance(sides, types.Integer):
        return lambda cup, sides: 1 + int(roll(cup) * sides)


@overload(operator.eq)
def overload_eq(cup, other):
    """Compile ``cup == other``: whether they have one state."""
    if isinstance(cup, CupType) and isinstance(other, CupType):
        return lambda cup, other: cup.address == other.address


@overload(hash)
def overload_hash(cup):
    """Compile ``hash(cup)``."""
    if isinstance(cup, CupType):
        return lambda cup: hash(cup.address)
