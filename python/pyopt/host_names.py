"""Names by which the compiler knows functions, classes and modules of Python's, NumPy's and its own."""

import sys
from types import ModuleType

from pyopt.namespaces import MISSING

# Packages whose functions the compiler knows by name; others' are compiled from their Python code.
_HOSTS = frozenset(
    (
        *("bisect", "builtins", "cmath", "functools", "heapq", "itertools", "math", "numpy", "operator"),
        *("numbers", "pyopt", "random", "time"),
    )
)
# Where objects that don't know their module are looked for.
_HOMES = (
    *("numpy", "builtins", "math", "cmath", "operator"),
    *("functools", "itertools", "heapq", "bisect", "random", "time"),
    *("numpy.linalg", "numpy.random", "pyopt"),
)
_METHODS = ("builtin_function_or_method", "method")
# Modules that functions of NumPy 1 say they are of, and where programs find them.
_FORMER_HOMES = {"numpy.random.mtrand": "numpy.random", "math.integer": "math"}


def qualified_name(value):
    """Return the name by which the compiler may know a host's function, or else its module's and its own."""
    known = host_name(value)
    if known is not None:
        return known
    # Universal functions of programs have names alone.
    module = getattr(value, "__module__", None) or type(value).__module__
    return f"{module}.{getattr(value, '__qualname__', None) or value.__name__}"


def is_host_object(value):
    """Whether the compiler may know a function, class or ufunc by name."""
    return host_name(value) is not None


def host_name(value):
    """Return the name by which the compiler may know a host's function, class or ufunc."""
    names = (getattr(value, "__qualname__", None), getattr(value, "__name__", None))
    for home in (getattr(value, "__module__", None), *_HOMES):
        if not isinstance(home, str) or home.partition(".")[0] not in _HOSTS:
            continue
        home = _FORMER_HOMES.get(home, home)
        # Not `getattr`, which makes NumPy import submodules.
        members = getattr(sys.modules.get(home), "__dict__", {})
        for name in names:
            found = members.get(name, MISSING)
            # Methods of a module's hidden instance, as `numpy.random.rand`, are made anew at each access.
            if found is value or (type(found).__name__ in _METHODS and found == value):
                return f"{home}.{name}"
    return None


def is_host(value):
    """Whether a module or class is one whose attributes the compiler knows by name."""
    home = value.__name__ if isinstance(value, ModuleType) else value.__module__
    return home.partition(".")[0] in _HOSTS - {"pyopt"}
