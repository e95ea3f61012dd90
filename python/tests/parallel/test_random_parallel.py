"""Some random programs of array statements, always the same; ``random_parallel.py`` runs any number."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("seed", "count", "size"), [(0, 60, "--small"), (1000, 60, "--small"), (2000, 20, None)]
)
def test_random_programs(seed, count, size):
    # Threads and the work that one is worth are settings of a process.
    environment = os.environ | {"PYOPT_NUM_THREADS": "7", "PYOPT_WORK_PER_THREAD": "1"}
    command = [sys.executable, HERE / "random_parallel.py", "--count", str(count), "--seed", str(seed)]
    done = subprocess.run(command + [size] * bool(size), env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert f"{count} programs from {seed}, 0 failed" in done.stdout
