"""Functions of math and cmath that are made of others."""

import cmath
import math

import numpy as np

from pyopt.library import implements, intrinsics


@implements("math.gcd")
def gcd(a, b):
    """Find the greatest common divisor of two integers."""
    require_integers(a, b)
    if np.result_type(a, b).kind == "f":
        # No integer type holds both, but one holds their sizes.
        return common_divisor(np.uint64(abs(a)), np.uint64(abs(b)))
    return common_divisor(abs(a), abs(b))


@implements("math.lcm")
def lcm(a, b):
    """Find the least common multiple of two integers."""
    require_integers(a, b)
    divisor = gcd(a, b)
    if divisor == 0:
        return divisor
    return abs(a) // divisor * abs(b)


def require_integers(a, b):
    """Refuse what is no integer."""
    if np.result_type(a).kind not in ("i", "u", "b") or np.result_type(b).kind not in ("i", "u", "b"):
        intrinsics.unsupported("the arguments must be integers")


def common_divisor(x, y):
    """Find the greatest common divisor of two integers that aren't negative."""
    while y != 0:
        x, y = y, x % y
    return x


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


@implements("builtins.round")
def round_digits(number, ndigits=None):
    """Round a float to so many digits behind the point, or before it; halves go to the even neighbour."""
    if not isinstance(number, float):
        intrinsics.unsupported("floats are rounded to digits")
    x = np.float64(number)
    if not math.isfinite(x):
        return number
    if ndigits >= 0:
        # Powers of ten up to this one are exact.
        more = 10.0 ** max(ndigits - 22, 0)
        power = 10.0 ** min(ndigits, 22)
        scaled = x * power * more
        if math.isinf(scaled):
            return number
        made = np.rint(scaled) / more / power
    else:
        power = 10.0**-ndigits
        made = np.rint(x / power) * power
    if np.result_type(number) == np.float32:
        return np.float32(made)
    return made
