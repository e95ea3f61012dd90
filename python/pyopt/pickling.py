"""Pickles compiled functions: by name where that finds them, else by their code and what they refer to."""

import builtins
import importlib
import marshal
import sys
from types import CellType, CodeType, FunctionType, ModuleType


def is_found(value):
    """Whether a function's module has it under its name."""
    found = sys.modules.get(value.__module__)
    for part in value.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is value


def parts_of(function):
    """Give what a Python function is made of, as something that can be pickled."""
    if is_found(function):
        return function
    cells = [_value(cell.cell_contents) for cell in function.__closure__ or ()]
    names = {name: _value(function.__globals__[name]) for name in _names(function.__code__, function)}
    return (
        marshal.dumps(function.__code__),
        (function.__module__, function.__name__, function.__qualname__, function.__doc__),
        (function.__defaults__, function.__kwdefaults__),
        names,
        cells,
    )


def function_of(parts):
    """Make a Python function of its parts."""
    if not isinstance(parts, tuple):
        return parts
    code, (module, name, qualname, doc), (defaults, keywords), names, cells = parts
    scope = {"__name__": module, "__builtins__": builtins, **{key: _found(one) for key, one in names.items()}}
    closure = tuple(CellType(_found(one)) for one in cells)
    made = FunctionType(marshal.loads(code), scope, name, defaults, closure)
    made.__qualname__, made.__doc__, made.__kwdefaults__ = qualname, doc, keywords
    return made


def _names(code, function):
    """Give the globals that code uses, that of the functions in it too."""
    found = {name for name in code.co_names if name in function.__globals__}
    for const in code.co_consts:
        if isinstance(const, CodeType):
            found |= _names(const, function)
    return sorted(found)


class _Module:
    """Stands for a module, which can't be pickled."""

    def __init__(self, name):
        self.name = name


class _Function:
    """Stands for a Python function that isn't found by its name."""

    def __init__(self, parts):
        self.parts = parts


def _value(value):
    if isinstance(value, ModuleType):
        return _Module(value.__name__)
    if isinstance(value, FunctionType) and not is_found(value):
        return _Function(parts_of(value))
    return value


def _found(value):
    if isinstance(value, _Module):
        return importlib.import_module(value.name)
    return function_of(value.parts) if isinstance(value, _Function) else value
