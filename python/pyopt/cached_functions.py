"""Functions with a cache, ``functools.lru_cache`` and ``cache``, in compiled code: the functions without it.

That gives the same values only if a function does nothing else, gets what can be a key, and gives what nobody
can change; and in a like time only if it doesn't call itself, which would find the cache.
"""

import builtins
import sys
from enum import Enum, EnumMeta
from functools import cache
from opcode import opmap
from types import CodeType, FunctionType, ModuleType

import numpy

from pyopt import types
from pyopt.definitions import define, parameters_of
from pyopt.dispatcher import Dispatcher
from pyopt.errors import TypingError
from pyopt.extending import overload
from pyopt.types.enums import EnumMember

_IMPORT_NAME = opmap["IMPORT_NAME"]
#: The class of cached functions.
CLASS = type(cache(lambda: None))

# What gives the same values for the same arguments and does nothing else.
_PURE_MODULES = frozenset(("math", "cmath", "_operator", "operator", "itertools", "numpy", "numpy.linalg"))
_PURE_BUILTINS = frozenset(
    "abs all any bin bool bytes chr complex dict divmod enumerate filter float format frozenset hex int "
    "isinstance iter len list map max min next oct ord pow range repr reversed round set slice sorted str "
    "sum tuple zip".split()
)
_VARIABLE, _VARIABLE_KEYWORDS = 0x04, 0x08
_CONSTANTS = (int, float, complex, str, bytes, type(None), type(...), range, numpy.generic, numpy.ndarray)
_KEYS = (types.Number, types.Boolean, types.UnicodeType, types.Bytes, types.NoneType, EnumMember)


class _Refused(Exception):
    """A reason why compiled code can't call a cached function without the cache."""


def function_of(value):
    """Give the function that compiled code calls for a cached one, or a text that says why there is none."""
    name = value.__wrapped__.__qualname__
    try:
        _check(value, value.__wrapped__, {id(value)})
        return _checking(value)
    except _Refused as reason:
        return f"the cached function '{name}', which {reason},"


def _check(value, function, met):
    """Refuse a function that does something else than to give a value."""
    plain = getattr(function, "py_func", function)
    if type(plain) is not FunctionType:
        raise _Refused("isn't one of Python's")
    for name, found in _mentioned(plain):
        if found is value:
            raise _Refused("calls itself and takes too long without its cache")
        inner = found.__wrapped__ if type(found) is CLASS else found
        if isinstance(inner, (FunctionType, Dispatcher)) and not _is_pure(inner):
            if id(inner) not in met:
                met.add(id(inner))
                _check(value, inner, met)
        elif not _is_pure(inner):
            raise _Refused(f"uses '{name}' and may do more than give a value")


def _mentioned(function):
    """Yield names and values of the global and free variables of a function, and of attributes of modules."""
    codes = [function.__code__]
    for code in codes:  # grows by nested functions
        codes += [one for one in code.co_consts if isinstance(one, CodeType)]
        # What is imported where it is used, by its own name.
        imported = sys.modules if _IMPORT_NAME in code.co_code else {}
        known = {**vars(builtins), **function.__globals__, **imported}
        found = [(name, known[name]) for name in code.co_names if name in known]
        free = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        found += [(name, cell.cell_contents) for name, cell in free if name in code.co_freevars]
        for _, space in found:  # grows by modules in modules
            if isinstance(space, ModuleType):
                found += [(name, getattr(space, name)) for name in code.co_names if hasattr(space, name)]
        yield from found


def _is_pure(found):
    if isinstance(found, tuple):
        return all(map(_is_pure, found))
    if isinstance(found, (*_CONSTANTS, ModuleType, EnumMeta, Enum, numpy.ufunc)):
        return True
    if isinstance(found, type) and issubclass(found, BaseException):
        return True
    home, name = getattr(found, "__module__", None), getattr(found, "__name__", None)
    if getattr(builtins, name or "", None) is found:
        return name in _PURE_BUILTINS
    return callable(found) and home in _PURE_MODULES


@cache
def _checking(value):
    """Write the function that checks what a cached one gets and gives."""
    function = value.__wrapped__
    code = getattr(function, "py_func", function).__code__
    if code.co_flags & (_VARIABLE | _VARIABLE_KEYWORDS):
        raise _Refused("takes any number of arguments")
    shown, passed, scope = parameters_of(getattr(function, "py_func", function))
    keys = "".join(f"{name.partition('=')[0]}, " for name in passed)
    source = (
        f"def {function.__name__}({shown}):\n"
        f"    checked_keys(({keys}))\n"
        f"    return checked_value(function({', '.join(passed)}))\n"
    )
    scope |= {"function": function, "checked_keys": checked_keys, "checked_value": checked_value}
    return define(source, function.__name__, scope)


def checked_keys(keys):
    """Stand for a check of the arguments of a cached function."""
    raise NotImplementedError("compiled code has it")


def checked_value(value):
    """Stand for a check of the value of a cached function."""
    raise NotImplementedError("compiled code has it")


@overload(checked_keys)
def _(keys):
    for one in keys.types:
        if not _is_constant(one):
            raise TypingError(f"a cached function takes what can be a key and can't change, not {one}")
    return lambda keys: None


@overload(checked_value)
def _(value):
    if not _is_constant(value):
        raise TypingError(f"a cached function gives what can't change in compiled code, not {value}")
    return lambda value: value


def _is_constant(type):
    type = types.unliteral(type)
    if isinstance(type, types.Optional):
        return _is_constant(type.type)
    if isinstance(type, types.BaseTuple):
        return all(map(_is_constant, type.types))
    return isinstance(type, _KEYS)
