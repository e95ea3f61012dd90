"""The machine that code is compiled for, where the environment names another than this one."""

import os
import platform
import subprocess
import sys

import pytest

PROGRAM = """
import numpy as np
from pyopt import njit

@njit(fastmath=True)
def f(a):
    total = 0.0
    for x in a:
        total += x
    return total

assert f(np.ones(100)) == 100.0
print(*f.inspect_asm().values())
"""

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the names are those of x86-64")


def run(**variables):
    """Run the program; give its exit status, what it printed, and its errors."""
    environment = {**os.environ, **variables, "PYOPT_CACHE_DIR": ""}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("variables", "wide"),
    [
        ({"PYOPT_CPU_NAME": "generic"}, False),
        ({"PYOPT_CPU_NAME": "generic", "PYOPT_CPU_FEATURES": "+avx2"}, True),
        ({"PYOPT_CPU_NAME": "x86-64-v3"}, True),
        ({"PYOPT_CPU_NAME": "x86-64-v3", "PYOPT_CPU_FEATURES": "-avx,-avx2"}, False),
        ({"PYOPT_AS_NUMBA": "1", "NUMBA_CPU_NAME": "generic"}, False),
    ],
)
def test_named(variables, wide):
    """Code has the vectors of the CPU that is named, and no others."""
    status, printed, errors = run(**variables)
    assert (status, errors) == (0, "")
    assert ("ymm" in printed, "zmm" in printed) == (wide, False)


@pytest.mark.parametrize(
    ("variable", "value", "unknown"),
    [
        ("PYOPT_CPU_NAME", "pentium-9", "pentium-9"),
        ("PYOPT_CPU_FEATURES", "+avx2,+avx3", "+avx3"),
        ("PYOPT_CPU_FEATURES", "avx2 fma", "avx2 fma"),
    ],
)
def test_unknown(variable, value, unknown):
    """A name that LLVM doesn't know is an error that tells which variable has it."""
    status, _, errors = run(**{variable: value})
    assert status == 1
    assert f"{variable} names '{unknown}', which LLVM doesn't know for x86_64" in errors.splitlines()[-1]
    assert "not a recognized" not in errors
