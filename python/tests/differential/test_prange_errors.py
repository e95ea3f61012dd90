"""Errors that leave parallel loops, and numbers of threads."""

import os
import subprocess
import sys

import numpy as np
import pytest
from arrays import laid_out, matrix, vector
from compare import SumOf, check
from test_prange_reductions import integer_sum, prange_sum
from test_prange_rows import row_sums, write_in_place

from pyopt import get_num_threads, njit, prange, set_num_threads

MODES = pytest.mark.parametrize("parallel", [True, False], ids=["parallel", "serial"])

# Errors in parallel loops: the arrays written are unspecified, the exception isn't.


def raise_in_parallel(a):
    for i in prange(len(a)):
        if a[i] < 0:
            raise ValueError("negative value")
        a[i] = 0.0
    return len(a)


@njit
def checked_root(x):
    if x < 0:
        raise ArithmeticError("root of a negative number")
    return np.sqrt(x)


def raise_in_callee(a):
    total = 0.0
    for i in prange(len(a)):
        total += checked_root(a[i])
    return total


def divide_in_parallel(a):
    out = np.zeros(len(a))
    for i in prange(len(a)):
        out[i] = 1.0 / a[i]
    return out


@MODES
@pytest.mark.parametrize("function", [raise_in_parallel, raise_in_callee, divide_in_parallel])
@pytest.mark.parametrize("n", [5, 20000])
@pytest.mark.parametrize("position", [None, 0, -1, "middle", "all"])
def test_errors_leave_parallel_loops(function, n, position, parallel):
    a = np.ones(n)
    bad = 0.0 if function is divide_in_parallel else -1.0
    if position == "all":
        a[:] = bad
    elif position is not None:
        a[n // 2 if position == "middle" else position] = bad
    check(function, a, written=False, parallel=parallel, tolerance=SumOf(a))


@pytest.mark.parametrize("threads", [1, 2])
def test_results_for_any_number_of_threads(threads):
    before = get_num_threads()
    if threads > before:
        pytest.skip(f"the pool has {before} threads")
    set_num_threads(threads)
    try:
        a = vector(10007)
        check(prange_sum, a, tolerance=SumOf(a), parallel=True)
        check(row_sums, matrix(100, 30), parallel=True)
        check(integer_sum, a, parallel=True)
        check(write_in_place, laid_out(a, "strided"), parallel=True)
    finally:
        set_num_threads(before)


def test_parallel_sums_are_reproducible():
    compiled = njit(parallel=True)(prange_sum)
    a = vector(50021)
    assert len({compiled(a) for _ in range(20)}) == 1


def test_impossible_numbers_of_threads():
    for wrong in (0, 100_000):
        with pytest.raises(ValueError, match="number of threads"):
            set_num_threads(wrong)


def test_the_environment_sets_the_number_of_threads():
    program = "import pyopt; print(pyopt.get_num_threads())"
    for value, expected in (("3", "3"), ("x", "PYOPT_NUM_THREADS must be a number")):
        environment = {"PYOPT_NUM_THREADS": value, "PYTHONPATH": os.pathsep.join(sys.path)}
        result = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
        )
        assert expected in result.stdout + result.stderr
