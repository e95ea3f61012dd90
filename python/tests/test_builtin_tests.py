"""CPython's own tests of some types, with their expressions in compiled code; the command runs them all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"


def run(module):
    """Run the tool on a module of tests."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(TOOLS), str(TOOLS.parent / "python")])}
    command = [sys.executable, "-m", "builtin_tests", module]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


@pytest.mark.skipif(not TOOLS.exists(), reason="the tests are in a wheel's, without the tools")
@pytest.mark.parametrize("module", ["test_bisect", "test_string"])
def test_tests_of_cpython(module):
    pytest.importorskip(f"test.{module}", reason="this CPython comes without its tests")
    done = run(module)
    assert done.returncode == 0, done.stdout + done.stderr
    passed, tried, same, *_, compiled, calls = map(int, done.stdout.splitlines()[1].split()[1:])
    assert passed >= tried == same > 0 and calls >= compiled > 0


@pytest.mark.skipif(not TOOLS.exists(), reason="the tests are in a wheel's, without the tools")
def test_modules_that_this_cpython_lacks():
    done = run("test_of_nothing")
    assert done.returncode == 1
    assert "No module named 'test.test_of_nothing'" in done.stdout
    assert "1 without a reason" in done.stdout
