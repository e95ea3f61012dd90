"""Branches, conditions, assignments."""

import pytest
from compare import check, combinations

# Branches


def chained_comparison(a, b):
    return a < b <= 10, 0 <= a < b < 100, a == b == 3, a != b != a, not (1 < a < 5)


def logic(a, b):
    return a > 0 and b > 0, a > 0 or b > 0, not (a > 0 and b < 0), (a or b) + (a and b)


def logic_in_branches(a, b):
    result = 0
    if a > 0 and b > 0:
        result += 1
    if a > 0 or b > 0:
        result += 2
    if not (a == b or a < 0) and b != 3:
        result += 4
    if (a > 1 and b > 1) or (a < -1 and (b < -1 or a + b == 0)):
        result += 8
    return result


def ternaries(a, b):
    x = a if a > b else b
    y = (a if a < 0 else -a) if b > 2 else (b if b % 2 else 0)
    return x, y, 1 if x == y else 2 if x > y else 3


def early_returns(a, b):
    if a == b:
        return 0
    if a > b:
        if b > 0:
            return 1
        if a > 5:
            return 2
        return 3
    if b == 7:
        return 4
    return 5


def elif_chain(a, b):
    if a < -5:
        r = a
    elif a < 0:
        r = a - b
    elif a == 0:
        r = 100
    elif b > 0 and a > 6:
        r = a * b
    else:
        r = b
        if r > 5:
            r -= 1
    return r


def short_circuit(a, b):
    # The division happens only where it is defined.
    if b != 0 and a // b > 1:
        return 1
    if b == 0 or a % b == 0:
        return 2
    return 3


def nested_branches(a, b):
    s = 0
    if a > 0:
        if b > 0:
            s = 1
            if a > b:
                s += 10
            else:
                s += 20
        else:
            s = 2
    else:
        t = a * a
        if t > b:
            s = t
    return s


def augmented(a, b):
    x = a
    x += b
    x *= 3
    x -= a
    x //= 2
    x %= 17
    x <<= 3
    x |= 5
    x &= 0xFF
    x ^= 0b1010
    x >>= 1
    x **= 2
    return x


def swaps(a, b):
    a, b = b, a
    c = a, b
    (d, e), f = c, a + b
    d, e, f = f, d, e
    return a, b, d, e, f


def truth_of_numbers(a, b):
    n = 0
    if a:
        n += 1
    if not b:
        n += 2
    while b:
        b = b - 1 if b > 0 else b + 1
        n += 10
    return n


def several_targets(a, b):
    x = y = a + b
    y += 1
    x, z = y, x
    return x, y, z


def dead_code(a, b):
    if False:
        a = a + 1000
    while False:
        b += 1
    if True:
        return a - b
    return a + b


def constants(a, b):
    big = 1 << 40
    mask = 0xFFFF_FFFF
    c = -9223372036854775808
    return a + big, b & mask, c + a, 1e-3 * a, 0x7FFF_FFFF_FFFF_FFFF - b


BRANCHES = (
    chained_comparison,
    logic,
    logic_in_branches,
    ternaries,
    early_returns,
    elif_chain,
    short_circuit,
    nested_branches,
    augmented,
    swaps,
    truth_of_numbers,
    several_targets,
    dead_code,
    constants,
)
FLOAT_BRANCHES = (chained_comparison, logic, logic_in_branches, early_returns, swaps)
INTEGER_PAIRS = [(0, 0), (1, 2), (2, 1), (3, 3), (-4, 7), (9, -2), (-6, -8), (7, 10), (12, 5)]


@pytest.mark.parametrize(("function", "args"), combinations(BRANCHES, INTEGER_PAIRS))
def test_branches(function, args):
    check(function, *args)


@pytest.mark.parametrize(
    ("function", "args"),
    combinations(
        FLOAT_BRANCHES, [(0.0, -0.0), (1.5, 2.5), (float("nan"), 1.0), (2.0, float("inf")), (-3.5, 3.5)]
    ),
)
def test_branches_on_floats(function, args):
    check(function, *args)
