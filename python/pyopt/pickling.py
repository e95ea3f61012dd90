"""Pickles compiled functions: by name where that finds them, else by their code and what they refer to.

What a function refers to is put into the pickle behind the function itself, so that functions may refer to
each other in circles, and each is one function again in the end. A process that has the function already, for
which a pickle was made, gives that one.
"""

import builtins
import importlib
import marshal
import sys
from types import CellType, CodeType, FunctionType, ModuleType
from uuid import uuid4
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

from pyopt import _core

# Dispatchers by what identifies them in all processes; those that have been pickled, or come from a pickle.
_DISPATCHERS = WeakValueDictionary()
_STAND_INS = WeakKeyDictionary()


def is_found(value):
    """Whether a function's module has it under its name, in other processes too."""
    if value.__module__ == "__main__":
        return False
    found = sys.modules.get(value.__module__)
    for part in value.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is value


def is_serializable(value):
    """Whether a value can be pickled, under Numba's name."""
    import pickle

    try:
        pickle.dumps(value)
    except Exception:
        return False
    return True


def reduce_object_mode(function):
    """Give what ``__reduce__`` of a function of object mode would."""
    if is_found(function):
        return function.__qualname__
    made = (*_skeleton_of(function), hasattr(function, "lifted"))
    return _object_mode, made, _state_of(function), None, None, _fill


def _object_mode(code, names, lifts_loops):
    from pyopt.decorators import make_loop_lifting, make_object_mode

    return (make_loop_lifting if lifts_loops else make_object_mode)(_skeleton(code, names))


def reduce_dispatcher(dispatcher):
    """Give what ``__reduce__`` of a dispatcher does."""
    if is_found(dispatcher):
        return dispatcher.__qualname__
    identity = dispatcher.__dict__.setdefault("_identity", uuid4().hex)
    _DISPATCHERS[identity] = dispatcher
    function = dispatcher.py_func
    signatures = list(dispatcher._declared.items())
    made_with = (identity, *_skeleton_of(function), dispatcher.targetoptions, signatures)
    return (
        _dispatcher,
        (*made_with, dispatcher._can_compile),
        _state_of(function),
        None,
        None,
        _fill_dispatcher,
    )


def _dispatcher(identity, code, names, options, signatures, compiles):
    """Give the dispatcher of a pickle; what the function refers to comes later."""
    from pyopt.decorators import dispatcher_of

    known = _DISPATCHERS.get(identity)
    if known is None:
        known = dispatcher_of(_skeleton(code, names), options)
        known._identity = identity
        # The signatures are compiled when they are called: the function isn't complete yet.
        known.postpone(signatures, compiles)
        _DISPATCHERS[identity] = known
        known._is_complete = False
    return known


def _fill_dispatcher(dispatcher, state):
    if dispatcher.__dict__.pop("_is_complete", True):
        return
    _fill(dispatcher.py_func, state)
    _core.reset_parameters(dispatcher)


def parts_of(function):
    """Give a Python function as something that can be pickled, and is the function again in the end."""
    if is_found(function):
        return function
    stand_in = _STAND_INS.get(function)
    if stand_in is None:
        stand_in = _STAND_INS[function] = _Function(function)
    return stand_in


class _Function:
    """Stands for a Python function that isn't found by its name."""

    def __init__(self, function):
        self._function = ref(function)

    def __reduce__(self):
        function = self._function()
        return _skeleton, _skeleton_of(function), _state_of(function), None, None, _fill


class _Module:
    """Stands for a module, which can't be pickled."""

    def __init__(self, name):
        self.name = name

    def __reduce__(self):
        return importlib.import_module, (self.name,)


def _skeleton_of(function):
    """Give what a function is made of, but for what it refers to."""
    names = (function.__module__, function.__name__, function.__qualname__, function.__doc__)
    return marshal.dumps(function.__code__), names


def _skeleton(code, names):
    """Make a function that refers to nothing yet."""
    module, name, qualname, doc = names
    code = marshal.loads(code)
    scope = {"__name__": module, "__builtins__": builtins}
    made = FunctionType(code, scope, name, None, tuple(CellType() for _ in code.co_freevars))
    made.__qualname__, made.__doc__ = qualname, doc
    return made


def _state_of(function):
    """Give what a function refers to; a variable without a value is left out."""
    cells = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            cells[name] = _value(cell.cell_contents)
        except ValueError:
            pass
    scope = function.__globals__
    names = {name: _value(scope[name]) for name in _names(function.__code__, scope)}
    defaults, keywords = function.__defaults__, function.__kwdefaults__
    return {
        "cells": cells,
        "globals": names,
        "defaults": None if defaults is None else tuple(map(_value, defaults)),
        "keywords": None if keywords is None else {name: _value(one) for name, one in keywords.items()},
    }


def _fill(function, state):
    """Give a function what it refers to."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if name in state["cells"]:
            cell.cell_contents = state["cells"][name]
    function.__globals__.update(state["globals"])
    function.__defaults__, function.__kwdefaults__ = state["defaults"], state["keywords"]


def _names(code, scope):
    """Give the globals that code uses, that of the functions in it too."""
    found = {name for name in code.co_names if name in scope}
    for const in code.co_consts:
        if isinstance(const, CodeType):
            found.update(_names(const, scope))
    return sorted(found)


def _value(value):
    if isinstance(value, ModuleType):
        return _Module(value.__name__)
    return parts_of(value) if type(value) is FunctionType else value
