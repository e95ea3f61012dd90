"""Functions with a cache, ``functools.lru_cache`` and ``cache``, in compiled code.

Compiled code doesn't know what Python's cache holds: each thread keeps results of its own there. So the
values are the same only if a function does nothing else than to give one, gets what can be a key, and gives
what nobody can change. Functions with a cache that are made in compiled code have none of these limits: the
pass ``py-keep-results`` is about them.
"""

import builtins
import sys
from enum import Enum, EnumMeta
from functools import cache
from opcode import opmap
from types import CodeType, FunctionType, ModuleType

import numpy

from pyopt import types
from pyopt.bindings import CACHED
from pyopt.decorators import of_package
from pyopt.definitions import define, parameters_of
from pyopt.dispatcher import Dispatcher
from pyopt.errors import TypingError
from pyopt.extending import overload
from pyopt.types.enums import EnumMember

_IMPORT_NAME = opmap["IMPORT_NAME"]

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
        inner = found.__wrapped__ if type(found) is CACHED else found
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
    names = [name.partition("=")[0] for name in passed]
    # No parameter is called as all of them.
    own = "_".join(["own", *names])
    lines = [
        f"def {function.__name__}({shown}):",
        f"    checked_keys(({''.join(f'{name}, ' for name in names)}))",
        f"    {own}_value = checked_value({own}_function({', '.join(passed)}))",
        f"    return {own}_value",
    ]
    size = value.cache_parameters()["maxsize"]
    if names and size != 0:
        key = names[0] if len(names) == 1 else f"({', '.join(names)})"
        # The function may have changed the dict, which compiled code sees only if it asks for it again.
        again = f"kept_results({own})"
        found, keep = f"{own}[{key}]", f"{again}[{key}] = {own}_value"
        if size is not None:
            found, keep = f"recent_result({own}, {key})", f"keep_recent({again}, {key}, {own}_value, {size})"
        lines.insert(-1, f"    {keep}")
        lines[2:2] = [f"    {own} = kept_results({{}})", f"    if {key} in {own}:", f"        return {found}"]
    scope |= {f"{own}_function": function, **{one.__name__: one for one in _STAND_INS}}
    return define("\n".join(lines), function.__name__, scope)


def kept_results(fresh):
    """Stand for what gives the dict of results of the function that calls it: the argument, at first."""
    raise NotImplementedError("compiled code has it")


def recent_result(results, key):
    """Stand for what gives a result that becomes the one that was asked for last."""
    raise NotImplementedError("compiled code has it")


def keep_recent(results, key, value, most):
    """Stand for what keeps a result, and at most so many: those that were asked for last."""
    raise NotImplementedError("compiled code has it")


def checked_keys(keys):
    """Stand for a check of the arguments of a cached function."""
    raise NotImplementedError("compiled code has it")


def checked_value(value):
    """Stand for a check of the value of a cached function."""
    raise NotImplementedError("compiled code has it")


_STAND_INS = (checked_keys, checked_value, kept_results, recent_result, keep_recent)
of_package(kept_results, recent_result, keep_recent)


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
