"""Scalar programs, compiled and interpreted."""

import math

import numpy as np
import pytest
from differential import check

from pyopt import njit

INTS = [(0, 1), (7, -3), (-7, 3), (-7, -3), (12, 4), (1 << 40, 3)]
FLOATS = [(0.5, 1.5), (-2.25, 0.75), (1e300, 1e-3), (7.0, -2.0)]
MIXED = [(3, 0.5), (2.5, -4), (True, 3), (1, True)]


def add(a, b):
    return a + b


def arithmetic(x, y):
    return x - y, x * y, x / y, x // y, x % y, -x, +y


def comparisons(p, q):
    return p < q, p <= q, p == q, p != q, p > q, p >= q, not p, p and q, p or q


def bits(m, n):
    return m & n, m | n, m ^ n, ~m, m << 3, m >> 2


def in_place(first, second):
    total = first
    total += second
    total *= 2
    total -= first
    return total


def nested_conditions(u, v):
    if u > v:
        w = u - v if u > 10 else u + v
    elif u == v:
        w = u
    else:
        w = v - u
        if w > 5:
            return w * 2
    return w


def chained(a, b):
    return (0 < a < b) or (a <= b <= 10)


def builtins_used(a, b):
    return abs(a), min(a, b), max(a, b, 3), int(a), float(b), bool(a)


@pytest.mark.parametrize(
    "function",
    [add, arithmetic, comparisons, in_place, nested_conditions, chained, builtins_used],
)
@pytest.mark.parametrize("values", [INTS, FLOATS, MIXED], ids=["ints", "floats", "mixed"])
def test_expressions(function, values):
    check(function, *values)


def test_bit_operations():
    check(bits, *INTS[:-1])


def test_powers():
    check(lambda base, exponent: base**exponent, (3, 4), (-2, 5), (0, 0), (2.5, 3), (2.0, -0.5), rtol=1e-15)
    check(lambda base: base**2 + base**3, (7,), (-1.5,))


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "f4", "f8"])
def test_numpy_scalars(dtype):
    kind = np.dtype(dtype).type

    def function(a, b):
        return float(a) * 2.0 + float(b)

    check(function, (kind(7), kind(3)), (kind(100), kind(27)))


def test_division_by_zero_raises():
    for function in (lambda a, b: a / b, lambda a, b: a // b, lambda a, b: a % b):
        compiled = njit(function)
        with pytest.raises(ZeroDivisionError):
            compiled(1, 0)
        with pytest.raises(ZeroDivisionError):
            compiled(1.0, 0.0)
        assert compiled(8, 2) == function(8, 2)


def test_numpy_error_model():
    compiled = njit(error_model="numpy")(lambda a, b: a / b)
    assert compiled(1.0, 0.0) == math.inf
    assert math.isnan(compiled(0.0, 0.0))


def test_integers_wrap_at_64_bits():
    compiled = njit(lambda a, b: a * b + 1)
    assert compiled(2**62, 4) == 1
    assert compiled(2**62, 2) == -(2**63) + 1


# Loops


def doloops(n):
    acc = 0
    for i in range(n):
        acc += 1
        if n == 10:
            break
    return acc


def count_down(n):
    total = 0
    for step in range(n, 0, -1):
        total += step * step
    return total


def strided(limit):
    out = 0
    for k in range(3, limit, 4):
        out = out * 3 + k
        out %= 1000003
    return out


def loop_variable_afterwards(n):
    i = -1
    for i in range(2, n):
        pass
    return i


def else_of_loop(n):
    for k in range(2, n):
        if n % k == 0:
            break
    else:
        return True
    return False


def continue_in_while(n):
    left = n
    odd = 0
    while left > 0:
        left -= 1
        if left % 2 == 0:
            continue
        odd += left
    return odd


def nested_break(n):
    hits = 0
    for i in range(n):
        for j in range(i, n):
            if i * j > 20:
                break
            hits += 1
        else:
            hits += 100
    return hits


def changing_bound(n):
    count = 0
    for i in range(n):
        n -= 1
        count += n - i
    return count


def while_true(n):
    guess = 1
    while True:
        if guess * guess > n:
            return guess - 1
        guess += 1


def dynamic_step(n):
    step = -2 if n > 5 else 3
    total = 0
    for i in range(n, n + 12 * step, step):
        total += i
    return total


@pytest.mark.parametrize(
    "function",
    [
        doloops,
        count_down,
        strided,
        loop_variable_afterwards,
        else_of_loop,
        continue_in_while,
        nested_break,
        changing_bound,
        while_true,
        dynamic_step,
    ],
)
def test_loops(function):
    check(function, *[(n,) for n in (0, 1, 2, 3, 9, 10, 11, 25, 97)])


def test_a_zero_step_is_an_error():
    def function(n, step):
        total = 0
        for i in range(0, n, step):
            total += i
        return total

    check(function, (10, 3), (10, -1), (10, 0), (-10, -3))


# Well-known functions


def fib_iterative(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@njit
def fib_recursive(n):
    return n if n < 2 else fib_recursive(n - 1) + fib_recursive(n - 2)


@njit
def tribonacci(k):
    if k < 3:
        return 1
    return tribonacci(k - 1) + tribonacci(k - 2) + tribonacci(k - 3)


def fib_while(count):
    previous = 0
    current = 1
    while count > 0:
        count -= 1
        following = previous + current
        previous = current
        current = following
    return previous


def fib_float(n):
    a, b = 0.0, 1.0
    for _ in range(n):
        a, b = b, a + b
    return a


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def collatz_peak(start):
    peak = start
    x = start
    while x > 1:
        if x & 1:
            x = (3 * x + 1) >> 1
        else:
            x >>= 1
        peak = max(peak, x)
    return peak, x


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def gcd_subtract(left, right):
    while left != right:
        if left > right:
            left -= right
        else:
            right -= left
    return left


@njit
def gcd_recursive(a, b):
    return a if b == 0 else gcd_recursive(b, a % b)


def extended_gcd(a, b):
    x, y, u, v = 0, 1, 1, 0
    while a != 0:
        q, r = b // a, b % a
        x, y, u, v, b, a = u, v, x - u * q, y - v * q, a, r
    return b, x, y


@pytest.mark.parametrize("function", [fib_iterative, fib_recursive, fib_while, fib_float, tribonacci])
def test_fibonacci(function):
    check(function, *[(n,) for n in (0, 1, 2, 3, 10, 20)])


@pytest.mark.parametrize("function", [collatz, collatz_peak])
def test_collatz(function):
    check(function, *[(n,) for n in (1, 2, 3, 7, 27, 97, 871)])


@pytest.mark.parametrize("function", [gcd, gcd_subtract, gcd_recursive, extended_gcd])
def test_gcd(function):
    check(function, (12, 18), (18, 12), (7, 5), (100, 75), (1, 1))
