"""The elementary functions of devices without a library of them, compiled for the host."""

import ctypes
import ctypes.util
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from tools import run

BIN = Path(os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22")) / "bin"
PIPELINE = (
    "builtin.module(expand-elementary{device=true},convert-math-to-llvm,convert-arith-to-llvm,"
    "convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"
)
FUNCTIONS = ("exp", "log", "erf")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Compile the functions."""
    folder = tmp_path_factory.mktemp("elementary")
    module = "\n".join(
        f"func.func @device_{name}(%x: f64) -> f64 {{ %0 = math.{name} %x : f64 return %0 : f64 }}"
        for name in FUNCTIONS
    )
    lowered = run("pyopt", "-", f"--pass-pipeline={PIPELINE}", input=module.encode())
    assert lowered.returncode == 0, lowered.stderr.decode()
    translate = [BIN / "mlir-translate", "--mlir-to-llvmir", "-", "-o", folder / "code.ll"]
    subprocess.run(translate, input=lowered.stdout, check=True)
    clang = [BIN / "clang", "-O2", "-shared", "-fPIC", folder / "code.ll", "-o", folder / "code.so"]
    subprocess.run([*clang, "-lm"], check=True, capture_output=True)
    return ctypes.CDLL(str(folder / "code.so"))


def arguments(name):
    random = np.random.default_rng(5)
    if name == "log":
        special = [0.0, -0.0, -1.0, np.inf, -np.inf, np.nan, 5e-324, 2.3e-308, 1.0]
        return [*special, *np.exp(random.uniform(-740, 709, 20000)), *random.uniform(0.5, 2, 20000)]
    if name == "exp":
        special = [0.0, -0.0, 710.0, -746.0, 1e300, -1e300, np.inf, -np.inf, np.nan]
        return [*special, *random.uniform(-745, 709.7, 20000), *random.uniform(-1, 1, 20000)]
    special = [0.0, -0.0, 1.0, -1.0, 5e-324, 30.0, -30.0, np.inf, -np.inf, np.nan]
    return [*special, *random.uniform(-6.5, 6.5, 40000), *np.exp(random.uniform(-300, 0, 10000))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_are_neighbours_of_the_exact_ones_at_most(library, name):
    function = library[f"device_{name}"]
    function.argtypes, function.restype = [ctypes.c_double], ctypes.c_double
    # Rounded to double precision when it is returned.
    exact = ctypes.CDLL(ctypes.util.find_library("m"))[f"{name}l"]
    exact.argtypes, exact.restype = [ctypes.c_longdouble], ctypes.c_longdouble
    for x in map(float, arguments(name)):
        found, expected = function(x), exact(x)
        if not np.isfinite(expected) or expected == 0:
            same = found == expected and np.signbit(found) == np.signbit(expected)
            assert same or (np.isnan(found) and np.isnan(expected)), x
        else:
            assert abs(found - expected) <= np.spacing(abs(expected)), x
