"""Conversions of extensions' own types: ``lower_cast``.

A value is converted where its type isn't the one that is needed, as for a declared result. Where operands of
an arithmetic operator are of such a type, and the type says that its values convert to
numbers (``can_convert_to``), the operator is that on the numbers.
"""

import operator

import numpy as np

from pyopt import types
from pyopt.errors import TypingError
from pyopt.types import from_text

_OPERATORS = (
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod),
    *(operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv, operator.imod),
    *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.pow),
)
_conversions = []


def can_convert(source, target):
    """Say how good the conversion of values of one type to another one is; None if there is none."""
    source, target = types.unliteral(source), types.unliteral(target)
    if source == target:
        return types.Conversion.exact
    kinds = (types.Number, types.Boolean)
    if not (isinstance(source, kinds) and isinstance(target, kinds)):
        convert = getattr(source, "can_convert_to", None)
        return convert(None, target) if convert is not None else None
    from pyopt.numba.numpy_support import as_dtype

    one, other = as_dtype(source), as_dtype(target)
    if one.kind == "c" and other.kind != "c":
        return None
    if not np.can_cast(one, other, "safe"):
        return types.Conversion.unsafe
    return types.Conversion.promote if one.kind == other.kind else types.Conversion.safe


def lower_cast(source, target):
    """Be the decorator of the code that converts values of a class of types, or of a type, to another one."""

    from pyopt.extending import register_native

    def enter(implementation):
        if not _conversions:
            _register_operators()
        _conversions.append((source, target, implementation))
        register_native("cast:*", _to_text, source)
        return implementation

    return enter


def _register_operators():
    from pyopt.extending import overload

    for function in _OPERATORS:
        overload(function)(_operation(function))


def _operation(function):
    def convert_operands(x, y):
        first, second = (_conversion(*pair) for pair in ((x, y), (y, x)))
        if first is None and second is None:
            return None
        if first is None:
            return lambda x, y: function(x, second(y))
        if second is None:
            return lambda x, y: function(first(x), y)
        return lambda x, y: function(first(x), second(y))

    return convert_operands


def _number(type, other):
    """Say which number the value of a type becomes beside another operand; None where it stays."""
    convert = getattr(type, "can_convert_to", None)
    if isinstance(type, types.Number) or convert is None:
        return None
    kind = other if isinstance(other, types.Number) else types.int64
    return kind if convert(None, kind) is not None else None


def _conversion(source, other):
    """Make the function that converts an operand beside another one; None if there is no code for it."""
    from pyopt.extending import intrinsic

    target = _number(source, other)
    if target is None:
        return None
    implementation = implementation_of(source, target)
    return implementation and intrinsic(_typed(implementation, source, target))


def implementation_of(source, target):
    """Find the code that converts values of one type to another one; None if there is none."""
    fits = (
        implementation
        for one, other, implementation in _conversions
        if _is_of(source, one) and _is_of(target, other)
    )
    return next(fits, None)


def _typed(implementation, source, target):
    """Give the typing function of a conversion."""

    def convert(context, value):
        def generate(context, builder, signature, arguments):
            return implementation(context, builder, source, target, arguments[0])

        return target(source), generate

    convert.__module__ = implementation.__module__
    convert.__qualname__ = f"{implementation.__qualname__}({source} to {target})"
    return convert


def _to_text(text):
    """Give the typing function of conversions to the type of a text in the compiler's form."""
    target = from_text(text)

    def convert(context, source):
        implementation = implementation_of(source, target)
        if implementation is None:
            raise TypingError(f"no lower_cast converts {source} to {target}")
        return _typed(implementation, source, target)(context, source)

    return convert


def _is_of(value, kind):
    return isinstance(value, kind) if isinstance(kind, type) else value == kind
