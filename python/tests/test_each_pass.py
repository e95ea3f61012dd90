"""Each pass alone, on modules that weren't made for it: it may refuse them, but neither panic nor break them.

The modules are the inputs of lit tests, and what the passes of a pipeline leave of a program: of these a
sample runs here, and all with ``PYOPT_EACH_PASS=all``.
"""

import os
import re

import pytest
from tools import PROGRAMS, ROOT, run, signatures_of, translate

ALL = os.environ.get("PYOPT_EACH_PASS") == "all"
INPUTS = sorted(path for path in (ROOT / "lit-tests").rglob("*.mlir") if "Inputs" not in path.parts)
STAGED = PROGRAMS if ALL else [path for path in PROGRAMS if path.stem == "raise_in_loop"]
PIPELINES = ("py-nopython-pipeline", "py-parallel-pipeline", "py-object-pipeline")


def try_each_pass(modules):
    """Run each pass on modules, and say what misbehaved; a crash names the last pass that ran."""
    done = run("pyopt", "--try-each-pass", "-", input="\n// -----\n".join(modules).encode(), timeout=900)
    found, report = done.stdout.decode(), done.stderr.decode(errors="replace")
    count = re.search(r"^(\d+) modules, (\d+) passes$", found, re.M)
    assert count and int(count[1]) > 0 and int(count[2]) > 50, report[-2000:]
    assert done.returncode == 0, found


def test_inputs_of_lit_tests():
    try_each_pass([path.read_text() for path in INPUTS])


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("program", STAGED, ids=lambda program: program.stem)
def test_what_passes_leave(program, pipeline):
    typed = pipeline != "py-object-pipeline"
    source = translate(program, *(signatures_of(program) if typed else ()), debuginfo=False)
    shown = run(
        "pyopt",
        f"--{pipeline}",
        "--mlir-print-ir-after-all",
        "--mlir-print-ir-module-scope",
        "--mlir-disable-threading",
        "-",
        input=source,
    )
    stages = re.split(r"^// -----// IR Dump .*$", shown.stderr.decode(), flags=re.M)[1:]
    assert stages
    try_each_pass([source.decode(), *stages[:: 1 if ALL else 5]])


def test_a_panic_is_told():
    """`typed-to-abi` once took values of Python's types and panicked: now there is a reason."""
    module = """func.func @f(%e: !typed.exception) {
      %0 = typed.exc_match %e in ["E"] : !typed.exception
      return
    }"""
    done = run("pyopt", "--pass-pipeline=builtin.module(typed-to-abi)", "-", input=module.encode())
    assert done.returncode == 1
    assert b"has values of Python's types; run 'typed-to-memref' before" in done.stderr
