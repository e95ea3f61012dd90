"""PTX of kernels: what the text has, and that NVIDIA's assembler takes it."""

import math
import re
import subprocess

import numpy as np
import pytest
from tools import ptxas

from pyopt import device_context, errors, njit, prange, stencil

PTXAS = ptxas()
needs_ptxas = pytest.mark.skipif(
    PTXAS is None, reason="ptxas isn't installed: PyPI's nvidia-cuda-nvcc-cu12 has it"
)
CHIPS = ("sm_70", "sm_90")


def assemble(text, chip, folder):
    """Assemble PTX; give the number of kernels."""
    source = folder / "kernels.ptx"
    source.write_text(text)
    command = [PTXAS, f"-arch={chip}", "--warn-on-spills", source, "-o", folder / "kernels.cubin"]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, f"{ran.stderr}\n{text}"
    # Nothing of NVIDIA's library is called.
    assert not re.search(r"^\.extern", text, re.MULTILINE), text
    return text.count(".visible .entry")


def functions_of_floats():
    """Write a function that calls all functions of a float."""
    unary = (
        "sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh "
        "arccosh arctanh cbrt floor ceil trunc rint abs sign isnan isinf isfinite"
    ).split()
    lines = [f"        r += np.{name}(x[i])" for name in unary]
    lines += [
        f"        r += np.{name}(x[i], y[i])"
        for name in ("arctan2", "hypot", "nextafter", "copysign", "fmod")
    ]
    lines += [f"        r += math.{name}(x[i])" for name in ("erf", "erfc", "gamma", "lgamma")]
    lines += ["        r += x[i] ** y[i] + x[i] // y[i] + x[i] % y[i]", "        y[i] = r"]
    text = "\n".join(["def f(x, y):", "    for i in prange(x.shape[0]):", "        r = x[i]", *lines])
    scope = {"np": np, "math": math, "prange": prange}
    exec(text, scope)
    return scope["f"]


def functions_of_complex(x, y):
    for i in prange(x.shape[0]):
        z = x[i]
        z += np.sqrt(z) + np.exp(z) + np.log(z) + np.sin(z) + np.cos(z) + np.tan(z)
        y[i] = z * np.sinh(z) / np.cosh(z) + np.tanh(z) + np.abs(z)


def powers(x, y, z):
    for i in prange(x.shape[0]):
        z[i] = x[i] ** y[i] + abs(x[i]) // 3 + x[i] % 7


def raising(x, at):
    for i in prange(at.shape[0]):
        x[at[i]] = 1.0


def reductions(x):
    total, product, least = 0.0, 1.0, 1e300
    for i in prange(x.shape[0]):
        total += x[i]
        product *= x[i]
        least = min(least, x[i])
    return total, product, least, x.argmax(), x.std()


@stencil
def seven(a):
    return a[0, 0, 1] + a[0, 0, -1] + a[0, 1, 0] + a[0, -1, 0] + a[1, 0, 0] + a[-1, 0, 0] - 6 * a[0, 0, 0]


def stencils(a):
    b = seven(a)
    b[1:-1, 1:-1, 1:-1] += 0.5 * (a[:-2, 1:-1, 1:-1] + a[2:, 1:-1, 1:-1])
    return b


def nests(a, b):
    for i in prange(1, a.shape[0] - 1):
        for j in prange(1, a.shape[1] - 1):
            b[i, j] = a[i - 1, j] * a[i + 1, j]


def contexts(x):
    with device_context("cpu"):
        x += 1
    y = np.sqrt(x)
    return y * 2


FLOATS = functions_of_floats()
V, W = np.ones(4), np.ones(4, "f4")
I4, I8 = np.ones(4, "i4"), np.ones(4, "i8")
Z, C = np.ones(4, complex), np.ones(4, "c8")
CASES = {
    "floats64": (FLOATS, (V, V)),
    "floats32": (FLOATS, (W, W)),
    "complex128": (functions_of_complex, (Z, Z)),
    "complex64": (functions_of_complex, (C, C)),
    "powers64": (powers, (I8, I8, I8)),
    "powers32": (powers, (I4, I4, I4)),
    "raising": (raising, (V, np.zeros(1, int))),
    "reductions": (reductions, (V,)),
    "stencils": (stencils, (np.ones((4, 4, 4)),)),
    "nests": (nests, (np.ones((4, 4)), np.ones((4, 4)))),
    "strided": (nests, (np.ones((8, 8))[::2, ::2], np.ones((4, 4), order="F"))),
    "contexts": (contexts, (V,)),
}


@needs_ptxas
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("case", CASES)
def test_kernels_of_functions_assemble(case, chip, tmp_path):
    program, args = CASES[case]
    compiled = njit(parallel=True, boundscheck=case == "raising", error_model="numpy")(program)
    compiled(*args)
    (text,) = compiled.inspect_ptx(chip=chip).values()
    assert f".target {chip}" in text
    assert assemble(text, chip, tmp_path) >= 1


def test_the_text_is_given_without_a_device():
    compiled = njit(parallel=True)(nests)
    compiled(np.ones((4, 4)), np.ones((4, 4)))
    (text,) = compiled.inspect_ptx().values()
    assert ".target sm_70" in text and "mul.rn.f64" in text and "fma" not in text
    (signature,) = compiled.signatures
    assert compiled.inspect_ptx(signature, "sm_80").count(".target sm_80") == 1
    with pytest.raises(errors.PyoptError, match="'fast' is no architecture such as 'sm_80'"):
        compiled.inspect_ptx(chip="fast")


def test_functions_without_parallel_loops_have_none():
    compiled = njit(lambda x: x + 1)
    compiled(1)
    with pytest.raises(errors.PyoptError, match="parallel=True"):
        compiled.inspect_ptx()
