"""Functions that work element by element and are written with those that the compiler knows."""

import math

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.number_parts import as_floats
from pyopt.library.shapes import as_array, number


@implements("numpy.round", "numpy.around", "array.round")
def round_elements(a, decimals=0):
    """Round to some digits behind the point, halves to the even neighbour."""
    kind = as_array(a).dtype
    if kind.kind == "i" or kind.kind == "u":
        return rounded_ints(a, decimals, kind)
    if kind.kind == "c":
        return rounded_complex(a, decimals, kind)
    if kind.kind != "f":
        intrinsics.unsupported("numbers are rounded")
    factor = kind.type(10.0 ** abs(decimals))
    if decimals == 0:
        return np.rint(a)
    if decimals > 0:
        return np.rint(a * factor) / factor
    return np.rint(a / factor) * factor


def rounded_ints(a, decimals, kind):
    """Round ints, which change only before the point: as NumPy does, by floats of 64 bits."""
    if isinstance(a, np.ndarray):
        if decimals >= 0:
            return a + kind.type(0)
        factor = 10.0**-decimals
        return (np.rint(a / factor) * factor).astype(kind)
    if decimals >= 0:
        return kind.type(a)
    factor = 10.0**-decimals
    return kind.type(np.rint(a / factor) * factor)


def rounded_complex(a, decimals, kind):
    """Round both parts of complex numbers."""
    if isinstance(a, np.ndarray):
        made = a.copy()
        made.real = round_elements(a.real, decimals)
        made.imag = round_elements(a.imag, decimals)
        return made
    return kind.type(complex(round_elements(a.real, decimals), round_elements(a.imag, decimals)))


@implements("numpy.nan_to_num")
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """Replace NaN by a number and infinities by large ones, in a copy."""
    kind = as_array(x).dtype
    if not copy:
        raise ValueError("nan_to_num always copies in compiled code")
    if kind.kind != "f" and kind.kind != "c":
        return x.copy() if isinstance(x, np.ndarray) else x
    if kind.kind == "c":
        parts = nan_to_num(x.real, True, nan, posinf, neginf), nan_to_num(x.imag, True, nan, posinf, neginf)
        if not isinstance(x, np.ndarray):
            return kind.type(complex(parts[0], parts[1]))
        made = np.empty(x.shape, kind)
        made.real[...] = parts[0]
        made.imag[...] = parts[1]
        return made
    most = 3.4028234663852886e38 if kind.itemsize == 4 else 1.7976931348623157e308
    high = kind.type(most if posinf is None else posinf)
    low = kind.type(-most if neginf is None else neginf)
    finite = np.where(np.isnan(x), kind.type(nan), x)
    return np.where(finite == np.inf, high, np.where(finite == -np.inf, low, finite))


@implements("numpy.sinc")
def sinc(x):
    """Compute sin(pi x) / (pi x), which is 1 at 0."""
    if isinstance(x, np.ndarray) and x.ndim:
        y = math.pi * np.where(x == 0, 1e-20, x)
        return np.sin(y) / y
    # A narrow number stays narrow before its multiple of pi is rounded, as an element does.
    own = np.result_type(x)
    kind = own if own.kind == "f" or own.kind == "c" else np.result_type(np.float64)
    turn = kind.type(kind.type(math.pi) * kind.type(1e-20 if x == 0 else number(x)))
    return kind.type(np.sin(turn) / turn)


@implements("numpy.heaviside")
def heaviside(x1, x2):
    """Give 0 for negative numbers, 1 for positive ones and another value for 0."""
    zero = as_floats(x1) * as_floats(x2)
    step = np.where(x1 < 0, 0.0, np.where(x1 == 0, x2, 1.0))
    found = np.where(np.isnan(x1), x1, step)
    return found.astype(zero.dtype) if isinstance(zero, np.ndarray) else float(found)


@implements("numpy.logaddexp")
def logaddexp(x1, x2):
    """Compute the logarithm of the sum of two exponentials."""
    a = as_floats(x1)
    b = as_floats(x2)
    # Equal infinities have no difference.
    distance = np.where(a == b, 0.0, np.abs(a - b))
    return np.maximum(a, b) + np.log1p(np.exp(-distance))


@implements("numpy.divmod")
def divmod_elements(x1, x2, out1=None, out2=None):
    """Give the quotients, rounded down, and the remainders."""
    quotients, remainders = x1 // x2, x1 % x2
    return put_into(quotients, out1), put_into(remainders, out2)


def put_into(made, out):
    """Give what was made, in an array that is there for it."""
    if out is None:
        return made
    np.copyto(out, made)
    return out


@implements("numpy.modf")
def modf(x, out1=None, out2=None):
    """Give the parts of numbers behind and before the point, both with the number's sign."""
    a = as_floats(x)
    whole = np.trunc(a)
    fraction = np.where(np.isinf(a), 0.0, a - whole)
    return put_into(np.copysign(fraction, a), out1), put_into(np.copysign(whole, a), out2)


@implements("numpy.angle")
def angle(z, deg=False):
    """Give the angle of complex numbers."""
    turn = np.arctan2(np.imag(z), np.real(z)) if as_array(z).dtype.kind == "c" else np.arctan2(0, z)
    return turn * (180 / math.pi) if deg else turn * 1.0


@implements("numpy.select")
def select_cases(condlist, choicelist, default=0):
    """Take each element from the first array whose condition holds there."""
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    found = first_case(condlist, choicelist, default)
    return (
        found if isinstance(found, np.ndarray) else np.full((), found, np.result_type(*choicelist, default))
    )


def first_case(conditions, choices, default):
    """Choose by the first condition that holds, the others nested in its alternative."""
    if len(conditions) == 1:
        return np.where(conditions[0], choices[0], default)
    return np.where(conditions[0], choices[0], first_case(conditions[1:], choices[1:], default))


@implements("numpy.iscomplexobj")
def iscomplexobj(x):
    """Say whether elements are complex numbers."""
    return as_array(x).dtype.kind == "c"


@implements("numpy.isrealobj")
def isrealobj(x):
    """Say whether elements are no complex numbers."""
    return as_array(x).dtype.kind != "c"


@implements("numpy.polyval")
def polyval(p, x):
    """Evaluate the polynomial that has these coefficients, the highest power first."""
    coefficients = as_array(p)
    if coefficients.ndim == 0:
        intrinsics.unsupported("the coefficients are a vector, or the rows of an array")
    if coefficients.ndim == 1 and not isinstance(x, np.ndarray):
        # Narrow numbers stay narrow, as elements of arrays do.
        kind = np.result_type(coefficients, x)
        total = kind.type(kind.type(x) * kind.type(0))
        for i in range(coefficients.size):
            total = kind.type(total * kind.type(x) + kind.type(coefficients[i]))
        return total
    kind = np.result_type(coefficients, x)
    if coefficients.ndim == 1:
        value = np.zeros(x.shape, kind)
        for i in range(coefficients.size):
            value = value * x + coefficients[i]
        return value
    # Rows are coefficients of a polynomial for each of their elements.
    if coefficients.shape[0] == 0:
        raise ValueError("there are no rows of coefficients")
    factor = x if isinstance(x, np.ndarray) else np.full((), x)
    values = np.zeros(factor.shape, kind) * factor + coefficients[0]
    for i in range(1, coefficients.shape[0]):
        values = values * factor + coefficients[i]
    return values
