"""A device of a library that is loaded into a running process."""

import ctypes
import math
import os
import subprocess
import sys

import numpy as np
import pytest
from pyopt import device_context, devices, errors, load_extension, njit, offload, prange

LIBRARY = os.environ["ABACUS"]


@pytest.fixture(scope="module")
def abacus():
    assert load_extension(LIBRARY) == "abacus"
    library = ctypes.CDLL(LIBRARY)
    library.abacus_launches.restype = ctypes.c_uint64
    library.abacus_break.argtypes = [ctypes.c_bool]
    return library


def test_it_is_listed(abacus):
    found = {one.name: one for one in devices()}
    assert found["abacus:0"].product == "ten rows of ten beads"
    assert found["abacus:0"].code == "llvm"
    with pytest.raises(
        errors.DeviceError, match="there are cpu, opencl, cuda, abacus|there are .*abacus"
    ):
        device_context("slate").__enter__()


def axpy(a, x, y):
    for i in prange(x.shape[0]):
        y[i] += a * x[i]


def test_loops_run_on_it(abacus):
    compiled = njit(parallel=True)(axpy)
    x, y = np.arange(1000.0), np.ones(1000)
    before = abacus.abacus_launches()
    with device_context("abacus"):
        compiled(2.0, x, y)
    assert abacus.abacus_launches() == before + 1
    np.testing.assert_array_equal(y, 2.0 * np.arange(1000.0) + 1.0)
    stats = compiled.device_stats()["abacus:0"]
    assert (stats.launches, stats.bytes_in, stats.bytes_out) == (1, 16000, 8000)
    with device_context("cpu"):
        compiled(2.0, x, y)
    assert abacus.abacus_launches() == before + 1


def test_functions_whose_target_it_is(abacus):
    there = njit(parallel=True, target="abacus")(axpy)
    here = njit(parallel=True, target="cpu")(axpy)
    x, y = np.arange(10.0), np.zeros(10)
    before = abacus.abacus_launches()
    for _ in range(2):
        there(1.0, x, y)
    assert abacus.abacus_launches() == before + 2
    with device_context("abacus"):
        here(1.0, x, y)
    assert abacus.abacus_launches() == before + 2
    np.testing.assert_array_equal(y, 3 * x)
    assert there.device_stats()["abacus:0"].launches == 2 and not here.device_stats()


def waves(a, out):
    for i in prange(a.shape[0]):
        for j in prange(a.shape[1]):
            out[i, j] = math.sin(a[i, j]) * math.exp(-a[i, j]) + (i + 10 * j if a[i, j] > 0 else -1)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32])
def test_results_are_those_of_the_cpu(abacus, dtype):
    a = (np.arange(35 * 17).reshape(35, 17) % 7 - 2).astype(dtype)[::-1, ::2]
    expected, found = np.zeros(a.shape), np.zeros(a.shape)
    compiled = njit(parallel=True)(waves)
    compiled(a, expected)
    with device_context("abacus:0"):
        compiled(a, found)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_whole_expressions(abacus):
    compiled = njit(parallel=True)(lambda a, b: np.sqrt(a * a + b * b) + (a > b))
    a, b = np.linspace(-3, 3, 301), np.cos(np.linspace(0, 9, 301))
    with device_context("abacus"):
        found = compiled(a, b)
    np.testing.assert_allclose(found, np.sqrt(a * a + b * b) + (a > b), rtol=1e-15)


def test_what_it_refuses_stays_on_the_host(abacus, capsys):
    def total(x):
        result = 0.0
        for i in prange(x.shape[0]):
            result += x[i]
        return result

    compiled = njit(parallel=True)(total)
    before = abacus.abacus_launches()
    with device_context("abacus"):
        assert compiled(np.ones(100)) == 100.0
        compiled.parallel_diagnostics()
    assert abacus.abacus_launches() == before
    assert "the loop stays on the host: an abacus doesn't reduce" in capsys.readouterr().out


def test_exceptions_of_kernels(abacus):
    @njit(parallel=True)
    def divide(x, out):
        for i in prange(x.shape[0]):
            out[i] = 10 // x[i]

    out = np.zeros(5, np.int64)
    with device_context("abacus"):
        divide(np.arange(1, 6), out)
        with pytest.raises(ZeroDivisionError):
            divide(np.arange(5), out)


def test_a_broken_device_is_an_error(abacus):
    compiled = njit(parallel=True)(axpy)
    y = np.ones(10)
    abacus.abacus_break(True)
    try:
        with (
            device_context("abacus"),
            pytest.raises(errors.DeviceError, match="the abacus is broken"),
        ):
            compiled(1.0, np.ones(10), y)
    finally:
        abacus.abacus_break(False)
    np.testing.assert_array_equal(y, np.ones(10))
    with device_context("abacus"):
        compiled(1.0, np.ones(10), y)
    np.testing.assert_array_equal(y, np.full(10, 2.0))


def test_memory_is_limited(abacus):
    compiled = njit(parallel=True)(axpy)
    with device_context("abacus"):
        with pytest.raises(MemoryError, match=r"abacus:0 has no room for .*: of 1\.0 MiB"):
            compiled(1.0, np.ones(200_000), np.ones(200_000))
        compiled(1.0, np.ones(50_000), np.ones(50_000))
    used, _ = offload.memory_in_use("abacus:0")
    assert used == 0


def test_kernels_are_kept_on_disk(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import sys, numpy as np, pyopt\n"
        "pyopt.load_extension(sys.argv[1])\n"
        "@pyopt.njit(parallel=True, cache=True)\n"
        "def double(x):\n"
        "    for i in pyopt.prange(x.shape[0]):\n"
        "        x[i] *= 2\n"
        "x = np.arange(4.0)\n"
        "with pyopt.device_context('abacus'):\n"
        "    double(x)\n"
        "stats, hits = double.device_stats()['abacus:0'], sum(double.stats.cache_hits.values())\n"
        "print(x.tolist(), stats.launches, hits)\n"
    )
    environment = os.environ | {"PYOPT_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, str(program), LIBRARY]
    for hits in (0, 1):
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert run.stdout == f"[0.0, 2.0, 4.0, 6.0] 1 {hits}\n", run.stderr
