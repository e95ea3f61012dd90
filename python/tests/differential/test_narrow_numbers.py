"""Integers of all widths at their edges: signs, sizes, powers, divisors; floats converted to them."""

import math

import numpy as np
import pytest

from pyopt import njit

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")


def edges(dtype):
    """Give the numbers at the ends of a type and around 0."""
    bounds = np.iinfo(dtype)
    near = (0, 1, 2, 7, bounds.max, bounds.max - 1)
    return [np.dtype(dtype).type(x) for x in (near if bounds.min == 0 else (*near, -1, -3, bounds.min))]


def negative(x):
    return -x


def inverse(x):
    return ~x


def size(x):
    return abs(x)


def of_element(v):
    return -v[0], ~v[0], abs(v[0])


@pytest.mark.parametrize("dtype", SIGNED + UNSIGNED)
def test_signs_wrap_in_their_own_width(dtype):
    with np.errstate(over="ignore"):
        for x in edges(dtype):
            for function in (negative, inverse, size):
                assert njit(function)(x) == int(function(x)), (function.__name__, x)
            v = np.array([x])
            assert njit(of_element)(v) == tuple(map(int, of_element(v)))


def rounded(x):
    return math.floor(x), math.ceil(x), math.trunc(x), round(x)


def test_ints_without_a_sign_are_rounded_already():
    assert njit(rounded)(np.uint64(2**64 - 1)) == (2**64 - 1,) * 4
    assert njit(rounded)(np.int8(-128)) == (-128,) * 4


def to_ints(x):
    return np.uint8(x), np.uint16(x), np.uint32(x), np.uint64(x), np.int64(x)


def converted(v):
    return v.astype(np.uint64), v.astype(np.uint8), v.astype(np.int64)


def test_negative_floats_without_a_sign_wrap():
    for kind in (np.float32, np.float64):
        v = np.array([-1.0, -2.5, -0.0, 0.5, -1e9, 1e18, -1e18], kind)
        with np.errstate(invalid="ignore"):
            for x in v:
                assert njit(to_ints)(x) == tuple(map(int, to_ints(x))), x
            for actual, expected in zip(njit(converted)(v), converted(v), strict=True):
                np.testing.assert_array_equal(actual, expected)
    largest = 2.0**64 - 2048
    assert njit(to_ints)(largest)[3] == int(largest)


def power(x, y):
    return x**y


@pytest.mark.parametrize("dtype", SIGNED)
def test_powers_with_exponents_beyond_int64(dtype):
    # Modulo 2**64, as repeated multiplication gives them.
    for x in edges(dtype):
        for y in edges("uint64") + [np.uint64(2**63), np.uint64(2**63 + 5), np.uint64(2**62 + 1)]:
            expected = pow(int(x), int(y), 2**64)
            assert njit(power)(x, y) % 2**64 == expected, (x, y)


def inverse_power(x):
    return x**-1


def test_zero_to_a_negative_power():
    for zero in (0, False, np.int8(0), np.uint64(0)):
        with pytest.raises(ZeroDivisionError, match="to a negative power"):
            njit(inverse_power)(zero)
        assert njit(error_model="numpy")(inverse_power)(zero) == math.inf
    assert njit(inverse_power)(4) == 0.25


def divisor(x, y):
    return math.gcd(x, y)


def multiple(x, y):
    return math.lcm(x, y)


def test_divisors_of_mixed_integers():
    for one in ("int8", "int64", "uint16", "uint64"):
        for other in ("int16", "int32", "uint8", "uint32"):
            for x in edges(one):
                for y in edges(other):
                    for function in (divisor, multiple):
                        expected = function(int(x), int(y))
                        if expected < 2**63:
                            actual = njit(function)(x, y)
                            assert isinstance(actual, int), (x, y)
                            assert actual == expected, (function.__name__, x, y)


def parts(x, y):
    return divmod(x, y)


def test_words_of_divmod():
    for x, y in ((1, 0), (1.0, 0.0)):
        words = []
        for function in (parts, njit(parts)):
            with pytest.raises(ZeroDivisionError) as raised:
                function(x, y)
            words.append(str(raised.value))
        assert words[0] == words[1]


def to_digits(x, digits):
    return round(x, digits)


def test_rounding_to_digits_that_are_narrow():
    for digits in (-128, -127, -19, -18, -2, -1, 0, 1, 127):
        for x in (1, 127, 95, -2, 1234567, 10**18 * 5 - 1):
            assert njit(to_digits)(x, np.int8(digits)) == round(x, digits), (x, digits)
        for x in (1.25, -1e300, 5e-324, 123456.789):
            assert njit(to_digits)(x, np.int8(digits)) == round(x, digits), (x, digits)


def element_power(x, y):
    return np.power(x, y)


def test_powers_that_no_integer_type_holds():
    # NumPy computes with uint64 and int64 in floats: negative powers are numbers then.
    v, w = np.array([1, 2, 4], np.uint64), np.array([-1, -2, 3])
    np.testing.assert_array_equal(njit(element_power)(v, w), np.power(v, w))
    with pytest.raises(ValueError, match="negative integer powers"):
        njit(element_power)(w, w)
