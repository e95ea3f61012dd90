"""Functions of math on integers, sums, lengths and rounding: compared with CPython's results and errors."""

import math
import random

import numpy as np
import pytest
from compare import check

from pyopt import njit

INTEGERS = (0, 1, -1, 2, 7, -12, 30, 97, 1 << 31, (1 << 31) + 1, 3037000500, -(1 << 62), (1 << 63) - 1)


def outcome(function, *args):
    """What a call returns, to the bit, or its exception."""
    try:
        value = function(*args)
    except (ValueError, OverflowError) as error:
        return type(error), str(error)
    return [(type(item), repr(item)) for item in (value if isinstance(value, tuple) else (value,))]


def same(compiled, *args):
    """Compare a call with the interpreter's."""
    assert outcome(compiled, *args) == outcome(compiled.py_func, *args), args


@njit
def factorial(n):
    return math.factorial(n)


@njit
def comb(n, k):
    return math.comb(n, k)


@njit
def perm(n, k):
    return math.perm(n, k)


@njit
def all_of(n):
    return math.perm(n)


@njit
def isqrt(n):
    return math.isqrt(n)


def test_factorials():
    for n in range(-2, 21):
        same(factorial, n)
        same(all_of, n)
    with pytest.raises(OverflowError, match="64 bits"):
        factorial(21)


@pytest.mark.parametrize(("compiled", "function"), [(comb, math.comb), (perm, math.perm)])
def test_choices(compiled, function):
    for n in (*range(-1, 30), 61, 62, 66, 67, 1000, 1 << 40):
        for k in range(-1, 36):
            try:
                fits = function(n, k) < 1 << 63
            except ValueError:
                fits = True
            if fits:
                same(compiled, n, k)
            else:
                with pytest.raises(OverflowError, match="64 bits"):
                    compiled(n, k)


def test_roots():
    edges = [root * root + step for root in (0, 1, 2, 94906265, 94906266, 3037000499) for step in (-1, 0, 1)]
    for n in (*edges, *INTEGERS):
        same(isqrt, n)
    for seed in range(500):
        same(isqrt, random.Random(seed).getrandbits(63))
    assert isqrt(np.uint64(2**64 - 1)) == 2**32 - 1


@njit
def divisors(a, b, c):
    return math.gcd(), math.gcd(a), math.gcd(a, b), math.gcd(a, b, c), math.gcd(a, b, c, 2 * a)


@njit
def multiples(a, b, c):
    return math.lcm(), math.lcm(a), math.lcm(a, b), math.lcm(a, b, c)


def test_any_number_of_integers():
    for a in (0, 4, -6, 35):
        for b in (0, 9, -10):
            for c in (0, 15, True):
                same(divisors, a, b, c)
                same(multiples, a, b, c)


@njit
def power(base, exponent, modulus):
    return pow(base, exponent, modulus)


def test_powers_to_a_modulus():
    for base in INTEGERS:
        for exponent in (0, 1, 2, 5, 1000, -1, -3):
            for modulus in INTEGERS:
                same(power, base, exponent, modulus)


@njit
def product(items):
    return math.prod(items), math.prod(items, start=2)


def test_products():
    for items in ((1, 2, 3), (1.5, 2.0), (3,), [2, 3], [0.5, 4.0]):
        same(product, items)
    check(lambda a: math.prod(a), np.array([1.5, 2, -3]))


@njit
def fsum(items):
    return math.fsum(items)


def test_exact_sums():
    rng = random.Random(3)
    for size in (0, 1, 2, 3, 10, 100):
        for _ in range(40):
            items = [rng.uniform(-1, 1) * 2.0 ** rng.randint(-200, 200) for _ in range(size)]
            items += [-item for item in items[: size // 2]] + [rng.uniform(-1, 1)]
            same(fsum, items)
            assert fsum(np.array(items)) == math.fsum(items)
    for items in (
        [1e308, 1e308, -1e308],
        [1e308, -1e308, 1e308],
        [math.inf, 1.0],
        [math.inf, -math.inf],
        [math.nan, math.inf],
        [-math.inf, 1e308, 1e308],
        [1.0, 2.0**-53, 2.0**-106],
        [1.0, -(2.0**-54), -(2.0**-108)],
        [1.0, 2.0**-53, -(2.0**-106)],
        [0.1] * 10,
        [-0.0],
    ):
        same(fsum, items)


@njit
def hypot(x, y, z):
    return math.hypot(), math.hypot(x), math.hypot(x, y, z)


@njit
def dist(p, q):
    return math.dist(p, q)


SPECIAL = (0.0, -0.0, 1.0, -3.5, 1e200, 1e308, 5e-324, 3e-310, math.inf, -math.inf, math.nan)


def near(one, other):
    """Whether floats are equal or neighbours."""
    return one == other or (one != one and other != other) or abs(one - other) <= math.ulp(other)


def test_lengths():
    rng = random.Random(4)
    triples = [(x, y, z) for x in SPECIAL for y in SPECIAL for z in SPECIAL]
    triples += [tuple(rng.uniform(-1, 1) * 2.0 ** rng.randint(-30, 30) for _ in "xyz") for _ in range(2000)]
    for triple in triples:
        for got, expected in zip(hypot(*triple), hypot.py_func(*triple), strict=True):
            assert near(got, expected), triple
        assert near(dist(triple, (1.0, 2.0, 3.0)), math.dist(triple, (1.0, 2.0, 3.0)))
    assert dist(np.array([1.0, 2]), np.array([4.0, 6])) == 5
    with pytest.raises(ValueError, match="both points must have the same number of dimensions"):
        dist((1.0,), (1.0, 2.0))


@njit
def parts(x):
    return math.modf(x), math.ulp(x)


@njit
def remainder(x, y):
    return math.remainder(x, y)


def test_parts_of_floats():
    rng = random.Random(5)
    numbers = [rng.uniform(-1, 1) * 2.0 ** rng.randint(-1070, 1023) for _ in range(500)]
    halves = [n / 2 for n in range(-9, 10)]
    for x in (*SPECIAL, 1.7976931348623157e308, 2.0**52, 2.0**53 + 2, *numbers, *halves):
        same(parts, x)
        for y in (*SPECIAL, 0.75, -2.0, 0.1, rng.choice(numbers)):
            same(remainder, x, y)


def rounding(digits):
    """A function that rounds to a constant number of digits, as the text of it."""
    space = {}
    exec(f"def rounded(x):\n    return round(x, {digits})", space)
    return njit(space["rounded"])


@njit
def rounded(x, digits):
    return round(x, digits)


@pytest.mark.parametrize("digits", [-5, -2, -1, 0, 1, 2, 3, 5, 8, 15, 22])
def test_floats_are_rounded_as_decimals(digits):
    rng = random.Random(digits)
    constant = rounding(digits)
    scale = 10.0**-digits
    numbers = [n * scale / 2 for n in range(-41, 42)]
    numbers += [(n + 0.5) * scale for n in range(1000, 1400)]
    numbers += [round(rng.uniform(0, 100), digits) + 0.5 * scale for _ in range(400)]
    numbers += [rng.uniform(-1, 1) * 10.0 ** rng.randint(-8, 20) for _ in range(400)]
    for x in (*numbers, *SPECIAL):
        if math.isfinite(x):
            same(constant, x)
            same(rounded, x, digits)
        else:
            assert repr(constant(x)) == repr(x) == repr(rounded(x, digits))
    for far in (-400, -309, -308, 300, 323, 324, 5000):
        for x in (0.0, -0.0, -1.5, 1e308, 5e-324):
            same(rounded, x, far)
    assert constant(np.float32(0.125)) == np.float32(round(0.125, digits))


def test_integers_are_rounded_to_powers_of_ten():
    for x in (*range(-260, 260), *INTEGERS[:-2]):
        for digits in (2, 0, -1, -2, -3, -17):
            same(rounded, x, digits)
            same(rounding(digits), x) if x in INTEGERS else None


def test_numbers_in_texts():
    def texts():
        return int("12"), int(" -1_000 "), float("2.5"), float("inf"), float("-Infinity"), float("1e-3")

    check(texts)
    assert math.isnan(njit(lambda: float("nan"))())
