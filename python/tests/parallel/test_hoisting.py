"""Arrays and numbers that iterations make anew, in loops on one thread and on several."""

import math

import numpy as np
import pytest

from pyopt import njit, prange


def zeros_in_prange(a, x):
    n, m = a.shape
    out = np.empty(n)
    for i in prange(n):
        t = np.zeros(m)
        s = math.exp(x) * 2
        for j in range(m):
            t[j] += a[i, j] * s
        u = np.empty(3)
        u[0] = t[0] if m else x
        u[1] = u[0]
        out[i] = t.sum() + u[1]
    return out


def zeros_in_loop(a, x):
    total = 0.0
    for i in range(a.shape[0]):
        t = np.zeros((2, a.shape[1]), np.int64)
        if i % 2:
            t[0] += i
        t[1, i:] += t[0, i:] + 1
        total += t.sum() * x
    return total


def temporaries(a, x):
    for _ in range(3):
        b = a * 2.0
        a = b[::-1] + x
    return a


def kept(a, x):
    rows = []
    for i in range(a.shape[0]):
        row = np.zeros(a.shape[1])
        row[:] = a[i] + x
        rows.append(row)
    return rows


def last(a, x):
    t = np.zeros(2)
    for i in range(a.shape[0]):
        t = np.zeros(a.shape[1])
        t += a[i] * x
    return t


def huge_in_no_iteration(a, x):
    total = x
    for _ in range(a.shape[0] - 100):
        t = np.ones((2**40, 2**20))
        total += t[0, 0]
    return total


def negative_in_some_iteration(a, x):
    for i in range(3):
        a[i, 0] = x
        t = np.zeros(1 - i)
        a[i, 1] = t.size
    return a


def condition(a, x):
    total = 0.0
    for i in prange(a.shape[0]):
        if a[i].sum() > 0:
            t = np.full(4, x)
            t[i % 4] = 1.0
            total += t.sum() * math.sqrt(abs(x))
    return total


FUNCTIONS = (zeros_in_prange, zeros_in_loop, temporaries, kept, last, huge_in_no_iteration, condition)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("parallel", [False, True])
def test_as_python(function, parallel):
    compiled = njit(parallel=parallel)(function)
    random = np.random.default_rng(8)
    for shape in [(0, 3), (3, 0), (1, 1), (5, 4), (40, 9)]:
        a = random.random(shape) - 0.4
        for argument in (a, a[::-1], np.asfortranarray(a)):
            expected, found = function(argument.copy(), 0.5), compiled(argument.copy(), 0.5)
            assert len(np.shape(expected)) == len(np.shape(found))
            np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("parallel", [False, True])
def test_an_error_comes_when_it_came(parallel):
    a = np.zeros((3, 2))
    with pytest.raises(ValueError, match="negative dimensions"):
        njit(parallel=parallel)(negative_in_some_iteration)(a, 7.0)
    assert a.tolist() == [[7, 1], [7, 0], [7, 0]]


def test_the_report_tells_what_was_hoisted(capsys):
    compiled = njit(parallel=True)(zeros_in_prange)
    compiled(np.ones((3, 4)), 1.0)
    compiled.parallel_diagnostics(level=4)
    text = capsys.readouterr().out
    line = zeros_in_prange.__code__.co_firstlineno
    instructions, allocations = text.split("Instruction hoisting")[1].split("Allocation hoisting")
    assert "#0, the loop of prange at" in instructions
    hoisted = next(one for one in instructions.splitlines() if f"line {line + 5}: " in one)
    assert "exp" in hoisted.partition("[")[0]
    assert f"line {line + 4}: the array is made once" in allocations
    assert f"line {line + 8}: the array is made once" in allocations
    compiled.parallel_diagnostics(level=2)
    assert "hoisted" not in capsys.readouterr().out
