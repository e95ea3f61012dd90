"""Every operator on every pair of scalar types, at the edges of their ranges."""

import math
import operator

import numpy as np
import pytest
from compare import Ulps, check

from pyopt import njit

MAX, MIN = 2**63 - 1, -(2**63)
SMALL = (0, 1, -1, 2, -2, 7, -7, 10, -10)
VALUES = {
    "int64": (*SMALL, 97, 1 << 40, MAX, MIN),
    "bool": (False, True),
    "float64": (
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -2.5,
        7.0,
        -7.25,
        1e300,
        -1e-300,
        5e-324,
        math.inf,
        -math.inf,
        math.nan,
    ),
    "int8": tuple(map(np.int8, (0, 1, -1, 5, 127, -128))),
    "int16": tuple(map(np.int16, (0, 3, -3, 32767, -32768))),
    "int32": tuple(map(np.int32, (0, 1, -1, 9, 2**31 - 1, -(2**31)))),
    "uint8": tuple(map(np.uint8, (0, 1, 7, 255))),
    "uint32": tuple(map(np.uint32, (0, 2, 2**32 - 1))),
    "uint64": tuple(map(np.uint64, (0, 1, 9, 2**63, 2**64 - 1))),
    "float32": tuple(map(np.float32, (0.0, -0.0, 1.5, -2.25, 0.1, 3e38, 1e-40, math.inf, math.nan))),
}
INTEGERS = ("int64", "bool", "int8", "int16", "int32", "uint8", "uint32", "uint64")


def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def truediv(a, b):
    return a / b


def floordiv(a, b):
    return a // b


def mod(a, b):
    return a % b


def both(a, b):
    return a & b


def either(a, b):
    return a | b


def exclusive(a, b):
    return a ^ b


def less(a, b):
    return a < b


def less_equal(a, b):
    return a <= b


def equal(a, b):
    return a == b


def different(a, b):
    return a != b


def greater(a, b):
    return a > b


def greater_equal(a, b):
    return a >= b


ARITHMETIC = (add, sub, mul, truediv, floordiv, mod)
BITWISE = (both, either, exclusive)
COMPARISONS = (less, less_equal, equal, different, greater, greater_equal)

# Pairs that promote in all ways there are.
PAIRS = [
    ("int64", "int64"),
    ("int64", "bool"),
    ("bool", "bool"),
    ("int64", "float64"),
    ("float64", "int64"),
    ("float64", "float64"),
    ("float64", "bool"),
    ("int8", "int8"),
    ("int8", "int64"),
    ("int16", "int32"),
    ("int32", "int32"),
    ("int32", "float64"),
    ("int64", "uint8"),
    ("uint8", "uint8"),
    ("uint8", "uint32"),
    ("uint32", "uint32"),
    ("uint64", "uint64"),
    ("uint8", "float64"),
    ("float32", "float32"),
    ("float32", "float64"),
    ("float32", "int64"),
    ("int32", "float32"),
]


def check_all(function, left, right):
    """Check all pairs of values, of which there may be equal ones with other types."""
    for a in VALUES[left]:
        for b in VALUES[right]:
            check(function, a, b)


@pytest.mark.parametrize("kinds", PAIRS, ids="-".join)
@pytest.mark.parametrize("function", ARITHMETIC, ids=operator.attrgetter("__name__"))
def test_arithmetic(function, kinds):
    check_all(function, *kinds)


@pytest.mark.parametrize("kinds", PAIRS, ids="-".join)
@pytest.mark.parametrize("function", COMPARISONS, ids=operator.attrgetter("__name__"))
def test_comparisons(function, kinds):
    left, right = kinds
    if {left, right} in ({"int64", "float64"}, {"int64", "float32"}):
        # As in Numba the integer is converted first, which CPython's exact comparison shows at 2**63 only.
        exact = [value for value in VALUES["int64"] if abs(value) < 2**53]
        for a in exact if left == "int64" else VALUES[left]:
            for b in exact if right == "int64" else VALUES[right]:
                check(function, a, b)
    else:
        check_all(function, left, right)


@pytest.mark.parametrize(
    "kinds", [pair for pair in PAIRS if pair[0] in INTEGERS and pair[1] in INTEGERS], ids="-".join
)
@pytest.mark.parametrize("function", BITWISE, ids=operator.attrgetter("__name__"))
def test_bits(function, kinds):
    check_all(function, *kinds)


@pytest.mark.parametrize("kind", INTEGERS)
def test_shifts(kind):
    def left(a, n):
        return a << n

    def right(a, n):
        return a >> n

    for value in VALUES[kind]:
        for count in (0, 1, 3, 31, 32, 62, 63):
            check(left, value, count)
            check(right, value, count)


@pytest.mark.parametrize("count", [64, 65, 100, 1000])
def test_shifts_by_more_than_the_width(count):
    def left(a, n):
        return a << n

    def right(a, n):
        return a >> n

    for value in (0, 1, -1, 12345, -12345, MAX, MIN):
        check(left, value, count)
        check(right, value, count)


@pytest.mark.parametrize("kind", ["int64", "float64", "int8", "int32", "uint8", "uint64", "float32"])
def test_unary(kind):
    def signs(x):
        return -x, +x, abs(x), not x

    # What is narrow wraps in its own width.
    for value in VALUES[kind]:
        check(signs, value, numpy=kind not in ("int64", "float64", "float32"))


@pytest.mark.parametrize("kind", [kind for kind in INTEGERS if kind != "bool"])
def test_inversion(kind):
    def inverted(x):
        return ~x

    for value in VALUES[kind]:
        check(inverted, value, numpy=kind != "int64")


def test_inverting_a_truth_value_gives_the_other_as_in_numpy_and_numba():
    compiled = njit(lambda x: ~x)
    assert compiled(True) is False
    assert compiled(False) is True


def test_signs_of_truth_values_are_integers():
    def signs(x):
        return -x, +x, x + x, x * 3

    check(signs, True)
    check(signs, False)


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 4, 5, 10, 31, 63, 64])
def test_integer_powers(exponent):
    def power(a, b):
        return a**b

    for base in (0, 1, -1, 2, -2, 3, -3, 7, 10, -10, 1 << 20):
        check(power, base, exponent)


def test_constant_powers():
    def powers(x):
        return x**0, x**1, x**2, x**3, x**4, x**7

    for base in (0, 1, -1, 5, -9):
        check(powers, base)
    # Each multiplication rounds.
    for base in (0.0, 1.5, -0.5, 1e30, math.inf, math.nan):
        check(powers, base, tolerance=Ulps(4))


def test_float_powers():
    def power(a, b):
        return a**b

    for base in (0.0, 0.5, 1.0, 2.0, 3.7, 1e10):
        for exponent in (0.0, 0.5, 1.0, 2.0, 2.5, 3.0, -0.5, -1.0):
            if base or exponent >= 0:
                check(power, base, exponent, tolerance=Ulps(1))
    for base in (-2.0, -0.5):
        for exponent in (0, 1, 2, 3, -1, -2):
            check(power, base, exponent, tolerance=Ulps(1))


def test_negative_constant_exponents_give_floats():
    def inverse(x):
        return x**-1, x**-2

    for base in (1, -1, 2, -4):
        check(inverse, base, tolerance=Ulps(1))


def test_numpys_error_model_divides_by_zero():
    divide = njit(error_model="numpy")(lambda a, b: (a / b, a // b, a % b))
    assert divide(1.0, 0.0)[:2] == (math.inf, math.inf)
    assert divide(-1.0, 0.0)[:2] == (-math.inf, -math.inf)
    assert math.isnan(divide(1.0, 0.0)[2])
    assert all(map(math.isnan, divide(0.0, 0.0)))


def test_unsigned_and_signed_of_64_bits_stay_integers():
    # Numba makes floats of them, which loses bits; here two's complement decides.
    compiled = njit(lambda a, b: a + b)
    assert compiled(np.uint64(2**53 + 1), 1) == 2**53 + 2
    assert compiled(np.uint64(5), -7) == -2


@pytest.mark.parametrize("function", COMPARISONS, ids=operator.attrgetter("__name__"))
def test_unsigned_and_signed_compare_by_value(function):
    for a in VALUES["uint64"]:
        for b in (0, 1, -1, 9, MAX, MIN):
            check(function, a, b)
            check(function, b, a)


# Conversions and builtins


def test_conversion_to_int():
    def truncated(x):
        return int(x)

    for value in (0.0, -0.0, 0.9, -0.9, 1.5, -1.5, 1e15, -1e15, 2.0**62, True, False, 7, np.float32(2.75)):
        check(truncated, value)


def test_conversion_to_float():
    def widened(x):
        return float(x)

    for value in (
        0,
        1,
        -1,
        2**53 + 1,
        MAX,
        MIN,
        True,
        0.5,
        np.float32(0.1),
        np.uint64(2**64 - 1),
        np.int8(-3),
    ):
        check(widened, value)


def test_conversion_to_bool():
    def truth(x):
        return bool(x), not x, not not x

    for kind in VALUES:
        for value in VALUES[kind]:
            check(truth, value)


@pytest.mark.parametrize("kind", ["int64", "float64"])
def test_min_and_max(kind):
    def extremes(a, b, c):
        return min(a, b), max(a, b), min(a, b, c), max(a, b, c)

    # Python's answer for NaN depends on the order of the arguments.
    for a in VALUES[kind]:
        for b in VALUES[kind]:
            check(extremes, a, b, b)
            check(extremes, a, a, b)


def test_mixed_min_and_max_are_floats():
    def extremes(a, b):
        return min(a, b), max(a, b)

    for a, b in ((1, 0.5), (1, 1.5), (-2, -2.5)):
        got = njit(extremes)(a, b)
        assert got == extremes(a, b)
        assert all(isinstance(value, float) for value in got)


@pytest.mark.parametrize("values", [(3, 4), (-3, 4), (3, -4), (-3, -4), (7.5, 2.0), (-7.5, 2.0), (7.5, -2.0)])
def test_divmod_identity(values):
    def identity(a, b):
        return a // b * b + a % b, a // b, a % b

    check(identity, *values)


FUNCTIONS = {
    "sqrt": (lambda x: math.sqrt(x), (0.0, -0.0, 2.0, 1e-300, 1e300, 5e-324, 9, 2), None),
    "exp": (lambda x: math.exp(x), (0.0, 1.0, -1.0, 10.5, -700.0, 700.0, 3), Ulps(1)),
    "log": (lambda x: math.log(x), (1.0, 0.5, 2.0, 1e-300, 1e300, 10), Ulps(1)),
    "sin": (lambda x: math.sin(x), (0.0, -0.0, 0.5, 3.0, -20.0, 1e5, 2), Ulps(1)),
    "cos": (lambda x: math.cos(x), (0.0, 0.5, 3.0, -20.0, 1e5, 2), Ulps(1)),
    "tan": (lambda x: math.tan(x), (0.0, 0.5, 1.5, -1.0), Ulps(1)),
    "atan2": (lambda x: math.atan2(x, 2.0), (0.0, -0.0, 1.0, -5.0), Ulps(1)),
    "floor": (lambda x: math.floor(x), (0.0, 0.5, -0.5, 2.0, -2.0, 1e10), None),
    "ceil": (lambda x: math.ceil(x), (0.0, 0.5, -0.5, 2.0, -2.0, 1e10), None),
    "fabs": (lambda x: math.fabs(x), (0.0, -0.0, -1.5, 2.5, -3), None),
    "np.sqrt": (lambda x: np.sqrt(x), (0.0, -0.0, 2.0, -1.0, math.inf, math.nan), None),
    "np.exp": (lambda x: np.exp(x), (0.0, 1.0, 1000.0, -1000.0, math.inf, math.nan), Ulps(1)),
    "isnan": (lambda x: math.isnan(x), (0.0, math.nan, math.inf), None),
    "isinf": (lambda x: math.isinf(x), (0.0, math.nan, math.inf, -math.inf), None),
    "pi": (lambda x: x * math.pi + math.e, (1.0, 0.1), None),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_mathematical_functions(name):
    function, values, tolerance = FUNCTIONS[name]
    for value in values:
        check(function, value, tolerance=tolerance)


def test_wrapping_expressions():
    def mixed(a, b):
        return (a * b + a) // 3 - (a << 5) % 1000 + (b ^ (a >> 3)), a * a * a > b, (a + b) % 97

    for a in (*SMALL, MAX, MIN, 1 << 40):
        for b in (*SMALL, MAX, MIN, 123456789):
            check(mixed, a, b)


# Options of float arithmetic


def test_fast_math_sets_the_flags_that_were_asked_for():
    def total(a):
        result = 0.0
        for value in a:
            result += value * 2.0
        return result

    values = np.arange(100.0)
    for flags, expected in (
        (False, "fadd double"),
        (True, "fadd fast"),
        ({"nnan", "contract"}, "fadd nnan contract"),
    ):
        compiled = njit(fastmath=flags)(total)
        assert compiled(values) == total(values)
        assert expected in compiled.inspect_llvm(compiled.signatures[0])
