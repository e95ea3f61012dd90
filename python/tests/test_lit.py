"""Tests of extensions under lit, configured by ``pyopt.lit``."""

import subprocess
import sys

import pytest
from tools import BUILD

CONFIGURATION = """
from pyopt.lit import configure

configure(config, lit_config, __file__, pyopt={pyopt!r}, py_translate={translate!r})
"""

PASSING = """\
// RUN: %pyopt %s --cse | FileCheck %s
// CHECK-COUNT-1: arith.addi
// CHECK-NOT: arith.addi
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
"""

TRANSLATED = """\
# RUN: %py-translate --python %python %s -s 'f(si64)' | %pyopt | FileCheck %s
# CHECK: py.specialize @f(si64)
def f(x):
    return x
"""


@pytest.fixture
def project(tmp_path):
    """Make the folder of an extension, whose tests are in one of its own."""
    folder = tmp_path / "mine" / "tests"
    folder.mkdir(parents=True)
    text = CONFIGURATION.format(pyopt=f"{BUILD}/pyopt", translate=f"{BUILD}/py-translate")
    (folder / "lit.cfg.py").write_text(text)
    return folder


def lit(folder, *arguments):
    program = "import sys; from lit.main import main; main()"
    command = [sys.executable, "-c", program, "-v", folder, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("arguments, name", [((), "mine"), (("--param", "roundtrip=1"), "mine (roundtrip)")])
def test_three_lines_are_enough(project, arguments, name):
    (project / "passing.mlir").write_text(PASSING)
    (project / "translated.py").write_text(TRANSLATED)
    (project / "Inputs").mkdir()
    (project / "Inputs" / "no-test.mlir").write_text("// RUN: false")
    done = lit(project, *arguments)
    assert done.returncode == 0, done.stdout
    assert f"PASS: {name} :: passing.mlir" in done.stdout
    assert f"PASS: {name} :: translated.py" in done.stdout
    assert "no-test" not in done.stdout


def test_what_fails_fails(project):
    (project / "failing.mlir").write_text(PASSING.replace("--cse", ""))
    done = lit(project)
    assert done.returncode == 1
    assert "FAIL: mine :: failing.mlir" in done.stdout
