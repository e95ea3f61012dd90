"""Chains of array expressions under ``parallel=True``."""

import numpy as np
import pytest
from arrays import LAYOUTS_2D, matrix, vector
from compare import SumOf, Ulps, check
from test_prange_reductions import prange_sum
from test_prange_rows import row_sums

MODES = pytest.mark.parametrize("parallel", [True, False], ids=["parallel", "serial"])

# Chains of array expressions


def chain(x, y):
    a = x * 2.0 + y
    b = np.sqrt(a * a + 1.0)
    c = b - x
    return c.sum()


def chain_renamed(first, second):
    scaled = first * 2.0 + second
    rooted = np.sqrt(scaled * scaled + 1.0)
    shifted = rooted - first
    return shifted.sum()


def chain_one_line(x, y):
    return (np.sqrt((x * 2.0 + y) * (x * 2.0 + y) + 1.0) - x).sum()


def chain_np_sum(x, y):
    a = x - y
    b = a * a
    return np.sum(b)


def chain_reordered(x, y):
    d = y * y
    a = x * x
    b = a + d
    c = b * 0.5
    return c.sum()


def chain_kept(x, y):
    a = x + y
    b = a * a
    return b, (b - 1.0).sum()


def chain_two_sums(x, y):
    a = x * y
    b = a + 1.0
    return a.sum(), b.sum()


def chain_branch(x, y):
    a = x * y
    if len(x) > 4:
        a = a + x
    return a.sum()


def chain_loop(x, y):
    a = x + y
    for _ in range(3):
        a = a * 0.5 + x
    return a.sum()


def chain_overwritten(x, y):
    a = x + y
    a = a * 2.0
    a = a - y
    total = a.sum()
    a = a + 1.0
    return total, a


def chain_in_place(x, y):
    a = x + y
    a += x
    a *= 2.0
    return a.sum()


def chain_with_views(x, y):
    a = x[1:] + y[:-1]
    b = a * 2.0
    return b.sum()


def chain_mean(x, y):
    d = x - y
    m = d.sum() / max(d.size, 1)
    e = d - m
    return (e * e).sum()


CHAINS = (
    chain,
    chain_renamed,
    chain_one_line,
    chain_np_sum,
    chain_reordered,
    chain_kept,
    chain_two_sums,
    chain_branch,
    chain_loop,
    chain_overwritten,
    chain_in_place,
    chain_with_views,
    chain_mean,
)


@MODES
@pytest.mark.parametrize("function", CHAINS)
def test_chains(function, parallel):
    for n in (1, 5, 1000, 20011):
        x, y = np.abs(vector(n)), np.abs(vector(n, seed=2))
        # Every term of the chains above is at most 70 times a product of two elements.
        terms = 70 * (1 + x) * (1 + y) * (1 + x)
        check(function, x, y, numpy=True, tolerance=SumOf(terms), parallel=parallel)


@pytest.mark.parametrize("layout", LAYOUTS_2D)
@pytest.mark.parametrize("function", [chain, chain_reordered, chain_kept])
def test_chains_over_matrices(function, layout):
    x, y = matrix(37, 41, "f8", layout), matrix(37, 41, "f8", layout, 2)
    check(function, x, y, numpy=True, tolerance=SumOf(70 * (1 + x * x) * (1 + y * y)), parallel=True)


def test_parallel_elements_are_exact():
    def expression(x, y):
        return x * y + x, np.sqrt(x * x), np.exp(-x / 10)

    check(expression, vector(20000), vector(20000, seed=2), numpy=True, tolerance=Ulps(1), parallel=True)


@pytest.mark.parametrize("name", ["fusion", "reduction", "numpy", "prange", "setitem", "inplace_binop"])
def test_switched_off_transformations_change_nothing(name):
    x, y = np.abs(vector(3000)), np.abs(vector(3000, seed=2))
    check(chain, x, y, numpy=True, tolerance=SumOf(70 * (1 + x * x) * (1 + y)), parallel={name: False})
    check(prange_sum, x, tolerance=SumOf(x), parallel={name: False})
    check(row_sums, matrix(30, 20), parallel={name: False})
