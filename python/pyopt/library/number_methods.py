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


@implements("builtins.float.fromhex", "float.fromhex")
def float_fromhex(string):
    """Read a float that is written with hexadecimal digits, rounded to the nearest, ties to even."""
    text = string.strip().lower()
    at = 1 if text[:1] in ("+", "-") and text else 0
    sign = -1.0 if text[:1] == "-" else 1.0
    rest = text[at:]
    if rest in ("inf", "infinity"):
        return sign * math.inf
    if rest == "nan":
        return sign * math.nan
    written, _, power = rest.partition("p")
    digits = written[2:] if written[:2] == "0x" else written
    exponent, mantissa, is_more = _power_of_two(power, "p" in rest), 0, False
    has_digits = has_point = False
    for digit in digits:
        if digit == "." and not has_point:
            has_point = True
            continue
        has_digits = True
        value = _hex_digit(digit)
        if has_point:
            exponent -= 4
        # The bits that decide how it is rounded are in here, or tell that there are more.
        if mantissa < 1 << 56:
            mantissa = mantissa * 16 + value
        else:
            exponent += 4
            is_more = is_more or value != 0
    if not has_digits:
        raise ValueError("invalid hexadecimal floating-point string")
    return sign * _rounded(mantissa, exponent, is_more)


def _hex_digit(digit):
    if "0" <= digit <= "9":
        return ord(digit) - 48
    if "a" <= digit <= "f":
        return ord(digit) - 87
    raise ValueError("invalid hexadecimal floating-point string")


def _power_of_two(power, is_given):
    """Read the exponent of a float; beyond a million it says no more."""
    if not is_given:
        return 0
    digits = power[1:] if power[:1] in ("+", "-") and power else power
    if not digits:
        raise ValueError("invalid hexadecimal floating-point string")
    found = 0
    for digit in digits:
        if not "0" <= digit <= "9":
            raise ValueError("invalid hexadecimal floating-point string")
        found = min(found * 10 + ord(digit) - 48, 1 << 40)
    return -found if power[:1] == "-" else found


def _rounded(mantissa, exponent, is_more):
    """Give the float nearest to an int times a power of two, and a bit more than that if there is more."""
    if mantissa == 0:
        return 0.0
    count = int_bit_length(mantissa)
    last = max(exponent + count - 53, -1074)
    dropped = last - exponent
    if dropped > 61:
        return 0.0
    if dropped > 0:
        half, below = 1 << (dropped - 1), mantissa & ((1 << dropped) - 1)
        mantissa >>= dropped
        if below > half or (below == half and (is_more or mantissa & 1 == 1)):
            mantissa += 1
        exponent = last
    if exponent + int_bit_length(mantissa) > 1024:
        raise OverflowError("hexadecimal value too large to represent as a float")
    # In two steps, as neither power of two may be a float.
    return math.ldexp(math.ldexp(float(mantissa), exponent // 2), exponent - exponent // 2)
