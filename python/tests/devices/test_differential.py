"""Tests of parallel loops and stencils, run on a device: what they compare with is Python's result."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from available import NAME, needs_device

pytestmark = needs_device

TESTS = Path(__file__).parent.parent
# A fixed half of those on parallel loops and stencils; the others are run by hand, with `-p on_device`.
FILES = [
    "parallel/test_hoisting.py",
    "parallel/test_fused_elements.py",
    "differential/test_fused_chains.py",
    "differential/test_prange_errors.py",
    "differential/test_prange_reductions.py",
    "differential/test_prange_rows.py",
    "differential/test_programs_stencil.py",
    "test_stencils_in_functions.py",
]


@pytest.mark.parametrize("file", FILES)
def test_results_are_those_of_python(file):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "on_device", "--device", NAME, str(TESTS / file)]
    # The plugin is imported before pytest knows the folders of its configuration.
    folders = [str(TESTS / "devices"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, folders))}
    ran = subprocess.run(command, capture_output=True, text=True, cwd=TESTS.parent, env=environment)
    assert ran.returncode == 0, ran.stdout
    launches = re.search(r"launches=(\d+)", ran.stdout)
    assert int(launches[1]) > 0, ran.stdout
