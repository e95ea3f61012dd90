"""Class methods as functions: the class that they get is what a free variable of them stands for.

So ``cls(…)`` and ``cls.LIMIT`` are what they are where the class is written by its name.
"""

import inspect
from enum import Enum
from functools import cache, lru_cache
from types import FunctionType

from pyopt.definitions import define, static_body
from pyopt.errors import UnsupportedError
from pyopt.respelling import respell


def function_of(value):
    """Give the function of a method of a class, or of a member of an enumeration; None for anything else."""
    if not isinstance(value.__self__, (type, Enum)):
        return None
    function, cls = value.__func__, value.__self__
    is_named_tuple = isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")
    if is_named_tuple and function.__name__ == "_make":
        return _maker(cls)
    try:
        return class_method_body(function, cls) if type(function) is FunctionType else None
    except UnsupportedError:
        # An error where it is used, if it is.
        return None


@cache
def _maker(cls):
    """Write the method of a class of named tuples that makes one of any iterable."""
    fields = "".join(f"{name}, " for name in cls._fields)
    source = f"def _make(iterable):\n    ({fields}) = iterable\n    return cls({fields})\n"
    return define(source, "_make", {"cls": cls})


# Members of enumerations of ints equal each other.
@lru_cache(maxsize=None, typed=True)
def class_method_body(function, cls):
    """Give a method without its first parameter, which is the class or member that it is called of."""

    def change(definition):
        (definition.args.posonlyargs or definition.args.args).pop(0)
        return definition

    first = function.__code__.co_varnames[0]
    return respell(function, change, {first: cls}, "a class method")


_static_body = cache(static_body)


def method_body(cls, name):
    """Give the body of a method of a class by its name, of any kind; None if it has none."""
    member = inspect.getattr_static(cls, name, None)
    if isinstance(member, staticmethod):
        return _static_body(member.__func__)
    if isinstance(member, classmethod):
        return _static_body(class_method_body(member.__func__, cls))
    return member if isinstance(member, FunctionType) else None
