"""The modules of checks beside this one, each in a process with seven threads for the smallest of loops."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("module", sorted(HERE.glob("checks_*.py")), ids=lambda path: path.stem)
def test_checks(module):
    # Threads and the work that one is worth are settings of a process.
    environment = os.environ | {"PYOPT_NUM_THREADS": "7", "PYOPT_WORK_PER_THREAD": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", module]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
