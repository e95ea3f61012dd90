"""Intrinsics: functions whose code is written in LLVM's terms, for given types of arguments.

An intrinsic's typing function gives a signature and a code generator, as Numba's does::

    @intrinsic
    def popcount(typingctx, x):
        if isinstance(x, types.Integer):
            def codegen(context, builder, signature, args):
                return builder.ctpop(args[0])
            return x(x), codegen

The code generator runs once for each combination of types. What it writes becomes a function of the module,
which the compiler parses, verifies and inlines.
"""

from pyopt import types
from pyopt.errors import TypingError
from pyopt.types import Signature

_CAST = "builtin.unrealized_conversion_cast"


class InMlir:
    """The code of a function as lines in MLIR's syntax, in the dialect ``typed`` too; the last one returns.

    The arguments are ``%arg0`` and so on, of the types that the signature says: those that a dialect has
    (``models.DialectModel``) are of the dialect's type.
    """

    def __init__(self, lines):
        """Keep the lines."""
        self.lines = lines

    def __call__(self, context, builder, signature, arguments):
        """Refuse: nothing but the compiler reads it."""
        raise NotImplementedError("calling code in MLIR's syntax from a code generator")


def native(implementation, name, arguments):
    """Write the function of an intrinsic for arguments: place in the call, type as chosen, and plain type.

    A type that is chosen may say the argument's value.
    Return its symbol, its text, places and types of its arguments, and the type of its result.
    """
    from pyopt.intrinsics.typing_context import TypingContext

    described = implementation(TypingContext(), *(types.from_text(chosen) for _, chosen, _ in arguments))
    if described is None:
        raise TypingError("no code for these types")
    signature, generate = _checked(described, len(arguments))
    kinds = [types.unliteral(one) for one in signature.args]
    result_type = types.unliteral(signature.return_type)
    if isinstance(generate, InMlir):
        texts = [kind.text for kind in kinds]
        lines, names = _with_casts(generate.lines, kinds, result_type)
        return _described(name, arguments, zip(names, texts, strict=True), result_type, "\n".join(lines), ())
    return _generated(name, arguments, signature, generate, kinds, result_type)


def _generated(name, arguments, signature, generate, kinds, result_type):
    """Run a code generator: what ``native`` returns."""
    from pyopt.intrinsics import boundary, calls
    from pyopt.intrinsics.builder import IRBuilder
    from pyopt.intrinsics.context import Context
    from pyopt.intrinsics.function import NativeFunction, Parameter

    given = [plain for *_, plain in arguments]
    texts = [kind.text if boundary.has_value(kind) else text for kind, text in zip(kinds, given, strict=True)]
    function = NativeFunction(f"{name}({', '.join(chosen for _, chosen, _ in arguments)})")
    start = boundary.Lines(function)
    values = [
        boundary.enter(start, f"%arg{at}", kind, text)
        for at, (kind, text) in enumerate(zip(kinds, texts, strict=True))
    ]
    function.args += [Parameter() for _ in values]
    builder = IRBuilder(function.entry_basic_block)
    context = Context()
    context._arguments = values
    try:
        result = generate(context, builder, signature, values)
    except Exception:
        # What the code generator does with a call that can't be made is no other reason.
        context.check_whole(builder, None)
        raise
    context.check_whole(builder, result)
    end = boundary.Lines(function)
    passed = next((at for at, value in enumerate(values) if value is result), None)
    if passed is not None and kinds[passed] == result_type and boundary.has_value(result_type):
        # It is passed on as it came: an array with its owner.
        returned = f"%arg{passed}"
    else:
        result = None if result is None else function.use(result)
        function.left.clear()
        returned = boundary.leave(end, result, result_type)
    block = builder.block
    block.operations += end.lines
    for one in sorted(function.opened - function.left):
        if boundary.has_array(function.typed[one][1]):
            calls.keep(builder, one)
    block.terminator = f"return {returned} : {result_type.text}", [], []
    attributes = [] if function.is_pure else ["no_inline"]
    if function.rooms and boundary.may_hold_address(result_type):
        # The caller may get the address of a place on the stack.
        function.lend_rooms()
        attributes.append('passthrough = ["alwaysinline"]')
    body = function.body(start.lines)
    parameters = [(f"%arg{at}", text) for at, text in enumerate(texts)]
    return _described(name, arguments, parameters, result_type, body, attributes, function.declarations)


def _with_casts(lines, kinds, result_type):
    """Cast between a dialect's types, which lines are about, and fields, which the function gets and gives.

    Return the lines and the names of the function's parameters.
    """
    from pyopt.own_types import own_type

    *mlir, result = [own and own.mlir for own in map(own_type, [*kinds, result_type])]
    names = [f"%arg{at}" if text is None else f"%fields{at}" for at, text in enumerate(mlir)]
    lines = [
        *(
            f"%arg{at} = {_CAST} %fields{at} : {kind.text} to {text}"
            for at, (kind, text) in enumerate(zip(kinds, mlir, strict=True))
            if text is not None
        ),
        *lines,
    ]
    if result is not None:
        value = lines[-1].removeprefix("return").partition(":")[0].strip()
        lines[-1] = f"%given = {_CAST} {value} : {result} to {result_type.text}"
        lines.append(f"return %given : {result_type.text}")
    return lines, names


def _described(name, arguments, parameters, result_type, body, attributes, declarations=()):
    """Give what ``native`` returns of a function's body."""
    places = [at for at, *_ in arguments]
    # Calls that pass the same types in another order have a function of their own.
    order = "" if places == sorted(places) else f" of {places}"
    symbol = f"{name}({', '.join(chosen for _, chosen, _ in arguments)}){order}"
    parameters = list(parameters)
    listed = ", ".join(f"{name}: {text}" for name, text in parameters)
    attributes = f" attributes {{{', '.join(attributes)}}}" if attributes else ""
    quoted = symbol.replace("\\", "\\\\").replace('"', '\\"')
    head = f'func.func private @"{quoted}"({listed}) -> {result_type.text}{attributes}'
    text = "\n".join([f"{head} {{\n{body}\n}}", *declarations, ""])
    texts = [text for _, text in parameters]
    return symbol, text, list(zip(places, texts, strict=True)), result_type.text


def _checked(described, count):
    if not isinstance(described, tuple) or len(described) != 2:
        raise TypeError("an intrinsic returns a signature and a code generator, or None")
    signature, generate = described
    if not isinstance(signature, Signature) or signature.return_type is None or not callable(generate):
        raise TypeError("an intrinsic returns a signature with a result type and a code generator, or None")
    if len(signature.args) != count:
        raise TypeError(f"the signature {signature} is not of {count} arguments")
    return signature, generate
