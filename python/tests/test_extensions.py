"""Extensions that installed packages name as entry points."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import warnings
from pyopt import njit
import other
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    print(njit(lambda x: other.twice(x))(4))
    print(njit(lambda x: other.twice(x) + 1)(4))
print([str(one.message) for one in told])
"""
OTHER = """
def twice(x):
    pass

def init():
    print("init")
    from pyopt.extending import overload

    @overload(twice)
    def _(x):
        return lambda x: 2 * x

def broken():
    raise KeyError("lost")
"""


def run(folder, group, *command, program=PROGRAM):
    """Run the program beside an installed package with entry points."""
    (folder / "other.py").write_text(OTHER)
    metadata = folder / "other-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(group)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    command = [sys.executable, *command, "-c", program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("group", "command"), [("pyopt_extensions", ()), ("numba_extensions", ("-m", "pyopt.numba"))]
)
def test_an_extension_is_loaded_once_at_the_first_compilation(tmp_path, group, command):
    done = run(tmp_path, f"[{group}]\ninit = other:init\n", *command)
    assert done.stdout == "init\n8\n9\n[]\n", done.stderr


def test_extensions_of_numbas_are_left_alone_elsewhere(tmp_path):
    done = run(tmp_path, "[numba_extensions]\ninit = other:init\n")
    assert "init" not in done.stdout and done.returncode != 0


def test_an_extension_that_fails_is_named(tmp_path):
    program = PROGRAM.replace("other.twice(x)", "2 * x")
    done = run(tmp_path, "[pyopt_extensions]\ninit = other:broken\n", program=program)
    assert done.stdout.startswith("8\n9\n"), done.stderr
    assert "the extension 'other:broken' isn't loaded: KeyError: 'lost'" in done.stdout
