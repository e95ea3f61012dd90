"""Calls of Python functions from the code of an intrinsic.

The function is compiled for its signature, and called as one of which the signature alone is known, by an
address of this process. So such code is kept on disk with that address, and never found in another process.
"""

from pyopt import types
from pyopt.intrinsics import boundary, function_values


class Whole:
    """The result of a call that can't be made, unless it is all that the intrinsic does."""

    def __init__(self, error):
        """Keep the reason."""
        self.error = error


class Subroutine:
    """A Python function that is compiled for a signature: what Numba's compile result is for a caller."""

    def __init__(self, function, signature):
        """Keep both; it is compiled where it is called."""
        self.function = function
        self.signature = signature

    @property
    def fndesc(self):
        """What ``call_internal`` takes."""
        return self


def call(builder, function, signature, arguments):
    """Write the call of a Python function on values; give its result."""
    kinds = [types.unliteral(one) for one in signature.args]
    result = types.unliteral(signature.return_type)
    if len(arguments) != len(kinds):
        raise TypeError(f"{len(arguments)} values for a function of the signature {signature}")
    kind = types.FunctionType(result(*kinds))
    native = builder.function
    native.is_pure = False
    lines = boundary.Lines(native)
    callee = function_values.known(lines, getattr(function, "py_func", function), kind)
    passed = [boundary.leave(lines, native.use(one), of) for one, of in zip(arguments, kinds, strict=True)]
    taken = ", ".join([kind.text, *(one.text for one in kinds)])
    symbol = f"pyopt_call_function({taken}) -> {result.text}"
    quoted = symbol.replace('"', "'")
    mark = 'attributes {pyopt.native = "pyopt_call_function"}'
    native.declare(
        f'func.func private @"{quoted}"({taken}) -> {result.text} {mark} {function_values.this_process()}'
    )
    made = lines.one(
        boundary.typed(result),
        f'typed.call @"{quoted}"({", ".join([callee, *passed])}) : ({taken}) -> {result.text}',
    )
    given = boundary.enter(lines, made.name, result, is_given=True)
    builder.write(lines.lines)
    return given


def caller(function, count, names=()):
    """Make a function of some parameters, the last of which are passed by name, that calls another one.

    That may be given by its type.
    """
    function = getattr(function, "dispatcher", function)
    function = getattr(function, "py_func", function)
    listed = [f"arg{at}" for at in range(count)]
    plain = count - len(names)
    passed = listed[:plain] + [f"{name}={one}" for name, one in zip(names, listed[plain:], strict=True)]
    scope = {"function": function, "__name__": __name__}
    exec(f"def call({', '.join(listed)}):\n    return function({', '.join(passed)})\n", scope)
    return scope["call"]


def signature_of(function, arguments, keywords):
    """Give the signature of the call of a function with arguments of types."""
    from pyopt import njit

    kinds = (*arguments, *keywords.values())
    compiled = njit(caller(function, len(kinds), keywords))
    compiled.compile(kinds)
    (made,) = compiled.overloads.values()
    return made.signature.return_type(*kinds)
