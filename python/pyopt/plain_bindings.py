"""What values stand for that say it by themselves: numbers, texts, arrays, dtypes. See `pyopt.bindings`."""

from types import ModuleType

import numpy

from pyopt import _core

# The attribute of what stands for something that pyopt doesn't have: its name.
MISSING_NAME = "__pyopt_missing__"
# The modules of the classes of Python's own callables, which errors call by their classes alone.
_OF_PYTHON = ("builtins", "functools")


def unknown(value):
    """Say what a value is that the compiler knows nothing of."""
    missing = getattr(value, MISSING_NAME, None)
    if missing is not None:
        return missing
    if isinstance(value, type):
        return f"the class '{value.__qualname__}'"
    if callable(value) and type(value).__module__ not in _OF_PYTHON:
        return f"a callable object of type {type(value).__qualname__}"
    return f"an object of type {type(value).__qualname__}"


def _int(value):
    return ("int", value) if -(1 << 63) <= value < 1 << 64 else ("opaque", "an int beyond 64 bits")


SIMPLE = {
    type(None): lambda value: ("none",),
    bool: lambda value: ("bool", value),
    int: _int,
    float: lambda value: ("float", value),
    complex: lambda value: ("complex", value.real, value.imag),
    str: lambda value: ("str", value),
    bytes: lambda value: ("bytes", value),
    type(...): lambda value: ("ellipsis",),
    ModuleType: lambda value: ("module", value.__name__),
}


def masked(kind):
    """Refuse NumPy's masked arrays, whose mask would be lost without a word."""
    if kind is numpy.ndarray or not any(one.__name__ == "MaskedArray" for one in kind.__mro__):
        return None
    return ("opaque", f"a global {kind.__name__}: compiled code doesn't see its mask")


# How what derives from Python's numbers and texts is one of these, whatever its class makes of that.
PLAIN = {
    int: int.__int__,
    float: float.__float__,
    complex: lambda value: complex(value.real, value.imag),
    str: str.__str__,
}


def frozen(array):
    """Describe a NumPy array, or a record, by a copy of its elements."""
    if array.dtype.names is not None and array.itemsize == 0:
        return ("opaque", "a global array of records without fields")
    copy = numpy.array(array, order="K")
    copy.flags.writeable = False
    try:
        kind = _core.typeof_text(copy)
        if copy.flags.f_contiguous and _core.typeof_text(copy.T) != kind:
            return ("declared", frozen(copy.T), kind)
        copy = numpy.array(copy, order="C")
        copy.flags.writeable = False
        return ("frozen", _core.typeof_text(copy), list(copy.shape), copy.tobytes())
    except TypeError as error:
        return ("opaque", f"an object of type {type(array).__name__}: {error}")


def dtype(dtype):
    """Describe a NumPy dtype."""
    try:
        return ("type", _core.typeof_text(dtype).removeprefix("!typed.dtype<").removesuffix(">"))
    except TypeError as error:
        return ("opaque", f"an object of type dtype: {error}")
