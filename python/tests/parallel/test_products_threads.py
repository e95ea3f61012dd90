"""Products of matrices on threads: shapes, layouts, numbers of threads, and the option of it off."""

import os
import subprocess
import sys

import numpy as np

from pyopt import njit, set_num_threads

SHAPES = ((5, 7, 9), (1, 3, 1), (0, 3, 4), (4, 0, 3), (64, 65, 66), (300, 20, 40), (2, 100, 300))
DTYPES = ("float32", "float64", "complex64", "complex128", "int64")


def product(a, b):
    """Multiply matrices."""
    return a @ b


def layouts(a, b):
    """Yield the factors in several layouts."""
    yield a, b
    yield np.asfortranarray(a), b
    yield a[::-1], b[:, ::-1]
    yield np.repeat(a, 2, 0)[::2], np.repeat(b, 2, 1)[:, ::2]


def compare():
    """Compare all products with NumPy's."""
    random = np.random.default_rng(0)
    functions = njit(parallel=True)(product), njit(parallel={"numpy": False})(product)
    for dtype in DTYPES:
        for rows, terms, columns in SHAPES:
            a = (9 * random.random((rows, terms))).astype(dtype)
            b = (9 * random.random((terms, columns))).astype(dtype)
            for lhs, rhs in layouts(a, b):
                for threads in (1, 2, 7):
                    set_num_threads(threads)
                    for function in functions:
                        tolerance = 1e-4 if dtype in ("float32", "complex64") else 1e-11
                        np.testing.assert_allclose(function(lhs, rhs), lhs @ rhs, tolerance)


def test_products():
    # Threads and the work that one is worth are settings of a process.
    environment = os.environ | {"PYOPT_NUM_THREADS": "7", "PYOPT_WORK_PER_THREAD": "1"}
    done = subprocess.run([sys.executable, __file__], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_option_decides():
    a = np.ones((3, 3))
    for options, expected in ((True, True), ({"numpy": False}, False)):
        function = njit(parallel=options)(product)
        function(a, a)
        assert ("pyopt_matmul_on_threads_f64" in function.inspect_ir("infer-types")) == expected


if __name__ == "__main__":
    compare()
