"""Objects of ``functools.partial`` as functions that compiled code can call; those of ``operator`` too."""

from functools import partial
from weakref import WeakKeyDictionary

from pyopt import getters
from pyopt.once import once

# The function of each object.
_functions = WeakKeyDictionary()


def function_of(value):
    """Give the function of a partial object, or of one of ``operator``; None for anything else."""
    if type(value) in getters.CLASSES:
        return getters.function_of(value)
    if type(value) is not partial:
        return None
    found = _functions.get(value)
    if found is None:
        found = _functions[value] = _written(value.func, value.args, value.keywords)
    return found


@once
def enter():
    """Let compiled code make them: as functions, where a program names the class."""
    from pyopt.extending import overload

    @overload(partial, strict=False)
    def _(function, *args, **keywords):
        def apply(function, *args, **keywords):
            def call(*more):
                return function(*args, *more, **keywords)

            return call

        return apply


def _written(function, args, keywords):
    """Write a function whose globals are what a partial object has: the compiler gets it by their values."""
    scope = {"__name__": __name__, "function": function}
    given = []
    for at, value in enumerate(args):
        scope[f"given_{at}"] = value
        given.append(f"given_{at}")
    for name, value in keywords.items():
        scope[f"keyword_{name}"] = value
        given.append(f"{name}=keyword_{name}")
    listed = ", ".join([*given[: len(args)], "*more", *given[len(args) :], "**others"])
    exec(f"def partial(*more, **others):\n    return function({listed})", scope)
    return scope["partial"]
