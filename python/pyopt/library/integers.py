"""Functions of math on integers, and powers to a modulus. What doesn't fit into 64 bits raises."""

import math

import numpy as np

from pyopt.library import implements, intrinsics


def require_integers(a, b):
    """Refuse what is no integer."""
    if np.result_type(a).kind not in ("i", "u", "b") or np.result_type(b).kind not in ("i", "u", "b"):
        intrinsics.unsupported("the arguments must be integers")


def common_divisor(x, y):
    """Find the greatest common divisor of two integers without a sign."""
    while y != 0:
        x, y = y, x % y
    return x


def size_of(a):
    """Drop the sign of an integer; the size of the least one fits as well."""
    if np.result_type(a).kind == "u":
        return np.uint64(a)
    return np.uint64(abs(np.int64(a)))


def as_both(size, a, b):
    """Give a size the type of integers that it belongs to."""
    if np.result_type(a).kind == "u" and np.result_type(b).kind == "u":
        return size
    if np.result_type(a, b).kind == "f":
        # No integer type holds both, but one holds their sizes.
        return size
    return np.int64(size)


def common_divisor_of_two(a, b):
    """Find the greatest common divisor of two integers."""
    require_integers(a, b)
    return as_both(common_divisor(size_of(a), size_of(b)), a, b)


def combined(integers, neutral, combine):
    """Combine any number of integers, two by two; a single one with itself gives its size."""
    if len(integers) == 0:
        return neutral
    if len(integers) == 1:
        return common_divisor_of_two(integers[0], integers[0])
    if len(integers) == 2:
        return combine(integers[0], integers[1])
    return combined((combine(integers[0], integers[1]),) + integers[2:], neutral, combine)


@implements("math.gcd")
def gcd(*integers):
    """Find the greatest common divisor of integers."""
    return combined(integers, 0, common_divisor_of_two)


def fold_integers(integers, found, combine):
    """Combine so many integers as there are at run time, one after the other."""
    for one in integers:
        found = combine(found, one)
    return found


@implements("math.gcd(*)")
def gcd_of_all(integers):
    """Find the greatest common divisor of so many integers as there are at run time."""
    return fold_integers(integers, 0, common_divisor_of_two)


@implements("math.lcm")
def lcm(*integers):
    """Find the least common multiple of integers."""
    return combined(integers, 1, common_multiple)


@implements("math.lcm(*)")
def lcm_of_all(integers):
    """Find the least common multiple of so many integers as there are at run time."""
    return fold_integers(integers, 1, common_multiple)


def common_multiple(a, b):
    """Find the least common multiple of two integers."""
    require_integers(a, b)
    divisor = common_divisor(size_of(a), size_of(b))
    if divisor == 0:
        return as_both(divisor, a, b)
    return as_both(size_of(a) // divisor * size_of(b), a, b)


@implements("math.factorial")
def factorial(x):
    """Find the product of the integers up to one."""
    require_integers(x, x)
    if x < 0:
        raise ValueError("factorial() not defined for negative values")
    if x > 20:
        raise OverflowError("the factorial does not fit into 64 bits")
    made = 1
    for i in range(2, int(x) + 1):
        made *= i
    return made


@implements("math.perm")
def perm(n, k=None):
    """Count the ways to choose some of so many things in order; all of them by default."""
    if k is None:
        return factorial(n)
    require_integers(n, k)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    if k > n:
        return 0
    made = 1
    for i in range(n - k + 1, n + 1):
        if made > 9223372036854775807 // i:
            raise OverflowError("the count does not fit into 64 bits")
        made *= i
    return made


@implements("math.comb")
def comb(n, k):
    """Count the ways to choose some of so many things."""
    require_integers(n, k)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    if k > n:
        return 0
    made = 1
    for i in range(1, min(k, n - k) + 1):
        factor = n - i + 1
        # What divides both goes first, so that only a result that doesn't fit overflows.
        divisor = common_divisor(made, i)
        made = made // divisor
        factor = factor // (i // divisor)
        if made > 9223372036854775807 // factor:
            raise OverflowError("the count does not fit into 64 bits")
        made *= factor
    return made


@implements("math.isqrt")
def isqrt(n):
    """Find the largest integer whose square is at most a number."""
    require_integers(n, n)
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    # The root of the nearest float is at most one away.
    root = min(int(math.sqrt(n)), 4294967295)
    while np.uint64(root) * np.uint64(root) > np.uint64(n):
        root -= 1
    while root < 4294967295 and np.uint64(root + 1) * np.uint64(root + 1) <= np.uint64(n):
        root += 1
    return root


@implements("math.prod")
def product_of_items(iterable, start=1):
    """Multiply all items."""
    made = start
    for item in iterable:
        made = made * item
    return made


@implements("builtins.pow")
def power_to_modulus(base, exp, mod):
    """Raise an integer to a power, and take the rest of a division."""
    require_integers(base, exp)
    require_integers(mod, mod)
    if mod == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    size = abs(mod)
    square = base % size
    if exp < 0:
        square = inverse(square, size)
        exp = -exp
    made = 1 % size
    while exp > 0:
        if exp & 1:
            made = product_to_modulus(made, square, size)
        square = product_to_modulus(square, square, size)
        exp >>= 1
    # The rest has the divisor's sign.
    return made + mod if mod < 0 and made != 0 else made


def product_to_modulus(a, b, modulus):
    """Multiply two numbers below a modulus."""
    if modulus <= 3037000499:
        return a * b % modulus
    # The product may not fit: sums of its parts do, as numbers without a sign.
    made = np.uint64(0)
    part, size = np.uint64(a), np.uint64(modulus)
    while b > 0:
        if b & 1:
            made = (made + part) % size
        part = (part + part) % size
        b >>= 1
    return np.int64(made)


def inverse(a, modulus):
    """Find what a number is to be multiplied by for a rest of one."""
    old, rest = a, modulus
    x, y = 1, 0
    while rest != 0:
        quotient = old // rest
        old, rest = rest, old - quotient * rest
        x, y = y, x - quotient * y
    if old != 1:
        raise ValueError("base is not invertible for the given modulus")
    return x % modulus
