"""Functions without parameters by the names that the compiler has for them.

What compiled code makes of ``lambda: 0`` is no object. Where one is to be given to Python, as what makes the
values of a ``defaultdict``, it is made of the code that was compiled.
"""

from collections import Counter
from types import CodeType, FunctionType

_VARIABLE = 0x04 | 0x08
# All that were compiled under a name; of several nobody knows which is meant.
_known = {}


def note(symbol, function, shown):
    """Take note of a function that is compiled, and of those in it; ``shown`` is what Python code has."""
    if _takes_nothing(function.__code__):
        _enter(symbol, shown)
    _note_inner(symbol, function.__code__, function.__globals__)


def _note_inner(symbol, code, names):
    # The symbols are those that the front end gives: a number follows where one is taken.
    met = Counter()
    for inner in code.co_consts:
        if not isinstance(inner, CodeType):
            continue
        number = met[inner.co_name]
        met[inner.co_name] += 1
        name = f"{symbol}.<locals>.{inner.co_name}" + (f".{number}" if number else "")
        if _takes_nothing(inner) and not inner.co_freevars:
            _enter(name, FunctionType(inner, names, inner.co_name))
        _note_inner(name, inner, names)


def _takes_nothing(code):
    return not (code.co_argcount or code.co_kwonlyargcount or code.co_flags & _VARIABLE)


def _enter(symbol, function):
    known = _known.setdefault(symbol, [])
    if not any(_are_same(function, other) for other in known):
        known.append(function)


def _are_same(function, other):
    if any(type(one) is not FunctionType or one.__closure__ for one in (function, other)):
        return function is other
    return function.__code__ == other.__code__ and function.__globals__ is other.__globals__


def function_of(type):
    """Give Python's function for the type of one; None where that isn't known."""
    symbol = type.text.partition("@")[2].removesuffix(">").strip('"')
    known = _known.get(symbol, ())
    return known[0] if len(known) == 1 else None
