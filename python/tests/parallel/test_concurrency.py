"""Threads, forks, regions inside of regions and settings of threads, each with 1, 2 and 7 threads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pyopt import errors, njit, prange, set_num_threads, set_parallel_chunksize

# The programs have all processors busy, under a time limit.
pytestmark = pytest.mark.serial

PROGRAMS = Path(__file__).with_name("concurrency_programs.py")
# A region that waits for ever fails its test.
SECONDS = 180


def run(*command, **settings):
    environment = os.environ | settings
    return subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, timeout=SECONDS
    )


@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize(
    "program",
    [
        "launch_from_two_threads",
        "nest",
        "call_objects",
        "fail",
        "fork",
        "fork_during",
        "fork_in_a_region",
        "set_threads",
        "set_chunksize",
        "interrupt",
    ],
)
def test_program(program, threads):
    done = run(
        PROGRAMS,
        program,
        PYOPT_NUM_THREADS=str(threads),
        PYOPT_WORK_PER_THREAD="1",
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("value", ["0", "-1", "many", "2.5", "1000000", ""])
def test_no_number_of_threads(value):
    program = """
from pyopt import njit, prange, get_num_threads
@njit(parallel=True)
def f(n):
    s = 0
    for i in prange(n):
        s += i
    return s
for call in (get_num_threads, lambda: f(3), lambda: f(1000000), njit(lambda: get_num_threads())):
    try:
        call()
    except (ValueError, RuntimeError) as error:
        print(error)
"""
    done = run("-c", program, PYOPT_NUM_THREADS=value)
    message = f"PYOPT_NUM_THREADS must be a number from 1 to 4096, not '{value}'\n"
    assert done.stdout == 4 * message, done.stderr


def test_no_layer_before_the_first_region():
    done = run("-c", "import pyopt; pyopt.threading_layer()")
    assert "ValueError: Threading layer is not initialized." in done.stderr


def wrong_threads(a):
    set_num_threads(a)


def wrong_size(a):
    set_parallel_chunksize(a)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (wrong_threads, "the number of threads must be an integer"),
        (wrong_size, "the parallel chunksize must be an integer"),
    ],
)
def test_settings_are_integers(function, message):
    with pytest.raises(errors.TypingError, match=message):
        njit(function)(1.5)


def manager_with_a_name(n):
    from contextlib import ExitStack

    with ExitStack():
        for i in prange(n):
            n += i
    return n


def test_other_contexts_are_refused():
    with pytest.raises(errors.PyoptError, match="'with' is not supported|import"):
        njit(parallel=True)(manager_with_a_name)(3)
