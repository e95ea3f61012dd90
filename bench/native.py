"""Kernels in C and C++: `kernels/NAME.c` or `.cc`, compiled by clang and called through ctypes.

The compiler has what pyopt has: the host's instructions, no fast-math, no contraction of products
and sums, no `errno`, and arguments that may overlap. What a kernel takes and returns is read off a
call of the Python function, so that nothing is declared twice (`kernels/kernel.h` has the rules).
The kernels of `kernels/parallel` are compiled with OpenMP, where clang has it.
"""

from __future__ import annotations

import ctypes
import functools
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "kernels"
FLAGS = ("-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-shared", "-fPIC")
COMPILERS = ("clang-22", "clang", "/usr/lib/llvm-22/bin/clang")

SCALARS = {
    np.dtype(np.int64): ctypes.c_int64,
    np.dtype(np.float64): ctypes.c_double,
    np.dtype(np.float32): ctypes.c_float,
}


def compiler() -> str | None:
    """The path of clang, if there is one."""
    return next(filter(None, map(shutil.which, COMPILERS)), None)


def exists(kernel: str) -> bool:
    """Whether a kernel is there in C."""
    return source(kernel).exists()


def source(kernel: str) -> Path:
    """Where a kernel's C or C++ is."""
    path = FOLDER.joinpath(*kernel.split("."))
    return path.with_suffix(".cc" if path.with_suffix(".cc").exists() else ".c")


@functools.cache
def has_openmp() -> bool:
    """Whether clang compiles and links programs with OpenMP."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            compiler(),
            "-fopenmp",
            "-shared",
            "-o",
            f"{folder}/empty.so",
            "-xc",
            "/dev/null",
        ]
        return subprocess.run(command, capture_output=True).returncode == 0


def function(kernel: str, symbol: str, result: object) -> Callable:
    """A kernel in C as a function of Python; `result` is what the Python function returned once."""
    native = getattr(_library(kernel), symbol)
    free = _library(kernel).free
    free.argtypes = [ctypes.c_void_p]
    if isinstance(result, np.ndarray):
        native.restype = ctypes.c_void_p
        sizes = ctypes.c_int64 * result.ndim

        def call(*args: object) -> np.ndarray:
            shape = sizes()
            address = native(*_converted(args), shape)
            return _array(address, tuple(shape), result.dtype, free)

    else:
        native.restype = None if result is None else SCALARS[np.asarray(result).dtype]

        def call(*args: object) -> object:
            return native(*_converted(args))

    return call


@functools.cache
def _library(kernel: str) -> ctypes.CDLL:
    """A kernel's shared library, compiled anew in every process."""
    with tempfile.TemporaryDirectory() as folder:
        library = f"{folder}/{kernel}.so"
        threads = ["-fopenmp"] if "#pragma omp" in source(kernel).read_text() else []
        language = (
            ["-std=c++20", "-Wno-deprecated-declarations", "-lstdc++"]
            if source(kernel).suffix == ".cc"
            else []
        )
        command = [
            compiler(),
            *FLAGS,
            *threads,
            "-o",
            library,
            str(source(kernel)),
            *language,
            "-lm",
        ]
        subprocess.run(command, check=True)
        return ctypes.CDLL(library)


def _converted(args: tuple) -> list:
    values: list = []
    for arg in args:
        if isinstance(arg, np.ndarray):
            values += map(ctypes.c_int64, arg.shape)
            values.append(ctypes.c_void_p(arg.__array_interface__["data"][0]))
        elif isinstance(arg, str):
            # Texts here have characters of one byte.
            values += ctypes.c_int64(len(arg)), ctypes.c_char_p(arg.encode("ascii"))
        else:
            values.append(SCALARS[np.asarray(arg).dtype](arg))
    return values


def _array(address: int, shape: tuple[int, ...], dtype: np.dtype, free: Callable) -> np.ndarray:
    size = dtype.itemsize * int(np.prod(shape))
    memory = (ctypes.c_char * size).from_address(address)
    weakref.finalize(memory, free, address)
    return np.frombuffer(memory, dtype).reshape(shape)
