"""What Numba's code generators are registered by, and wrap their results in.

The compiler counts references by itself.
"""

from enum import Enum

from pyopt import conversions, own_types, templates
from pyopt.missing import accept

__all__ = ["RefType", "Registry", "impl_ret_borrowed", "impl_ret_new_ref", "impl_ret_untracked"]


class RefType(Enum):
    """What a code generator says of the reference that it returns."""

    NEW = 1
    BORROWED = 2
    UNTRACKED = 3


class Registry:
    """What code is registered in: it is known at once, and not when the registry is installed."""

    lower = staticmethod(own_types.lower_builtin)
    lower_cast = staticmethod(conversions.lower_cast)
    lower_constant = staticmethod(accept)
    lower_getattr = staticmethod(templates.lower_getattr)
    lower_getattr_generic = staticmethod(templates.lower_getattr_generic)
    lower_setattr = staticmethod(templates.lower_setattr)
    lower_setattr_generic = staticmethod(templates.lower_setattr_generic)

    def __init__(self, name="unspecified"):
        """Keep the name."""
        self.name = name


def impl_ret_borrowed(context, builder, type, value):
    """Give the value."""
    return value


impl_ret_new_ref = impl_ret_untracked = impl_ret_borrowed
