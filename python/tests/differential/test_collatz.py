"""Collatz sequences."""

import pytest
from compare import check, combinations

# Collatz


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def collatz_renamed(start):
    count = 0
    while start != 1:
        if start % 2 == 0:
            start = start // 2
        else:
            start = 3 * start + 1
        count += 1
    return count


def collatz_ternary(n):
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def collatz_bits(n):
    steps = 0
    while n != 1:
        steps += 1
        if n & 1:
            n = n + (n << 1) + 1
        else:
            n >>= 1
    return steps


def collatz_shortcut(n):
    steps = 0
    while n != 1:
        if n % 2 == 1:
            n = (3 * n + 1) // 2
            steps += 2
        else:
            n //= 2
            steps += 1
    return steps


def collatz_peak(n):
    peak = n
    while n != 1:
        n = 3 * n + 1 if n % 2 else n // 2
        if n > peak:
            peak = n
    return peak


def collatz_inner_loop(n):
    steps = 0
    while n != 1:
        while n % 2 == 0:
            n //= 2
            steps += 1
        if n == 1:
            break
        n = 3 * n + 1
        steps += 1
    return steps


def collatz_true(n):
    steps = 0
    while True:
        if n == 1:
            return steps
        if n % 2 != 0:
            n = n * 3 + 1
            steps += 1
            continue
        n = n // 2
        steps += 1


def collatz_bounded(n):
    for steps in range(1000):
        if n == 1:
            return steps
        n = 3 * n + 1 if n % 2 == 1 else n // 2
    return -1


def collatz_float(n):
    steps = 0
    x = float(n)
    while x != 1.0:
        if x % 2 == 0:
            x = x / 2
        else:
            x = 3.0 * x + 1.0
        steps += 1
    return steps


def collatz_longest(limit):
    best = best_start = 0
    for start in range(1, limit):
        n = start
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        if steps > best:
            best, best_start = steps, start
    return best, best_start


def collatz_parity(n):
    even = odd = 0
    while n != 1:
        if n % 2:
            odd += 1
            n = 3 * n + 1
        else:
            even += 1
            n //= 2
    return even, odd, even + odd


COLLATZ = (
    collatz,
    collatz_renamed,
    collatz_ternary,
    collatz_bits,
    collatz_shortcut,
    collatz_peak,
    collatz_inner_loop,
    collatz_true,
    collatz_bounded,
    collatz_float,
    collatz_longest,
    collatz_parity,
)


@pytest.mark.parametrize(("function", "args"), combinations(COLLATZ, (1, 2, 3, 6, 27, 97, 871)))
def test_collatz(function, args):
    check(function, *args)
