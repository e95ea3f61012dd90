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
    native = builder.function
    lines = boundary.Lines(native)
    passed = [_passed(lines, native.use(one), of) for one, of in zip(arguments, kinds, strict=True)]
    made = _write(lines, function, result(*kinds), passed)
    before = set(native.typed)
    given = boundary.enter(lines, made.name, result, is_given=True)
    native.homes |= {name: builder.block for name in native.typed if name not in before}
    builder.write(lines.lines)
    return given


def _passed(lines, value, kind):
    """Write what makes an argument the compiler's; a truth value may be a byte, as memory has it."""
    if isinstance(kind, types.Boolean) and value.type == boundary.data_type(kind):
        zero = lines.one(value.type, f"llvm.mlir.constant(0 : i8) : {value.type}")
        text = f'llvm.icmp "ne" {value.name}, {zero.name} : {value.type}'
        value = lines.one(boundary.value_type(kind), text)
    return boundary.leave(lines, value, kind)


def keep(builder, name):
    """Write a use of what a call gave, at the end of the function: until then its memory is there."""
    native = builder.function
    value, kind = native.typed[name]
    if not native.dominates(native.homes[name], builder.block):
        raise NotImplementedError(
            "a call under a condition that gives an array or text, which the intrinsic opens and keeps"
        )
    lines = boundary.Lines(native)
    _write(lines, lambda kept: None, types.none(kind), [value])
    builder.write(lines.lines)


def _write(lines, function, signature, passed):
    """Write a call on the compiler's values, of these names; give its result."""
    native = lines.function
    native.is_pure = False
    kind = types.FunctionType(signature)
    result = signature.return_type.text
    callee = function_values.known(lines, getattr(function, "py_func", function), kind)
    taken = ", ".join([kind.text, *(one.text for one in signature.args)])
    symbol = f"pyopt_call_function({taken}) -> {result}"
    quoted = symbol.replace('"', "'")
    mark = 'attributes {pyopt.native = "pyopt_call_function"}'
    declared = f'func.func private @"{quoted}"({taken}) -> {result} {mark}'
    native.declare(f"{declared} {function_values.this_process()}")
    return lines.one(
        boundary.typed(signature.return_type),
        f'typed.call @"{quoted}"({", ".join([callee, *passed])}) : ({taken}) -> {result}',
    )


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
