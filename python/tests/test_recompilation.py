"""Code that stays hot is compiled again in the background: nothing else may change."""

import os
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from pyopt import njit, prange

# Calls are timed while another thread compiles.
pytestmark = pytest.mark.serial

# Far longer than what compiling in the background takes.
LONG = 30


@njit
def row_sums(a, limit):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > limit:
                raise ValueError("too large")
            out[i] += a[i, j] * (j + 1)
    return out


def called_long(function, *args):
    """Results of calls until the code was compiled again."""
    start = time.monotonic()
    results = []
    while time.monotonic() - start < 1.5:
        results.append(function(*args))
    return results


def test_results_stay_the_same():
    a = np.random.default_rng(3).random((300, 40))
    expected = row_sums.py_func(a, 2.0)
    results = called_long(row_sums, a, 2.0)
    assert len(results) > 30
    for result in results:
        np.testing.assert_array_equal(result, expected)
    with pytest.raises(ValueError, match="too large") as raised:
        row_sums(a, 0.5)
    assert raised.traceback[-1].lineno == row_sums.py_func.__code__.co_firstlineno + 5


def test_threads_share_what_is_compiled_again():
    @njit(nogil=True)
    def count(n):
        found = 0
        for i in range(n):
            for j in range(1, 30):
                found += (i * j) % 7 == 3
        return found

    expected = count.py_func(2000)
    wrong = []

    def work():
        for _ in range(400):
            if count(2000) != expected:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_parallel_code_is_compiled_again():
    @njit(parallel=True)
    def squares(a):
        total = 0.0
        for i in prange(len(a)):
            total += a[i] * a[i]
        return total

    a = np.arange(50_000.0)
    results = called_long(squares, a)
    np.testing.assert_allclose(results, np.sum(a * a))


def run(program, **variables):
    environment = {**os.environ, **variables}
    text = textwrap.dedent(program)
    # CPython 3.12 and later warn of a fork where there are threads.
    command = [sys.executable, "-W", "ignore:This process:DeprecationWarning", "-c", text]
    return subprocess.run(command, capture_output=True, text=True, timeout=LONG, env=environment)


HOT = """
    import os, time, warnings
    from pyopt import njit

    @njit
    def f(n):
        s = 0
        for i in range(n):
            s += i * i % 7
        return s

    expected = f.py_func(20_000)

    def calls(seconds):
        start = time.monotonic()
        while time.monotonic() - start < seconds:
            assert f(20_000) == expected
"""


@pytest.mark.parametrize("milliseconds", [0, 15, 40, 120])
def test_the_process_ends_at_any_time(milliseconds):
    program = (
        HOT
        + f"""
    f(1)
    start = time.monotonic()
    while time.monotonic() - start < {milliseconds / 1000}:
        f(20_000)
    """
    )
    done = run(program)
    assert (done.returncode, done.stderr) == (0, "")


def test_children_compile_again_for_themselves():
    done = run(
        HOT
        + """
    for _ in range(60):
        f(20_000)
    # CPython 3.12 and later warn of forks where threads are, and the compiler's is one.
    warnings.filterwarnings("ignore", ".*fork", DeprecationWarning)
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            calls(0.2)
            os._exit(0)
        children.append(child)
        f(20_000)
    for child in children:
        assert os.waitpid(child, 0)[1] == 0
    calls(0.2)
    """
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_it_can_be_switched_off():
    program = (
        HOT
        + """
    f(1)
    first = f.inspect_asm()
    for _ in range(3000):
        f(20_000)
    assert f.inspect_asm() == first
    """
    )
    done = run(program, PYOPT_RECOMPILE="0")
    assert (done.returncode, done.stderr) == (0, "")
