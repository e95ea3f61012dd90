"""Methods of Python's ints and floats."""

import math

import numpy as np

from pyopt.library import implements


@implements("int.bit_length")
def int_bit_length(number):
    """Count the bits of the magnitude of an int."""
    rest = np.uint64(number) if number >= 0 else np.uint64(0) - np.uint64(number)
    count = 0
    while rest != np.uint64(0):
        rest >>= np.uint64(1)
        count += 1
    return count


@implements("int.bit_count")
def int_bit_count(number):
    """Count the ones in the magnitude of an int."""
    rest = np.uint64(number) if number >= 0 else np.uint64(0) - np.uint64(number)
    count = 0
    while rest != np.uint64(0):
        rest &= rest - np.uint64(1)
        count += 1
    return count


@implements("int.as_integer_ratio")
def int_as_integer_ratio(number):
    """Give the int itself, and 1."""
    return number, 1


@implements("int.is_integer")
def int_is_integer(number):
    """Say that an int is one."""
    return True


@implements("float.is_integer")
def float_is_integer(number):
    """Say whether a float equals an int."""
    return math.isfinite(number) and np.floor(number) == number


@implements("float.as_integer_ratio")
def float_as_integer_ratio(number):
    """Give the least ints whose ratio a float is: an error where 64 bits don't hold them."""
    if math.isnan(number):
        raise ValueError("cannot convert NaN to integer ratio")
    if math.isinf(number):
        raise OverflowError("cannot convert Infinity to integer ratio")
    mantissa, exponent = math.frexp(np.float64(number))
    if mantissa == 0.0:
        return 0, 1
    numerator = np.int64(mantissa * 9007199254740992.0)
    exponent -= 53
    while numerator & 1 == 0 and exponent < 0:
        numerator >>= 1
        exponent += 1
    if exponent < -62 or (exponent > 0 and abs(mantissa) * 2.0 ** (exponent + 53) >= 9223372036854775808.0):
        raise OverflowError("the integer ratio does not fit into 64 bits")
    if exponent > 0:
        return numerator << exponent, 1
    return numerator, 1 << -exponent


@implements("float.hex")
def float_hex(number):
    """Write a float with hexadecimal digits."""
    if math.isnan(number):
        return "nan"
    bits = np.float64(number).view(np.uint64)
    sign = "-" if bits >> np.uint64(63) != np.uint64(0) else ""
    if math.isinf(number):
        return sign + "inf"
    exponent = np.int64((bits >> np.uint64(52)) & np.uint64(2047))
    digits = bits & np.uint64(4503599627370495)
    if exponent == 0 and digits == np.uint64(0):
        return sign + "0x0.0p+0"
    lead = "1." if exponent != 0 else "0."
    power = exponent - 1023 if exponent != 0 else -1022
    # One more in front keeps the zeros.
    written = hex(np.int64(digits | np.uint64(4503599627370496)))[3:]
    return sign + "0x" + lead + written + "p" + ("+" if power >= 0 else "") + str(power)
