"""Attributes of the program's own modules and classes: for the compiler each is a global variable.

``settings.LIMIT`` and ``helpers.norm(x)`` are known when a function is compiled, as globals are: the dotted
name is bound, and a pass makes a global of what the function's code spells out.
"""

import builtins
import sys
from enum import EnumMeta
from importlib import import_module
from opcode import EXTENDED_ARG, opmap
from types import BuiltinMethodType, ModuleType

from pyopt.c_functions import is_library
from pyopt.host import (
    ATTRIBUTE_LOADS,
    CACHE,
    GLOBAL_LOAD_BITS,
    IMPORT_BITS,
    LOAD_SMALL_INT,
    bound_count,
    is_subscript,
)

_LOAD_CONST, _IMPORT_NAME = opmap["LOAD_CONST"], opmap["IMPORT_NAME"]
_LOAD_GLOBAL, _LOAD_DEREF = opmap["LOAD_GLOBAL"], opmap["LOAD_DEREF"]
# There is no value.
MISSING = object()


class Key(str):
    """A constant key of a dict, as the compiler names an item: ``["add"]``, ``[3]``."""

    def __new__(cls, key):
        """Write the key."""
        made = super().__new__(cls, f'["{key}"]' if isinstance(key, str) else f"[{key}]")
        made.key = key
        return made

    @staticmethod
    def is_one(value):
        """Whether a constant is a key that has a name."""
        return type(value) is int or (type(value) is str and value.isprintable() and '"' not in value)


class Asked(str):
    """An attribute that ``getattr`` or ``hasattr`` asks for, by a constant: there may be none."""


def dotted(path):
    """Write a path of attributes and keys."""
    return "".join(part if isinstance(part, Key) else f".{part}" for part in path)[1:]


def variable(function, name, is_global):
    """Give the value of a global, builtin or free variable of a function, or ``MISSING``."""
    if is_global:
        value = function.__globals__.get(name, MISSING)
        return builtins.__dict__.get(name, MISSING) if value is MISSING else value
    free = function.__code__.co_freevars
    try:
        return function.__closure__[free.index(name)].cell_contents if name in free else MISSING
    except ValueError:  # it isn't assigned yet
        return MISSING


def follow(value, attributes, is_host):
    """Follow attributes through namespaces; give how many of them that are, and the value of the last.

    A module or class for which ``is_host`` holds is the compiler's business.
    """
    for count, attribute in enumerate(attributes):
        if isinstance(attribute, Key):
            if type(value) is not dict or attribute.key not in value:
                return count, value
            found = value[attribute.key]
            if type(found) in (list, dict, set) and not found:
                # Its types are known by what else the dict holds.
                return count, value
            value = found
            continue
        is_space = isinstance(value, (ModuleType, type)) and not is_host(value)
        if attribute == "__members__" and isinstance(value, EnumMeta):
            # Compiled code has something for it.
            return count, value
        # A member of an enumeration is one for its value and its name, cffi's libraries for functions.
        if not is_space and not hasattr(type(value), "__members__") and not is_library(value):
            return count, value
        found = getattr(value, attribute, MISSING)
        # A method of what a member is besides, as of a text, is the compiler's.
        if found is MISSING or (not is_space and isinstance(found, BuiltinMethodType)):
            return count, value
        value = found
    return len(attributes), value


def chains(code):
    """Yield for each load of a global or free variable its name with those of the attributes that follow.

    A constant key may be the last, or what ``getattr`` and ``hasattr`` ask for. With the path comes whether
    the variable is global. ``super()`` reads the variable ``__class__`` by itself.
    """
    if "super" in code.co_names and "__class__" in code.co_freevars:
        yield ["__class__"], False
    path = is_global = key = None
    asks = False
    for op, arg in _instructions(code.co_code):
        is_asked, asks = asks and path is not None, False
        if path is not None:
            if key is None and op in ATTRIBUTE_LOADS:
                path.append(code.co_names[arg >> ATTRIBUTE_LOADS[op]])
                asks = is_asked
                continue
            if key is None and (constant := _constant(code, op, arg)) is not None:
                key = Key(constant)
                asks = is_asked
                continue
            if key is not None and is_subscript(op, arg):
                path.append(key)
            elif key is not None and is_asked and isinstance(key.key, str):
                path.append(Asked(key.key))
            key = None
            yield path, is_global
            asks = is_global and path in (["getattr"], ["hasattr"])
            path = None
        if op == _LOAD_GLOBAL:
            path, is_global = [code.co_names[arg >> GLOBAL_LOAD_BITS]], True
        elif op == _LOAD_DEREF and (index := arg - bound_count(code)) >= 0:
            path, is_global = [code.co_freevars[index]], False


def imports(code):
    """Yield ``(name, value, module)`` for what a function imports, and may use of that.

    The module of what is imported is written ``<import>``, and precedes those of attributes, so that they are
    apart from the names of functions that are compiled. Where it goes then isn't followed: any name in the
    code may be that of an attribute.
    """
    if _IMPORT_NAME not in code.co_code:
        return
    for op, arg in _instructions(code.co_code):
        if op == _IMPORT_NAME:
            name = code.co_names[arg >> IMPORT_BITS]
            found = _module(name)
            if found is None:
                continue
            # In one order in every process: keys of what is kept on disk are made of it.
            for path, module in {name.partition(".")[0]: None, name: found}.items():
                module = module or sys.modules[path]
                yield path, module, "<import>"
                yield from _attributes(module, code.co_names)


def _module(name):
    """Give a module that the program has imported, or one of NumPy or the standard library; else None.

    Others may be slow to import, or do something: that is for when the function runs, if it comes to it.
    """
    home = name.partition(".")[0]
    if name not in sys.modules and (home == "numpy" or home in sys.stdlib_module_names):
        try:
            import_module(name)
        except ImportError:  # an error when it is run
            return None
    return sys.modules.get(name)


def _attributes(module, names, depth=3):
    """Yield the attributes of a module that have one of the names, and those of modules among them."""
    for name in names:
        value = getattr(module, name, MISSING)
        if value is not MISSING:
            yield name, value, f"<import>.{module.__name__}"
            if isinstance(value, ModuleType) and depth:
                yield from _attributes(value, names, depth - 1)


def _constant(code, op, arg):
    """Give the key that an instruction loads; None for anything else."""
    value = arg if op == LOAD_SMALL_INT else code.co_consts[arg] if op == _LOAD_CONST else None
    return value if Key.is_one(value) else None


def _instructions(bytecode):
    """Yield operations with their arguments."""
    extension = 0
    for op, arg in zip(bytecode[::2], bytecode[1::2], strict=True):
        if op == CACHE:
            continue
        arg |= extension
        extension = arg << 8 if op == EXTENDED_ARG else 0
        if op != EXTENDED_ARG:
            yield op, arg
