"""Integers that loops carry: divisions and indices of them, whose signs the compiler derives by induction."""

import random

import numpy as np
import pytest

from pyopt import njit

from .compare import check

TABLE = np.arange(16) * 3 + 1


def fibonacci(n, modulus):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, (a + b) % 1_000_003
    return a, b, (a + b) // 7, (a - b) // 7, (a - b) % modulus


def congruential(n, seed):
    state, total = seed % 1000, 0
    for _ in range(n):
        state = (state * 1103515245 + 12345) % 2147483648
        total += state // 65536 % 10 - state % 3
    return state, total


def falls_below(table, n):
    total = 0
    while n > -3:
        n -= 2
        total = total * 3 + table[n]
    return total, n // 3, n % 3


def stack(table, n):
    depth, total = 1, 0
    while depth > 0:
        depth -= 1
        total += table[depth] + depth // 3
        for k in range(3):
            if n > 0 and k != 1:
                n -= 1
                depth += 1
    return total, depth, n


def guarded_both(n, m):
    found = []
    while n != m and m >= 0:
        found.append(n % 5 + n // 5)
        n, m = m - 1, n - 3
    return found, n, m


def alternates(n):
    sign, total = 1, 0
    for i in range(n):
        total += sign * i // 3 + (sign * i) % 4
        sign = -sign
    return total


def grows(n, start):
    x = start
    third = rest = 0
    for _ in range(n):
        third, rest = x // 3, x % 10
        x += 7
    return third, rest, x // 3


@pytest.mark.parametrize("n", [0, 1, 2, 9, 30])
def test_programs(n):
    check(fibonacci, n, 7)
    check(fibonacci, n, -7)
    check(congruential, n, 42)
    check(congruential, n, -42)
    check(falls_below, TABLE, min(n, 15))
    check(stack, TABLE, min(n, 12))
    check(guarded_both, n, 17)
    check(guarded_both, 17, n)
    check(alternates, n)
    check(grows, n, 0)
    check(grows, n, -50)


def test_a_sum_that_llvm_computes_in_no_time_may_wrap_around():
    def jumps(n):
        x, third = 10, 0
        for _ in range(n):
            third = x // 3
            x += 1
        return third

    last = 10 + 2**63 - 1 - 1
    assert njit(jumps)(2**63 - 1) == (last - 2**64) // 3


NAMES = "xyz"
DIVISORS = (2, 3, 7, 10, -3, 64)


def expression(draw, depth=2):
    if depth == 0 or draw.random() < 0.25:
        return draw.choice([*NAMES, *NAMES, "i", str(draw.randint(-3, 9))])
    one, other = (expression(draw, depth - 1) for _ in range(2))
    return draw.choice(
        [
            f"({one} + {other})",
            f"({one} - {other})",
            f"({one} // {draw.choice(DIVISORS)})",
            f"({one} % {draw.choice(DIVISORS)})",
            f"({one} & {other})",
            f"min({one}, {other})",
            f"abs({one})",
        ]
    )


def statements(draw, indent, depth=2):
    lines = []
    for _ in range(draw.randint(1, 3)):
        name, other = draw.choice(NAMES), draw.choice(NAMES)
        kind = draw.random()
        if kind < 0.4 or depth == 0:
            lines.append(f"{name} = {expression(draw)} % {draw.choice(DIVISORS)}")
        elif kind < 0.55:
            lines.append(f"{name} {draw.choice('+-')}= {draw.choice(['1', '2', '5', f'({other} & 1)'])}")
        elif kind < 0.65:
            lines += [f"if -16 <= {name} < 16:", f"    total += t[{name}]"]
        elif kind < 0.75:
            test = f"{name} {draw.choice(['<', '>=', '==', '!='])} {draw.choice([other, '0', '3'])}"
            lines += [f"if {test}:", *statements(draw, 4, depth - 1)]
            lines += ["else:", *statements(draw, 4, depth - 1)] if draw.random() < 0.5 else []
        elif kind < 0.85:
            lines += [
                f"for k in range({draw.randint(1, 4)}):",
                f"    {name} {draw.choice('+-')}= {other} & 1",
            ]
        else:
            test = draw.choice([f"{name} > 0", f"{name} != 0", f"0 <= {name} < 20", f"{name} >= {other}"])
            lines += ["left = 5", f"while {test} and left > 0:", "    left -= 1"]
            lines += statements(draw, 4, 0)
    lines.append(f"total = (total * 3 + {expression(draw)}) % 1000003")
    return [" " * indent + line for line in lines]


def source_of(seed):
    draw = random.Random(seed)
    start = [f"    {name} = {draw.choice(['0', '1', '7', 'n', '-2'])}" for name in NAMES]
    body = statements(draw, 8)
    return "\n".join(
        [
            "def f(t, n):",
            *start,
            "    total = left = 0",
            "    for i in range(n):",
            *body,
            "    return total, x, y, z",
        ]
    )


@pytest.mark.parametrize("first", range(0, 120, 20))
def test_random_programs(first):
    for seed in range(first, first + 20):
        names = {}
        exec(compile(source_of(seed), f"<carried integers {seed}>", "exec"), names)
        compiled = njit(names["f"])
        for n in (0, 1, 2, 9, 25):
            expected = names["f"](TABLE, n)
            got = compiled(TABLE, n)
            assert got == expected, f"{source_of(seed)}\nn = {n}: {got}, not {expected}"
