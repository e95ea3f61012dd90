"""Functions of math and cmath that are made of others."""

import cmath
import math

import numpy as np

from pyopt.library import implements, intrinsics


@implements("math.ldexp")
def ldexp(x, i):
    """Multiply by a power of two, rounding once."""
    value = np.float64(x)
    power = int(i)
    if power > 1023:
        # The largest power that is a float, as often as it changes something.
        value *= 2.0**1023
        power -= 1023
        if power > 1023:
            value *= 2.0**1023
            power = min(power - 1023, 1023)
    elif power < -1022:
        # The factors leave all bits of a subnormal result to the last one.
        value *= 2.0**-969
        power += 969
        if power < -1022:
            value *= 2.0**-969
            power = max(power + 969, -1022)
    scaled = value * 2.0**power
    if np.result_type(x) == np.float32:
        return np.float32(scaled)
    return scaled


@implements("math.frexp")
def frexp(x):
    """Split a number into one from 0.5 up to 1 and a power of two."""
    mantissa = np.float64(x)
    exponent = 0
    if mantissa != 0.0 and math.isfinite(mantissa):
        if abs(mantissa) < 2.0**-1000:
            mantissa *= 2.0**100
            exponent -= 100
        for step in (512, 256, 128, 64, 32, 16, 8, 4, 2, 1):
            if abs(mantissa) >= 2.0**step:
                mantissa *= 2.0**-step
                exponent += step
            elif abs(mantissa) < 2.0**-step:
                mantissa *= 2.0**step
                exponent -= step
        if abs(mantissa) >= 1.0:
            mantissa *= 0.5
            exponent += 1
        elif abs(mantissa) < 0.5:
            mantissa *= 2.0
            exponent -= 1
    if np.result_type(x) == np.float32:
        return np.float32(mantissa), exponent
    return mantissa, exponent


@implements("math.isclose")
def scalar_isclose(a, b, rel_tol=1e-09, abs_tol=0.0):
    """Say whether two numbers are equal but for a part of the larger one."""
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    if a == b:
        return True
    if math.isinf(a) or math.isinf(b):
        return False
    distance = abs(b - a)
    return distance <= abs(rel_tol * b) or distance <= abs(rel_tol * a) or distance <= abs_tol


@implements("cmath.phase")
def phase(z):
    """Find the angle of a complex number."""
    return math.atan2(z.imag, z.real)


@implements("cmath.polar")
def polar(z):
    """Find the size and the angle of a complex number."""
    return abs(z), math.atan2(z.imag, z.real)


@implements("cmath.rect")
def rect(r, phi):
    """Make a complex number of a size and an angle."""
    if phi == 0.0:
        # The imaginary part is a zero, also beside an infinity.
        made = complex(r, r * phi if math.isfinite(r) else phi)
    elif r == 0.0 and not math.isfinite(phi):
        made = complex(r, r)
    else:
        made = complex(r * math.cos(phi), r * math.sin(phi))
    if np.result_type(r, phi) == np.float32:
        return np.complex64(made)
    return made


@implements("cmath.log10")
def complex_log10(z):
    """Find the logarithm of a complex number to the base 10."""
    w = cmath.log(z)
    made = complex(w.real * 0.434294481903251827651, w.imag * 0.434294481903251827651)
    if np.result_type(z) == np.complex64:
        return np.complex64(made)
    return made


@implements("cmath.isclose")
def complex_isclose(a, b, rel_tol=1e-09, abs_tol=0.0):
    """Say whether two complex numbers are equal but for a part of the larger one."""
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    if a == b:
        return True
    if cmath.isinf(a) or cmath.isinf(b):
        return False
    distance = abs(b - a)
    return distance <= rel_tol * abs(b) or distance <= rel_tol * abs(a) or distance <= abs_tol


@implements("math.modf")
def scalar_modf(x):
    """Split a number into its fraction and its whole part, both with its sign."""
    value = float(x)
    whole = np.trunc(value)
    fraction = 0.0 if math.isinf(value) else value - whole
    return type_as(math.copysign(fraction, value), x), type_as(whole, x)


@implements("math.remainder")
def scalar_remainder(x, y):
    """Find the distance from the nearest multiple of another number, an even one where two are."""
    if math.isnan(x) or math.isnan(y):
        return float(x) + float(y)
    if math.isinf(x) or y == 0.0:
        raise ValueError("math domain error")
    size, step = abs(float(x)), abs(float(y))
    if math.isinf(step):
        return float(x)
    rest = math.fmod(size, step)
    other = step - rest
    if rest < other:
        nearest = rest
    elif rest > other:
        nearest = -other
    else:
        # Half-way: the rest of twice the step says whether the multiple below is an odd one.
        nearest = rest - 2.0 * math.fmod(0.5 * (size - rest), step)
    return math.copysign(1.0, x) * nearest


@implements("math.ulp")
def ulp(x):
    """Find the value of the last bit of a float."""
    size = abs(float(x))
    if not math.isfinite(size):
        return size
    above = math.nextafter(size, math.inf)
    if math.isinf(above):
        return size - math.nextafter(size, 0.0)
    return above - size


@implements("math.fsum")
def fsum(seq):
    """Sum floats and round once, by Shewchuk's sums of parts that don't overlap (1997)."""
    parts = [0.0]
    parts.clear()
    special = 0.0
    infinities = 0.0
    for item in seq:
        total = float(item)
        kept = 0
        for i in range(len(parts)):
            part = parts[i]
            if abs(total) < abs(part):
                total, part = part, total
            added = total + part
            error = part - (added - total)
            if error != 0.0:
                parts[kept] = error
                kept += 1
            total = added
        intrinsics.truncate(parts, kept)
        if math.isfinite(total):
            if total != 0.0:
                parts.append(total)
        else:
            if math.isfinite(item):
                raise OverflowError("intermediate overflow in fsum")
            if math.isinf(item):
                infinities += item
            special += item
            parts.clear()
    if special != 0.0:
        if math.isnan(infinities):
            raise ValueError("-inf + inf in fsum")
        return special
    return rounded_parts(parts)


def rounded_parts(parts):
    """Add parts that don't overlap, the smallest first in the list, rounding once."""
    count = len(parts)
    total = 0.0
    error = 0.0
    while count > 0 and error == 0.0:
        count -= 1
        part = parts[count]
        added = total + part
        error = part - (added - total)
        total = added
    # The parts below decide where the error is half of the last bit.
    if count > 0 and math.copysign(1.0, error) == math.copysign(1.0, parts[count - 1]):
        twice = error * 2.0
        further = total + twice
        if further - total == twice:
            return further
    return total


@implements("math.hypot")
def vector_hypot(*coordinates):
    """Find the length of a vector."""
    vector = np.empty(len(coordinates))
    for i, item in enumerate(coordinates):
        vector[i] = item
    return vector_length(vector)


@implements("math.dist")
def dist(p, q):
    """Find the distance between two points, given as sequences of coordinates."""
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    vector = np.empty(len(p))
    for i in range(len(p)):
        vector[i] = float(p[i]) - float(q[i])
    return vector_length(vector)


def vector_length(vector):
    """Find the length of a vector of floats, to the last bit but for rare cases."""
    largest = 0.0
    has_nan = False
    for item in vector:
        if math.isinf(item):
            return math.inf
        has_nan = has_nan or math.isnan(item)
        largest = max(largest, abs(item))
    if has_nan:
        return math.nan
    if largest == 0.0:
        return 0.0
    # Scaling by a power of two is exact; squares are added with what rounding them leaves out.
    exponent = math.frexp(largest)[1]
    total = 0.0
    rest = 0.0
    for item in vector:
        scaled = math.ldexp(item, -exponent)
        square = scaled * scaled
        added = total + square
        rest += square - (added - total) if total > square else total - (added - square)
        rest += product_error(scaled, scaled, square)
        total = added
    root = math.sqrt(total + rest)
    square = root * root
    left = (total - square) + (rest - product_error(root, root, square))
    return math.ldexp(root + left / (2.0 * root), exponent)


@implements("builtins.round")
def round_digits(number, ndigits=None):
    """Round to so many decimal digits behind the point, or before it; halves go to the even neighbour."""
    if isinstance(number, int):
        return number if ndigits >= 0 else round_integer(number, np.int64(ndigits))
    if not isinstance(number, float):
        intrinsics.unsupported("integers and floats are rounded to digits")
    x = np.float64(number)
    digits = np.int64(ndigits)
    if not math.isfinite(x) or digits > 323:
        return number
    if digits < -308:
        return number * 0
    # Powers of ten up to this one are exact.
    if abs(digits) > 22:
        return type_as(round_far(x, digits), number)
    power = 10.0 ** abs(digits)
    if digits >= 0:
        scaled = x * power
        left_out = product_error(x, power, scaled)
    else:
        scaled = x / power
        left_out = (x - scaled * power) - product_error(scaled, power, scaled * power)
    if abs(scaled) >= 2.0**53:
        # The neighbours of a float are further apart than what it is rounded to.
        return number
    made = rounded_beside(scaled, left_out)
    return type_as(made / power if digits >= 0 else made * power, number)


def round_far(x, digits):
    """Round to more digits behind the point, or before it, than powers of ten are exact for: by the text."""
    if digits > 0:
        return float(f"{x:.{digits}f}")
    written = f"{abs(x):.0f}"
    kept = len(written) + digits
    # No float is half of such a power of ten.
    if kept < 0 or (kept == 0 and written[0] < "5"):
        return math.copysign(0.0, x)
    made = math.copysign(float(f"1e{-digits}"), x) if kept == 0 else float(f"{x:.{kept - 1}e}")
    if math.isinf(made):
        raise OverflowError("rounded value too large to represent")
    return made


def rounded_beside(scaled, left_out):
    """Round a number to an integer; where it seems half-way, what is left out of it decides."""
    inner = np.trunc(scaled)
    if abs(scaled - inner) == 0.5 and left_out != 0.0:
        return inner + math.copysign(1.0, scaled) if left_out * scaled > 0.0 else inner
    return np.rint(scaled)


def round_integer(number, digits):
    """Round an integer to a multiple of a power of ten, half-way to an even one."""
    if digits < -18:
        # Half of ten to the 19th is within the integers of 64 bits, and no multiple but zero is.
        return number - number
    power = 10**-digits
    rest = number % power
    below = number - rest
    if 2 * rest > power or (2 * rest == power and below // power % 2 == 1):
        return below + power
    return below


def product_error(a, b, product):
    """Find what rounding left out of a product of floats that are not huge (Dekker, 1971)."""
    a_high = a * 134217729.0
    a_high = a_high - (a_high - a)
    a_low = a - a_high
    b_high = b * 134217729.0
    b_high = b_high - (b_high - b)
    b_low = b - b_high
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def type_as(made, number):
    """Give a result the type of a float32 that it was made of."""
    if np.result_type(number) == np.float32:
        return np.float32(made)
    return made
