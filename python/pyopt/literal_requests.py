"""Whether the body of an overload asks for values of its arguments, by ``literally``."""

from dis import get_instructions
from types import ModuleType

from pyopt.decorators import literally

# What instructions load names of the function's surroundings and attributes of what was loaded are called.
_NAMES = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF")
_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")
_CONSTANTS = ("LOAD_CONST", "LOAD_SMALL_INT")
# What stands between a function and its first argument.
_BETWEEN = ("PUSH_NULL", "PRECALL", "CACHE", "EXTENDED_ARG")


def asks_for_values(function):
    """Whether a function calls ``literally``, under whatever name, with something other than a constant."""
    loaded = None
    for one in get_instructions(function):
        if one.opname in _BETWEEN:
            continue
        if loaded is literally and one.opname not in _CONSTANTS:
            return True
        if one.opname in _NAMES:
            loaded = _meaning(function, one.argval)
        elif one.opname in _ATTRIBUTES and isinstance(loaded, ModuleType):
            loaded = getattr(loaded, one.argval, None)
        else:
            loaded = None
    return False


def _meaning(function, name):
    """Give what a name stands for in a function that isn't a variable of its own; None without a value."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    if name not in cells:
        return function.__globals__.get(name)
    try:
        return cells[name].cell_contents
    except ValueError:
        return None
