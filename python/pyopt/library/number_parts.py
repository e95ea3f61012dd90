"""Divisors of ints and parts of floats, element by element."""

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.shapes import as_array, flat, number


def as_floats(x):
    """Make floats of ints: what a function of floats computes in."""
    return np.copysign(np.fabs(x), x)


def check_ints(x1, x2):
    """Refuse what has no divisors."""
    kind = np.result_type(x1, x2).kind
    if kind != "i" and kind != "u":
        intrinsics.unsupported("only ints have divisors")


def divisor_of_two(a, b):
    """Find the greatest common divisor of two ints of one type."""
    while b != 0:
        rest = a % b
        a = b
        b = rest
    return abs(a)


@implements("numpy.gcd")
def gcd_elements(x1, x2):
    """Find the greatest common divisors."""
    check_ints(x1, x2)
    if not isinstance(x1, np.ndarray) and not isinstance(x2, np.ndarray):
        kind = np.result_type(x1, x2)
        return kind.type(divisor_of_two(kind.type(x1), kind.type(x2)))
    out = as_array(np.where(True, x1, x2))
    a = flat(out)
    b = flat(np.where(False, x1, x2))
    for i in range(a.size):
        a[i] = divisor_of_two(a[i], b[i])
    return out


@implements("numpy.lcm")
def lcm_elements(x1, x2):
    """Find the least common multiples."""
    divisor = gcd_elements(x1, x2)
    kind = np.result_type(x1, x2)
    if not isinstance(divisor, np.ndarray) or divisor.ndim == 0:
        if divisor == 0:
            return kind.type(0)
        return kind.type(abs(kind.type(number(x1)) // number(divisor)) * abs(kind.type(number(x2))))
    whole = np.where(divisor == 0, kind.type(1), divisor)
    return np.abs(np.where(True, x1, x2) // whole) * np.abs(np.where(False, x1, x2))


@implements("numpy.signbit")
def signbit(x):
    """Say where the sign is negative, of zeros and NaN too."""
    return np.copysign(1.0, x) < 0


@implements("numpy.spacing")
def spacing(x):
    """Give the distance to the next float away from zero."""
    a = as_floats(x)
    if isinstance(a, np.ndarray) and a.ndim:
        steps = np.nextafter(a, np.copysign(np.inf, a)) - a
        return np.where(a == 0, np.abs(steps), steps)
    kind = np.result_type(a)
    value = number(a)
    step = kind.type(np.nextafter(value, kind.type(np.copysign(np.inf, value))) - value)
    return abs(step) if value == 0 else step


@implements("numpy.float_power")
def float_power(x1, x2):
    """Raise to powers in float64 or complex128."""
    return np.power(in_doubles(x1), in_doubles(x2))


def in_doubles(x):
    """Widen to float64 or complex128."""
    if as_array(x).dtype.kind == "m" or as_array(x).dtype.kind == "M":
        intrinsics.unsupported("times have no powers")
    if isinstance(x, np.ndarray):
        return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
    return x * 1.0


@implements("numpy.logaddexp2")
def logaddexp2(x1, x2):
    """Compute the logarithm to base 2 of the sum of two powers of 2."""
    a = as_floats(x1)
    b = as_floats(x2)
    # Equal infinities have no difference.
    distance = np.where(a == b, 0.0, np.abs(a - b))
    return np.maximum(a, b) + np.log1p(np.exp2(-distance)) * 1.4426950408889634
