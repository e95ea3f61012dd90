"""Functions of the library on threads: what they give, and that they are."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pyopt import njit

HERE = Path(__file__).parent
GROUPS = [
    *("sums", "products", "means", "extremes", "scans", "joins", "repeats", "whole", "positions"),
    *("without_nan", "without_nan_positions"),
]


@pytest.mark.parametrize("option", ["--on", "--off"])
@pytest.mark.parametrize("group", GROUPS)
def test_results_on_threads(group, option):
    # Threads and the work that one is worth are settings of a process.
    environment = os.environ | {"PYOPT_NUM_THREADS": "7", "PYOPT_WORK_PER_THREAD": "1"}
    command = [sys.executable, HERE / "library_threads.py", group, option]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ", 0 failed" in done.stdout


def test_loops_of_the_library_are_named(capsys):
    @njit(parallel=True)
    def f(a):
        return a.sum(axis=0)

    f(np.ones((3, 4)))
    f.parallel_diagnostics(level=1)
    text = capsys.readouterr().out
    assert "of by_columns: reduction over 1 dimension at pyopt/library/lane_threads.py" in text
