"""A sample of kernels in oclgrind, which finds invalid accesses and races."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

LIBRARIES = sorted(Path("/usr/lib").glob("**/oclgrind/liboclgrind-rt-icd.so"))
PROGRAM = """
import math
import numpy as np
from pyopt import device_context, devices, njit, prange, stencil
from pyopt.extending import reduction
from pyopt.offload import totals

NAME, = [one.name for one in devices() if "clgrind" in one.product]

@njit(parallel=True)
def chain(x, y):
    for i in prange(x.shape[0]):
        y[i] = x[i] * 2.0 + y[i]
    return np.sqrt(y) + x

@njit(parallel=True)
def every_other(x):
    for i in prange(x.shape[0] // 2):
        x[2 * i] = x[2 * i + 1]

@stencil
def mean(a):
    return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])

@njit(parallel=True)
def smooth(a):
    return mean(a)

@njit(parallel=True)
def total(x):
    result = 0.0
    for i in prange(x.shape[0]):
        result += x[i]
    return result

@njit(parallel=True)
def nested(a, b):
    for i in prange(1, a.shape[0] - 1):
        for j in prange(1, a.shape[1] - 1):
            b[i, j] = a[i - 1, j] + a[i, j + 1]

@njit(parallel=True)
def serial_inside(a, b):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = 2.0 * a[i, j]

@njit(parallel=True)
def slices(a, b):
    b[1:-1, 1:-1] = a[:-2, 1:-1] + a[1:-1, 2:]

@njit(parallel=True)
def total_of_nest(a):
    result = 0.0
    for i in prange(a.shape[0]):
        for j in prange(a.shape[1]):
            result += a[i, j]
    return result

@njit(parallel=True)
def chosen(x):
    with device_context(NAME):
        x += 1
        with device_context("cpu"):
            x *= 2
        x -= 3

@njit(parallel=True, boundscheck=True)
def out_of_bounds(x, at):
    for i in prange(at.shape[0]):
        x[at[i]] = 1.0

@njit(parallel=True)
def functions(x, n, z):
    for i in prange(x.shape[0]):
        z[i] = np.exp(z[i]) + np.log(z[i]) + np.sqrt(z[i])
        n[i] = n[i] ** (n[i] % 5)
        x[i] = np.nextafter(x[i], 0.0) + math.gamma(x[i]) + np.hypot(x[i], 2.0)

@reduction(identity=-np.inf)
def larger(one, other):
    return one if one > other else other

@njit(parallel=True)
def largest(x):
    found = -np.inf
    for i in prange(x.shape[0]):
        found = larger(found, x[i])
    return found

device, = [one for one in devices() if "clgrind" in one.product]
with device_context(device.name):
    x = np.arange(101.0)
    y = np.arange(101.0)
    np.testing.assert_allclose(chain(x, y), np.sqrt(3 * x) + x)
    every_other(x[::-1])
    grid = np.arange(20.0 * 30).reshape(20, 30)
    assert smooth(grid)[1, 1] == grid[1, 1]
    assert total(y) == y.sum()
    for function in (nested, serial_inside, slices):
        expected, found = np.zeros_like(grid), np.zeros_like(grid)
        function.py_func(grid, expected)
        function(grid, found)
        np.testing.assert_array_equal(found, expected)
    assert total_of_nest(grid) == grid.sum()
    for _ in range(2):
        try:
            out_of_bounds(np.zeros(7), np.arange(100))
        except IndexError as error:
            assert str(error).split()[1] in map(str, range(7, 100)), error
        else:
            raise AssertionError
    real, whole, z = np.arange(1.0, 40), np.arange(39), np.arange(1.0, 40) * (1 + 0.1j)
    expected = np.exp(z) + np.log(z) + np.sqrt(z)
    functions(real, whole, z)
    np.testing.assert_allclose(z, expected, rtol=1e-14)
    np.testing.assert_array_equal(whole, np.arange(39) ** (np.arange(39) % 5))
    assert largest(np.sin(np.arange(500.0))) == np.sin(np.arange(500.0)).max()
x = np.arange(50.0)
chosen(x)
np.testing.assert_array_equal(x, (np.arange(50.0) + 1) * 2 - 3)
print(totals(device.name).launches)
"""


@pytest.mark.skipif(not LIBRARIES, reason="oclgrind isn't installed")
def test_kernels_have_no_invalid_access_and_no_race(tmp_path):
    # Named as a driver: otherwise a loader that is itself loaded late doesn't find it.
    (tmp_path / "oclgrind.icd").write_text(f"{LIBRARIES[0]}\n")
    log = tmp_path / "log"
    log.touch()
    environment = {
        **os.environ,
        "OCL_ICD_VENDORS": f"{tmp_path}/",
        "OCLGRIND_DATA_RACES": "1",
        "OCLGRIND_CHECK_API": "1",
        "OCLGRIND_LOG": str(log),
    }
    command = [sys.executable, "-c", PROGRAM]
    ran = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert ran.returncode == 0, ran.stderr
    assert int(re.search(r"\d+", ran.stdout)[0]) > 0
    assert log.read_text() == ""
