"""The variables that debuggers show of code compiled with ``debug=True``."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pyopt import njit

LLVM = Path(os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22")) / "bin"

PROGRAM = """
import numpy as np
from pyopt import njit


@njit(debug=True, _dbg_optnone=True)
def work(n, z, flag, a):
    total = 0
    for i in range(n):
        total += a[0, i]
    pair = (n, flag)
    w = z * total
    row = a[1]
    if flag:
        row = row * 2
    return total + w.real + pair[0] + row[0]


work(3, 1 + 2j, True, np.arange(6, dtype=np.float32).reshape(2, 3))
"""
LAST = PROGRAM.splitlines().index("    return total + w.real + pair[0] + row[0]") + 1


def work(n, z, flag, a):
    total = 0
    for i in range(n):
        total += a[0, i]
    pair = (n, flag)
    w = z * total
    row = a[1]
    if flag:
        row = row * 2
    return total + w.real + pair[0] + row[0]


def arguments():
    return 3, 1 + 2j, True, np.arange(6, dtype=np.float32).reshape(2, 3)


def dwarf(tmp_path, function, level):
    """Give what the object file says of functions and variables."""
    (text,) = function.inspect_asm().values()
    source, target = tmp_path / f"{level}.s", tmp_path / f"{level}.o"
    source.write_text(text)
    subprocess.run([LLVM / "llvm-mc", "-filetype=obj", source, "-o", target], check=True)
    command = [LLVM / "llvm-dwarfdump", "--name=work", "--show-children", target]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def described(text, tag):
    """Give names and types of the entries with a tag."""
    found = {}
    for entry in re.split(r"\n(?=0x)", text):
        if f"DW_TAG_{tag}\n" in entry:
            name = re.search(r'DW_AT_name\t\("(.*)"\)', entry)
            kind = re.search(r'DW_AT_type\t\(.*"(.*)"\)', entry)
            if name and kind:
                found[name[1]] = kind[1]
    return found


PARAMETERS = {"n": "int64", "z": "complex128", "flag": "bool", "a": "array(float32, 2d, C)"}
VARIABLES = {
    "total": "float64",
    "i": "int64",
    "pair": "Tuple(int64, bool)",
    "w": "complex128",
    "row": "array(float32, 1d, C)",
}


def test_object_files_name_variables_and_types(tmp_path):
    compiled = njit(debug=True, _dbg_optnone=True)(work)
    assert compiled(*arguments()) == work(*arguments())
    text = dwarf(tmp_path, compiled, "plain")
    assert described(text, "formal_parameter") == PARAMETERS
    assert described(text, "variable") == VARIABLES


def test_what_optimised_code_leaves_is_described(tmp_path):
    compiled = njit(debug=True)(work)
    assert compiled(*arguments()) == work(*arguments())
    text = dwarf(tmp_path, compiled, "optimised")
    parameters, variables = described(text, "formal_parameter"), described(text, "variable")
    assert parameters.items() <= PARAMETERS.items()
    assert variables.items() <= VARIABLES.items()
    assert {"n", "a"} <= parameters.keys()
    assert {"total", "w"} <= variables.keys()


def test_without_debug_nothing_is_described(tmp_path):
    compiled = njit(work)
    compiled(*arguments())
    (text,) = compiled.inspect_llvm().values()
    assert "#dbg" not in text and "DILocation" not in text


def run(path, *commands):
    path.write_text(PROGRAM)
    command = ["gdb", "-batch", "-nx", "-ex", "set breakpoint pending on"]
    for one in commands:
        command += ["-ex", one]
    command += ["--args", sys.executable, str(path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120).stdout


@pytest.mark.skipif(shutil.which("gdb") is None, reason="gdb isn't installed")
def test_gdb_shows_variables(tmp_path):
    path = tmp_path / "program.py"
    commands = ["run", "bt 1", "info args", "info locals", "print *row.data@row.shape[0]", "print w.imag"]
    shown = run(path, f"break program.py:{LAST}", *commands)
    for line in (
        "n = 3",
        "z = {real = 1, imag = 2}",
        "flag = true",
        "total = 3",
        "i = 2",
        "pair = {f0 = 3, f1 = true}",
        "w = {real = 3, imag = 6}",
        "$1 = {6, 8, 10}",
        "$2 = 6",
    ):
        assert line in shown.splitlines(), shown
    assert re.search(r"^a = \{data = 0x\w+, shape = \{2, 3\}, strides = \{12, 4\}\}$", shown, re.M), shown
    frame = rf"^#0 .*work \(n=3, z=.*, flag=true, a=.*\) at .*program.py:{LAST}$"
    assert re.search(frame, shown, re.M), shown


@pytest.mark.skipif(shutil.which("gdb") is None, reason="gdb isn't installed")
def test_gdb_stops_at_a_function(tmp_path):
    shown = run(tmp_path / "program.py", "break work", "run", "info args", "next", "next", "info locals")
    assert "n = 3" in shown.splitlines(), shown
    assert "total = 0" in shown.splitlines(), shown
