"""Signatures with types of functions: ``float64(FunctionType(float64(float64)), float64)``.

Compiled code calls the functions that it gets directly, so such a signature is compiled when it is called,
once for the functions of the call. The signatures that it has for them are kept to: arguments and results are
converted.
"""

from types import FunctionType as PythonFunction

from pyopt import types


def is_open(arguments):
    """Say whether there is a type of functions among argument types."""
    return any(
        isinstance(one, types.FunctionType) or (isinstance(one, types.BaseTuple) and is_open(one))
        for one in arguments
    )


def close(arguments, given):
    """Put the functions that were given in the place of their types.

    Returns the types to compile for and the functions to compile by the symbols of these types, or None if
    something else was given.
    """
    if len(arguments) != len(given):
        return None
    closed, wrappers = [], {}
    for one, actual in zip(arguments, given, strict=True):
        if isinstance(one, types.FunctionType):
            if isinstance(actual, types.ExternalFunctionPointer):
                if len(actual.sig.args) != len(one.signature.args):
                    return None
                closed.append(actual)  # a C function converts by itself
                continue
            symbol = _symbol(actual)
            if symbol is None or _parameters(symbol) != len(one.signature.args):
                return None
            closed.append(actual)
            if wrappers.setdefault(symbol, one.signature) != one.signature:
                return None  # one function with two signatures
        elif isinstance(one, types.BaseTuple) and is_open(one):
            inner = close(one.types, actual.types) if isinstance(actual, types.BaseTuple) else None
            if inner is None:
                return None
            closed.append(types.Tuple(inner[0]))
            if any(wrappers.setdefault(*item) != item[1] for item in inner[1].items()):
                return None
        else:
            closed.append(one)
    return tuple(closed), wrappers


def wrapped(function, signature):
    """Make a Python function that converts arguments and the result of a call as a signature says."""
    names = [f"a{index}" for index in range(len(signature.args))]
    scope = {"function": function, "__name__": function.__module__}
    passed = []
    for name, one in zip(names, signature.args, strict=True):
        passed.append(_converted(scope, name, one))
    result = _converted(scope, f"function({', '.join(passed)})", signature.return_type)
    exec(f"def wrapper({', '.join(names)}):\n    return {result}\n", scope)
    made = scope["wrapper"]
    assert isinstance(made, PythonFunction)
    made.__qualname__ = function.__qualname__
    return made


def _converted(scope, value, to):
    if not isinstance(to, types.Number):
        return value
    scope[to.name] = to
    return f"{to.name}({value})"


def _symbol(type):
    symbol = type.text.removeprefix('!typed.function<@"')
    return None if symbol == type.text else symbol.partition('"')[0]


def _parameters(symbol):
    from pyopt.bindings import argument

    function = argument(symbol)
    return getattr(function, "py_func", function).__code__.co_argcount
