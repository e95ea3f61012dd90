"""Fibonacci numbers, by iteration and by recursion."""

import numpy as np
import pytest
from compare import check, combinations

from pyopt import njit

# Fibonacci


def fib(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def fib_renamed(count):
    current, following = 0, 1
    for _unused in range(count):
        current, following = following, current + following
    return current


def fib_without_swap(n):
    a = 0
    b = 1
    for i in range(n):
        c = a + b
        a = b
        b = c
    return a


def fib_while(n):
    a, b = 0, 1
    while n > 0:
        a, b = b, a + b
        n -= 1
    return a


def fib_down(n):
    a, b = 0, 1
    for i in range(n, 0, -1):
        a, b = b, a + b
    return a


def fib_bounds(n):
    a, b = 1, 0
    for i in range(2, n + 2):
        a, b = a + b, a
    return b


def fib_early(n):
    if n < 2:
        return n
    a, b = 1, 1
    for i in range(2, n):
        a, b = b, a + b
    return b


def fib_modulo(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, (a + b) % 1000003
    return a


def fib_float(n):
    a, b = 0.0, 1.0
    for _ in range(n):
        a, b = b, a + b
    return a


def fib_two_at_once(n):
    a, b = 0, 1
    for _ in range(n // 2):
        a = a + b
        b = a + b
    return b if n % 2 else a


def fib_break(n):
    a, b, k = 0, 1, 0
    while True:
        if k == n:
            break
        a, b = b, a + b
        k += 1
    return a


def fib_array(n):
    memo = np.zeros(n + 2, np.int64)
    memo[1] = 1
    for i in range(2, n + 1):
        memo[i] = memo[i - 1] + memo[i - 2]
    return memo[n]


ITERATIVE = (
    fib,
    fib_renamed,
    fib_without_swap,
    fib_while,
    fib_down,
    fib_bounds,
    fib_early,
    fib_modulo,
    fib_float,
    fib_two_at_once,
    fib_break,
    fib_array,
)


@pytest.mark.parametrize(("function", "args"), combinations(ITERATIVE, (0, 1, 2, 3, 10, 40, 92, 93, 150)))
def test_fibonacci_by_iteration(function, args):
    check(function, *args)


@njit
def fib_rec(n):
    if n < 2:
        return n
    return fib_rec(n - 1) + fib_rec(n - 2)


@njit
def fib_rec_ternary(k):
    return k if k < 2 else fib_rec_ternary(k - 2) + fib_rec_ternary(k - 1)


@njit
def fib_rec_locals(n):
    if n <= 1:
        result = n
    else:
        left = fib_rec_locals(n - 1)
        right = fib_rec_locals(n - 2)
        result = left + right
    return result


@njit
def fib_rec_two_bases(n):
    if n == 0:
        return 0
    if n == 1:
        return 1
    return fib_rec_two_bases(n - 1) + fib_rec_two_bases(n - 2)


@njit
def fib_rec_tail(n, a, b):
    if n == 0:
        return a
    return fib_rec_tail(n - 1, b, a + b)


@njit
def fib_rec_entry(n):
    return fib_rec_tail(n, 0, 1)


@njit
def fib_rec_float(x):
    if x < 2.0:
        return x
    return fib_rec_float(x - 1.0) + fib_rec_float(x - 2.0)


@njit
def fib_rec_three(n):
    if n < 3:
        return 1
    return fib_rec_three(n - 1) + fib_rec_three(n - 2) + fib_rec_three(n - 3)


@njit
def fib_rec_in_loop(n):
    if n < 2:
        return n
    total = 0
    for back in range(1, 3):
        total += fib_rec_in_loop(n - back)
    return total


@njit
def fib_rec_pair(n):
    if n == 0:
        return 0, 1
    a, b = fib_rec_pair(n - 1)
    return b, a + b


@njit
def fib_rec_doubling(n):
    if n == 0:
        return 0, 1
    a, b = fib_rec_doubling(n // 2)
    c = a * (2 * b - a)
    d = a * a + b * b
    if n % 2 == 0:
        return c, d
    return d, c + d


@njit
def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


@njit
def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


@njit
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


RECURSIVE = (
    fib_rec,
    fib_rec_ternary,
    fib_rec_locals,
    fib_rec_two_bases,
    fib_rec_entry,
    fib_rec_three,
    fib_rec_in_loop,
    fib_rec_pair,
    fib_rec_doubling,
    is_even,
    is_odd,
)


@pytest.mark.parametrize(("function", "args"), combinations(RECURSIVE, (0, 1, 2, 5, 15)))
def test_fibonacci_by_recursion(function, args):
    check(function, *args)


def test_recursion_on_floats_and_several_arguments():
    check(fib_rec_float, 10.0)
    check(fib_rec_float, 0.5)
    check(ackermann, 2, 3)
