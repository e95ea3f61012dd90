"""Which functions of Numba's tests are about Numba itself, and so no use-cases, by rule.

1. `pipeline_class`: the test brings a compiler of its own, to look at Numba's IR.
2. The function, or one it calls, loads an object of Numba's own that isn't part of the language: an
   intrinsic, a compiler module, a type constructor.
3. It loads a function that the tests gave a meaning through Numba's extension API (`overload`, …),
   which in Python has none or another.
4. An argument is of a class that only the test, through that API, made known to Numba.
5. Numba itself refuses the function for these types: the test is one of Numba's errors.
6. The function draws random numbers, and CPython has another result each time it calls it.
"""

from __future__ import annotations

import enum
from types import FunctionType

import numba.core.extending
import numba.extending

from numba_tests.translation import is_of_numba, reached

# What the tests gave a meaning to through the extension API.
_extended: list[object] = []


def watch_extensions() -> None:
    """Remember what Numba's tests extend Numba with from now on."""
    for name in ("overload", "overload_method", "overload_attribute", "type_callable"):
        original = getattr(numba.extending, name)
        for home in (numba.extending, numba.core.extending):
            if hasattr(home, name):
                setattr(home, name, _watched(original))


def _watched(original):
    def extend(target, /, *rest, **options):
        if (getattr(target, "__module__", None) or "").startswith("numba.tests"):
            _extended.append(target)
        return original(target, *rest, **options)

    return extend


def internal(function: FunctionType, options: dict, arguments: tuple = ()) -> str | None:
    """The rule by which a function is about Numba itself."""
    if options.get("pipeline_class") is not None:
        return "compiled by a compiler class of the test's own"
    for value in arguments:
        kind = type(value)
        plain = isinstance(value, (tuple, enum.Enum, type)) or callable(value)
        if kind.__module__.startswith("numba.tests") and not plain:
            return "an argument of a class that the test made known to Numba"
    return _loads_internal(function, set())


def _loads_internal(function: FunctionType, seen: set[int]) -> str | None:
    seen.add(id(function))
    for value in reached(function):
        if any(value is target for target in _extended):
            return "calls what the test gave a meaning by Numba's extension API"
        if is_of_numba(value):
            return "uses an object of Numba's own"
        inner = getattr(value, "py_func", value)
        if isinstance(inner, FunctionType) and id(inner) not in seen:
            why = _loads_internal(inner, seen)
            if why is not None:
                return why
    return None
