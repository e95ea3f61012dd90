"""Signatures with types of functions: ``float64(FunctionType(float64(float64)), float64)``.

Compiled code has such an argument as an address by which the host finds a function's code for the signature,
so that one compilation does for all functions. Arguments and results are converted to the signature.
"""

from types import FunctionType as PythonFunction

from pyopt import _core, types


def is_open(arguments):
    """Say whether there is a type of functions among argument types."""
    return any(
        (isinstance(one, types.FunctionType) and not hasattr(one, "cconv"))
        or (isinstance(one, types.BaseTuple) and is_open(one))
        for one in arguments
    )


def code_of(function, text):
    """Give a function's code for the signature of a type, which is in the compiler's form."""
    from pyopt.decorators import jit

    signature = types.from_text(text).signature
    # Functions that the compiler knows by name have no code: their arguments are checked in the wrapper.
    taken = getattr(getattr(function, "py_func", function), "__code__", None)
    if taken is not None and taken.co_argcount != len(signature.args) and not taken.co_flags & 0x04:
        raise TypeError(
            f"{function.__qualname__}() takes {taken.co_argcount} arguments and can't be passed as a "
            f"function of the signature {signature}"
        )
    options = getattr(function, "targetoptions", {})
    if _takes(function, signature):
        # Also of a function that only raises, what it is compiled for has the declared result.
        made = jit(**options | {"cache": False})(getattr(function, "py_func", function))
    else:
        made = jit(nogil=options.get("nogil", False))(wrapped(function, signature))
    made.compile(signature)
    return made.overloads[signature.args].code


def as_value(function):
    """Give a function for compiled code, which takes it as one of the signature that it has asked for."""
    return (function,)


def _takes(function, signature):
    """Whether a function can be compiled for a signature itself: it declares none, and takes as many."""
    python = getattr(function, "py_func", function)
    is_plain = type(python) is PythonFunction and not getattr(function, "prototypes", ())
    return is_plain and python.__code__.co_argcount == len(signature.args)


def code_of_address(own, address, text):
    """Give a C function, by its type and address, and code for the signature of another type."""
    from pyopt.c_functions import object_at
    from pyopt.c_types import function_type
    from pyopt.decorators import njit

    own, signature = types.from_text(own), types.from_text(text).signature
    if len(own.sig.args) != len(signature.args):
        raise TypeError(f"{own} can't be passed as a function of the signature {signature}")
    # It keeps the code, and is to be found before another object that calls the address is known by it.
    function = object_at(address)
    # What has the address may be a Python function for compiled code, which C code isn't.
    made = njit(wrapped(function_type(own.sig)(address), signature, "c_function"))
    made.compile(signature)
    return function, made.overloads[signature.args].code


def c_type(text):
    """Give the type of C functions of the signature of a type, both in the compiler's form."""
    return types.ExternalFunctionPointer(types.from_text(text).signature).text


def wrapper_address(function, signature):
    """Give the address by which an intrinsic makes a value of ``FunctionType(signature)`` of a function.

    Of a C function it is the C code's, which C may call too.
    """
    if hasattr(function, "__wrapper_address__"):
        return function.__wrapper_address__()
    return _core.function_value(function, types.FunctionType(signature).text)


def wrapped(function, signature, name=None):
    """Make a Python function that converts arguments and the result of a call as a signature says."""
    names = [f"a{index}" for index in range(len(signature.args))]
    scope = {"function": function, "__name__": getattr(function, "__module__", __name__)}
    passed = []
    for parameter, one in zip(names, signature.args, strict=True):
        passed.append(_converted(scope, parameter, one))
    result = _converted(scope, f"function({', '.join(passed)})", signature.return_type)
    exec(f"def wrapper({', '.join(names)}):\n    return {result}\n", scope)
    made = scope["wrapper"]
    assert isinstance(made, PythonFunction)
    made.__qualname__ = name or function.__qualname__
    return made


def _converted(scope, value, to):
    if not isinstance(to, types.Number):
        return value
    scope[to.name] = to
    return f"{to.name}({value})"
