"""Operands of one expression that must be repeated, by their sizes, layouts and types.

What doesn't have the sizes of the result goes through the runtime, all operands of an expression in one call.
"""

import itertools
import re

import numpy as np
import pytest
from arrays import laid_out, values
from compare import Ulps, check
from memory import live

from pyopt import njit

SHAPES = ((5, 3), (1, 3), (5, 1), (1, 1), (3,), (1,), (4,), (0, 3), (2, 3, 3), (2, 1, 3))
LAYOUTS = ("C", "F", "rows_reversed", "strided", "readonly", "unaligned", "odd")
DTYPES = ("int8", "float32", "int64", "complex128")


def two(a, b):
    return a - b


def four(a, b, c, d):
    return (a - b) * (c + d)


def assigned(a, b, out):
    out[...] = a + b
    return out


def chained(a, b, c):
    first = a + b
    second = c * a
    return first - second, first.sum()


def arrays(shapes, dtype="float64"):
    return [values(shape, dtype, seed) for seed, shape in enumerate(shapes)]


def check_operands(function, *operands, **options):
    """Compare with NumPy; what doesn't fit is told in other words."""
    got = check(function, *operands, numpy=True, message=False, **options)
    assert not isinstance(got, Exception) or re.match("(operands )?could not (be )?broadcast", str(got))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_pairs(dtype, layout):
    for shapes in itertools.product(SHAPES, repeat=2):
        a, b = arrays(shapes, dtype)
        check_operands(two, a, laid_out(b, layout))
        check_operands(two, laid_out(a, layout), b)


@pytest.mark.parametrize("shapes", list(itertools.product([(3,), (1,), (0,), (2, 3), (2, 1)], repeat=4)))
def test_four_operands(shapes):
    check_operands(four, *arrays(shapes))


@pytest.mark.parametrize("shapes", list(itertools.product([(2, 3), (1, 3), (2, 1)], repeat=3)))
def test_statements_share_operands(shapes):
    check_operands(chained, *arrays(shapes), tolerance=Ulps(16))


@pytest.mark.parametrize("shapes", list(itertools.product([(3,), (1,), (2, 3), (2, 1), (4,)], repeat=2)))
def test_assignments(shapes):
    a, b = arrays(shapes)
    target = np.arange(6.0).reshape(2, 3)
    check_operands(assigned, a, b, target)
    # A repeated operand that lies in the target.
    check_operands(assigned, target[:, :1], b, target)


def test_operands_of_another_size_in_a_loop():
    """The table for the runtime is made once for a function, not in each iteration."""

    def many(a, b, n):
        total = 0.0
        for _ in range(n):
            total += (a * b).sum()
        return total

    a, b = np.arange(3.0), np.full(1, 0.5)
    assert njit(many)(a, b, 300_000) == 300_000 * 1.5


def test_the_operand_that_does_not_fit_is_told():
    compiled = njit(four)
    a, b, c, d = arrays([(3,), (1,), (3,), (4,)])
    with pytest.raises(ValueError, match=r"could not be broadcast together with shapes \(3,\) \(4,\)"):
        compiled(a, b, c, d)


@pytest.mark.parametrize("last", [(3,), (1,), (4,)])
def test_copies_are_given_back(last):
    """Also those before an operand that doesn't fit."""
    compiled = njit(four)
    operands = arrays([(3,), (1,), (1,), last])

    def call():
        try:
            return compiled(*operands)
        except ValueError:
            return None

    call()
    before = live()
    for _ in range(10):
        call()
    assert live() == before
