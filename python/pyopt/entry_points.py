"""What programs call stands behind ``entry_point``: tracebacks of its errors hold no frame of the package.

``PYOPT_FULL_TRACEBACKS=1`` shows them, for who works on the package.
"""

from functools import cached_property
from types import FunctionType

from pyopt._core import entry_point

__all__ = ["entry_point", "entry_points"]


def entry_points(*names):
    """Make methods and properties of a class entry points, inherited ones too."""

    def decorate(cls):
        for name in names:
            member = next(vars(one)[name] for one in cls.__mro__ if name in vars(one))
            if isinstance(member, FunctionType):
                setattr(cls, name, entry_point(member))
            elif isinstance(member, staticmethod):
                setattr(cls, name, staticmethod(entry_point(member.__func__)))
            elif isinstance(member, property):
                setattr(cls, name, entry_property(member))
            elif isinstance(member, cached_property):
                cached = cached_property(entry_point(member.func))
                cached.__set_name__(cls, name)
                setattr(cls, name, cached)
        return cls

    return decorate


def entry_property(member):
    """Give a property whose functions are entry points."""
    functions = (one and entry_point(one) for one in (member.fget, member.fset, member.fdel))
    return property(*functions, member.__doc__)
