"""Comparisons of a value with zero, under the names of ``numba.core.cgutils``."""

from pyopt.intrinsics.ir import Constant, IntType


def is_null(builder, value):
    """Say whether a number or pointer is zero."""
    return builder.icmp_unsigned("==", value, Constant(value.type, None))


def is_not_null(builder, value):
    """Say whether a number or pointer isn't zero."""
    return builder.icmp_unsigned("!=", value, Constant(value.type, None))


is_true, is_false = is_not_null, is_null


def _against_zero(builder, kind, value, compare_floats):
    if isinstance(value.type, IntType):
        return builder.icmp_signed(kind, value, value.type(0))
    return compare_floats(kind, value, value.type(0.0))


def is_scalar_zero(builder, value):
    """Say whether a number is zero; NaN isn't."""
    return _against_zero(builder, "==", value, builder.fcmp_ordered)


def is_not_scalar_zero(builder, value):
    """Say whether a number isn't zero; NaN isn't."""
    return _against_zero(builder, "!=", value, builder.fcmp_unordered)


def is_scalar_zero_or_nan(builder, value):
    """Say whether a number is zero, or NaN."""
    return _against_zero(builder, "==", value, builder.fcmp_unordered)


def is_scalar_neg(builder, value):
    """Say whether a number is below zero, as one that has a sign; NaN is."""
    return _against_zero(builder, "<", value, builder.fcmp_unordered)


def is_neg_int(builder, value):
    """Say whether an integer is below zero, as one that has a sign."""
    return builder.icmp_signed("<", value, value.type(0))
