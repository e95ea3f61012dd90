"""Tries a wheel in an environment of its own: ``python wheel_trial.py ENVIRONMENT WHEEL``.

It is installed twice, used from a folder that has nothing of the project and without its variables,
and removed again; then the environment has what it had before.
"""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

PROGRAM = """
import numpy as np
import pyopt
from pyopt import njit, prange, stencil, vectorize

@njit(parallel=True)
def norms(a):
    out = np.empty(a.shape[0])
    for i in prange(a.shape[0]):
        out[i] = np.sqrt((a[i] * a[i]).sum())
    return out

@njit(cache=True)
def sorted_words(text):
    return sorted(set(text.split()))

@vectorize
def halved(x):
    return x / 2

@stencil
def mean(a):
    return (a[0, -1] + a[0, 1]) / 2

a = np.arange(40_000.0).reshape(200, 200)
assert np.allclose(norms(a), np.sqrt((a * a).sum(axis=1)))
assert sorted_words("b a b c") == ["a", "b", "c"]
assert (halved(a) == a / 2).all()
assert (mean(a)[:, 1:-1] == (a[:, :-2] + a[:, 2:]) / 2).all()
assert "site-packages" in pyopt.__file__, pyopt.__file__
"""
AS_NUMBA = """
import numba
assert numba.njit(lambda x: x + 1)(1) == 2
assert numba.njit.__module__.startswith("pyopt"), numba.njit.__module__
"""


def main(folder, wheel):
    """Make the environment, and try the wheel in it."""
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True, symlinks=True)
    python = folder / "bin" / "python"
    variables = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYOPT_", "PYTHON"))
    }
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    variables["PYOPT_CACHE_DIR"] = str(elsewhere / "cache")

    def run(*arguments, **more):
        print("+", *arguments, flush=True)
        subprocess.run([python, *arguments], cwd=elsewhere, env={**variables, **more}, check=True)

    run("-m", "pip", "install", "--quiet", "numpy")
    before = files(folder)
    for _ in range(2):
        run("-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", wheel)
    program = elsewhere / "program.py"
    program.write_text(PROGRAM)
    run(program)
    run("-c", AS_NUMBA, PYOPT_AS_NUMBA="1")
    run("-m", "pyopt")
    run("-m", "pip", "check")
    run("-m", "pip", "uninstall", "--quiet", "--yes", "pyopt")
    left = sorted(map(str, files(folder) - before))
    if left:
        sys.exit(f"uninstalling leaves {left}")


def files(folder):
    """Give the files of the environment's libraries and programs, without Python's caches."""
    found = (path for part in ("bin", "lib", "include") for path in (folder / part).rglob("*"))
    return {path for path in found if "__pycache__" not in path.parts}


main(Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute())
