"""Class methods as functions: the class that they get is what a free variable of them stands for.

So ``cls(…)`` and ``cls.LIMIT`` are what they are where the class is written by its name.
"""

from functools import cache
from types import FunctionType, MethodType

from pyopt.definitions import define
from pyopt.respelling import respell


def function_of(value):
    """Give the function of a method that is bound to a class; None for anything else."""
    if type(value) is not MethodType or not isinstance(value.__self__, type):
        return None
    function, cls = value.__func__, value.__self__
    if issubclass(cls, tuple) and hasattr(cls, "_fields") and function.__name__ == "_make":
        return _maker(cls)
    return class_method_body(function, cls) if type(function) is FunctionType else None


@cache
def _maker(cls):
    """Write the method of a class of named tuples that makes one of any iterable."""
    fields = "".join(f"{name}, " for name in cls._fields)
    source = f"def _make(iterable):\n    ({fields}) = iterable\n    return cls({fields})\n"
    return define(source, "_make", {"cls": cls})


@cache
def class_method_body(function, cls):
    """Give a class method without its first parameter, for the class that it is called of."""

    def change(definition):
        (definition.args.posonlyargs or definition.args.args).pop(0)
        return definition

    first = function.__code__.co_varnames[0]
    return respell(function, change, {first: cls}, "a class method")
