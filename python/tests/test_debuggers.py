"""What gdb and perf see of compiled code."""

import os
import shutil
import subprocess
import sys

import pytest

PROGRAM = '''
import numpy as np
from pyopt import njit


@njit
def inner(n, k):
    return np.empty(n * k)


@njit
def outer(n):
    total = 0
    for k in range(3):
        total += inner(n, k).size
    return total


assert outer(4) == 12
'''


def run(path, command, **variables):
    path.write_text(PROGRAM)
    environment = {**os.environ, **variables}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)


@pytest.mark.skipif(shutil.which("gdb") is None, reason="gdb isn't installed")
def test_gdb_shows_python_lines(tmp_path):
    path = tmp_path / "program.py"
    command = ["gdb", "-batch", "-nx", "-ex", "set breakpoint pending on", "-ex", "break pyopt_alloc"]
    command += ["-ex", "run", "-ex", "bt 4", "--args", sys.executable, str(path)]
    shown = run(path, command, PYOPT_DEBUGGERS="gdb").stdout
    frames = [line for line in shown.splitlines() if line.startswith("#")]
    assert any("inner" in frame and frame.endswith(f"{path}:8") for frame in frames), shown
    assert any(frame.endswith(f"{path}:15") for frame in frames), shown


def test_perf_gets_functions_and_lines(tmp_path):
    path = tmp_path / "program.py"
    done = run(path, [sys.executable, str(path)], PYOPT_DEBUGGERS="perf", JITDUMPDIR=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    (dump,) = tmp_path.rglob("*.dump")
    data = dump.read_bytes()
    assert b"pyopt_entry_entry" in data
    assert str(path).encode() in data


def test_an_unknown_debugger_is_named(tmp_path):
    path = tmp_path / "program.py"
    done = run(path, [sys.executable, str(path)], PYOPT_DEBUGGERS="lldb")
    assert done.returncode == 1
    assert "PYOPT_DEBUGGERS names 'lldb', which is neither gdb nor perf" in done.stderr
