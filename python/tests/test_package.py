"""What an installed package tells: versions, a report for bugs, and types for type checkers."""

import importlib.metadata
import os
import platform
import re
import subprocess
import sys

import pytest

import pyopt

PROGRAM = """
import numpy as np
from numpy.typing import NDArray
import pyopt
from pyopt import cfunc, guvectorize, jit, njit, objmode, prange, stencil, typed, typeof, vectorize

@njit
def scaled(x: float, factor: int = 2) -> float:
    return x * factor

@njit(parallel=True, fastmath={"contract"})
def total(a: NDArray[np.float64]) -> float:
    s = 0.0
    for i in prange(a.size):
        reveal_type(i)  # int
        s += a[i]
    return s

@jit("float64(float64)", nopython=True)
def declared(x: float) -> float:
    with objmode(y="float64"):
        y = x
    return y

@vectorize(["float64(float64)"], target="parallel")
def half(x: float) -> float:
    return x / 2

@guvectorize([(pyopt.float64[:], pyopt.float64[:])], "(n)->()")
def sums(a: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    out[0] = a.sum()

@stencil(neighborhood=((-1, 1),), cval=0.0)
def mean(a: NDArray[np.float64]) -> float:
    return float(a[-1] + a[1])

@cfunc("float64(float64)")
def for_c(x: float) -> float:
    return x

reveal_type(scaled(1.0, factor=3))  # float
reveal_type(scaled.py_func)  # def (x: float, factor: int =) -> float
reveal_type(total(np.ones(3)))  # float
reveal_type(declared(2.0))  # float
reveal_type(half.nin)  # int
reveal_type(mean(np.ones(3)))  # numpy.ndarray[tuple[Any, ...], numpy.dtype[Any]]
reveal_type(for_c.address)  # int
reveal_type(for_c(1.0))  # float
reveal_type(pyopt.version_info.full)  # tuple[int, int, int]
reveal_type(pyopt.get_num_threads())  # int
reveal_type(typeof(1))  # pyopt.types.base.Type
scaled("x")  # error: arg-type
scaled(1.0, other=1)  # error: call-arg
njit(parallel=3)  # error: call-overload
pyopt.nothing  # error: attr-defined
"""


def test_a_type_checker_knows_what_decorators_make(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    check = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", program]
    ran = subprocess.run(check, capture_output=True, text=True)
    found = re.findall(r'^.*:(\d+): (?:note: Revealed type is "(.*)"|(error: ).*\[(.*)\])$', ran.stdout, re.M)
    # NumPy 2.2, the last one for CPython 3.10, has lengths of axes where later ones have anything.
    found = [(line, kind.replace("tuple[int, ...]", "tuple[Any, ...]"), *rest) for line, kind, *rest in found]
    said = {int(line): kind or error + code for line, kind, error, code in found}
    lines = enumerate(PROGRAM.split("\n"), 1)
    assert said == {number: line.split("  # ")[1] for number, line in lines if "  # " in line}, ran.stdout


def test_every_public_name_is_in_the_stubs(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import pyopt\n" + "".join(f"pyopt.{name}\n" for name in pyopt.__all__))
    check = [sys.executable, "-m", "mypy", "--cache-dir", tmp_path / "cache", program]
    ran = subprocess.run(check, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout


def test_the_version_is_one():
    version = pyopt.__version__
    info = pyopt.version_info
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    assert info.string == version == ".".join(map(str, info[:3])) == ".".join(info.tuple)
    assert (info.short, info.full) == (info[:2], info[:3])
    assert info >= (0, 1)
    try:
        assert importlib.metadata.version("pyopt") == version
    except importlib.metadata.PackageNotFoundError:
        # Where the sources are on the path, as in the tests' environment, nothing is installed.
        assert "site-packages" not in pyopt.__file__


def run(*arguments, **variables):
    command = [sys.executable, "-m", "pyopt", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **variables})


def test_the_report_says_what_a_bug_report_needs(tmp_path):
    ran = run(PYOPT_NUM_THREADS="3", PYOPT_CACHE_DIR=str(tmp_path))
    assert (ran.returncode, ran.stderr) == (0, "")
    facts = {line[:12].strip(): line[13:] for line in ran.stdout.splitlines()}
    assert facts["pyopt"].startswith(pyopt.__version__)
    assert facts["Python"].startswith(f"CPython {platform.python_version()}")
    assert facts["threads"] == "3"
    assert facts["cache"].endswith(str(tmp_path))
    assert f"PYOPT_CACHE_DIR={tmp_path} PYOPT_NUM_THREADS=3" in facts["variables"]
    assert re.fullmatch(r"22\.\d+\.\d+", facts["LLVM, MLIR"])
    assert set(facts) >= {"NumPy", "system", "processor", "features", "object mode", "devices"}


def test_wrong_commands_are_errors():
    ran = run("cashe")
    assert ran.returncode == 2
    assert "invalid choice: 'cashe'" in ran.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["cache", "--help"]])
def test_commands_explain_themselves(arguments):
    ran = run(*arguments)
    assert ran.returncode == 0
    assert "usage: python -m pyopt" in ran.stdout


def test_a_first_call_loads_only_what_it_needs():
    """Types and errors as Python has them take a quarter as long to load as a small function to compile."""
    program = """
import sys
from pyopt import njit
assert njit(lambda a, b: a + b)(1, 2) == 3
# A global is looked at for what types and C functions it may stand for.
assert njit(lambda n: len([i for i in range(n)]))(3) == 3
print(*(name for name in ("types", "errors", "extending", "own_types") if f"pyopt.{name}" in sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
