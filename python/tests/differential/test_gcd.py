"""Greatest common divisors."""

import numpy as np
import pytest
from compare import check, combinations

from pyopt import njit

# Greatest common divisor


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def gcd_compared(a, b):
    while b != 0:
        a, b = b, a % b
    return a


def gcd_temporary(x, y):
    while y != 0:
        rest = x % y
        x = y
        y = rest
    return x


def gcd_by_subtraction(a, b):
    a, b = abs(a) + 1, abs(b) + 1
    while a != b:
        if a > b:
            a -= b
        else:
            b -= a
    return a


def gcd_floor(a, b):
    while b:
        q = a // b
        a, b = b, a - q * b
    return a


def gcd_absolute(a, b):
    if a < 0:
        a = -a
    if b < 0:
        b = -b
    while b > 0:
        a, b = b, a % b
    return a


def gcd_steps(a, b):
    steps = 0
    while b:
        a, b = b, a % b
        steps += 1
    return a, steps


def gcd_true(a, b):
    while True:
        if b == 0:
            return a
        a %= b
        if a == 0:
            return b
        b %= a


def gcd_binary(a, b):
    a, b = abs(a), abs(b)
    if a == 0:
        return b
    if b == 0:
        return a
    shift = 0
    while (a | b) & 1 == 0:
        a >>= 1
        b >>= 1
        shift += 1
    while a & 1 == 0:
        a >>= 1
    while b:
        while b & 1 == 0:
            b >>= 1
        if a > b:
            a, b = b, a
        b -= a
    return a << shift


def gcd_extended(a, b):
    old_r, r = a, b
    old_s, s = 1, 0
    old_t, t = 0, 1
    while r:
        q = old_r // r
        old_r, r = r, old_r - q * r
        old_s, s = s, old_s - q * s
        old_t, t = t, old_t - q * t
    return old_r, old_s, old_t


@njit
def gcd_recursive(a, b):
    if b == 0:
        return a
    return gcd_recursive(b, a % b)


def lcm(a, b):
    if a == 0 or b == 0:
        return 0
    return abs(a * b) // gcd_recursive(a, b)


GCDS = (
    gcd,
    gcd_compared,
    gcd_temporary,
    gcd_by_subtraction,
    gcd_floor,
    gcd_absolute,
    gcd_steps,
    gcd_true,
    gcd_binary,
    gcd_extended,
    gcd_recursive,
    lcm,
)
GCD_VALUES = [
    (12, 18),
    (18, 12),
    (7, 0),
    (0, 7),
    (0, 0),
    (-12, 18),
    (12, -18),
    (-9, -6),
    (1071, 462),
    (97, 89),
]


@pytest.mark.parametrize(("function", "args"), combinations(GCDS, GCD_VALUES))
def test_gcd(function, args):
    check(function, *args)


@pytest.mark.parametrize("kind", [np.int16, np.int32, np.uint8, np.uint32, np.uint64])
def test_gcd_of_other_integers(kind):
    check(gcd, kind(48), kind(36))
    check(gcd_temporary, kind(48), kind(36))


def test_gcd_of_floats():
    check(gcd, 7.5, 2.5)
    check(gcd_compared, 1.0, 0.25)
