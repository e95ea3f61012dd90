"""Code of kernels is what assemblers and validators of devices take."""

import re
import shutil
import subprocess

import pytest
from tools import PROGRAMS, ptxas, run, signatures_of, translate

MATH = """
import math
import numpy as np
from pyopt import prange

def functions(x, y):
    for i in prange(x.shape[0]):
        v = x[i]
        y[i] = (math.exp(v) + math.log(v) + math.sin(v) + math.cos(v) + math.tan(v) + math.sqrt(v)
                + math.asin(v) + math.acos(v) + math.atan(v) + math.sinh(v) + math.cosh(v) + math.tanh(v)
                + math.log1p(v) + math.expm1(v) + math.log2(v) + math.log10(v) + v ** 2.5 + v % 0.3
                + v // 0.7 + math.atan2(v, 2.0) + math.erf(v) + np.floor(v) + np.ceil(v) + np.trunc(v)
                + np.rint(v) + abs(v) + math.copysign(v, -1.0) + max(v, 2.0) + np.cbrt(v) + np.exp2(v))

def integers(x, y):
    for i in prange(x.shape[0]):
        v = x[-i]
        y[i] = v // 3 + v % 7 + (v << 2) + (v >> 1) + (v & 5) + (v ^ 9) + abs(v) + min(v, 8) - ~v

def conditions(x, n):
    s = 0.0
    for i in prange(x.shape[0]):
        k = 0
        while k < n and x[i] > k:
            k += 1
        if k % 2 == 0:
            s += k
    return s

def divisions(x, y):
    for i in prange(x.shape[0]):
        y[i] = 1 / x[i]
"""
SIGNATURES = [
    "functions(!typed.array<1, f64, C>, !typed.array<1, f64, A>)",
    "functions(!typed.array<1, f32, C>, !typed.array<1, f32, F>)",
    "integers(!typed.array<1, si64, C>, !typed.array<1, si32, A>)",
    "conditions(!typed.array<1, f64, C>, si64)",
    "divisions(!typed.array<1, si32, C>, !typed.array<1, f64, C>)",
]


@pytest.fixture(scope="session")
def modules(tmp_path_factory):
    """Give the modules of the programs and of what kernels may compute."""
    source = tmp_path_factory.mktemp("kernels") / "kernels.py"
    source.write_text(MATH)
    programs = [translate(program, *signatures_of(program)) for program in PROGRAMS]
    return [*programs, translate(source, *SIGNATURES)]


def binaries(modules, device):
    """Give the code of all kernels of modules."""
    stage = "--mlir-print-ir-after=gpu-module-to-binary"
    for module in modules:
        pipeline = f"--pass-pipeline=builtin.module(py-gpu-pipeline{{device={device}}})"
        made = run("pyopt", pipeline, stage, "-", input=module)
        assert made.returncode == 0, made.stderr
        for text in re.findall(r' = "((?:[^"\\]|\\.)*)">\]', made.stderr.decode()):
            yield unescaped(text)


def unescaped(text):
    """Give the bytes of a string of MLIR."""
    escape = re.compile(rb'\\(\\|"|n|t|[0-9A-F]{2})')
    named = {b"\\": b"\\", b'"': b'"', b"n": b"\n", b"t": b"\t"}
    return escape.sub(lambda match: named.get(match[1]) or bytes([int(match[1], 16)]), text.encode())


def check(command, code, path):
    """Run an assembler or validator on code."""
    path.write_bytes(code)
    ran = subprocess.run([*command, str(path)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.skipif(shutil.which("spirv-val") is None, reason="the package spirv-tools has spirv-val")
def test_spirv_is_valid(modules, tmp_path):
    made = list(binaries(modules, "opencl"))
    assert len(made) > 5
    for code in made:
        check(["spirv-val", "--target-env", "opencl2.2"], code, tmp_path / "kernels.spv")


@pytest.mark.skipif(ptxas() is None, reason="ptxas isn't installed: PyPI's nvidia-cuda-nvcc-cu12 has it")
def test_ptx_assembles(modules, tmp_path):
    made = list(binaries(modules, "cuda"))
    assert len(made) > 5
    for code in made:
        command = [ptxas(), "-arch=sm_70", "-o", str(tmp_path / "kernels.cubin")]
        check(command, code, tmp_path / "kernels.ptx")


def test_no_function_is_missing_in_ptx(modules):
    for code in binaries(modules, "cuda"):
        assert b".extern" not in code
