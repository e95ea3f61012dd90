"""What only NVIDIA's devices have: streams and the arrays of other libraries."""

import numpy as np
import pytest

import pyopt
from pyopt import device_context, njit, prange
from pyopt.errors import DeviceError
from pyopt.offload import synchronize, totals

NAME = "cuda:0"


def _reason():
    try:
        with device_context(NAME):
            return None
    except DeviceError as error:
        return str(error)


reason = _reason()
pytestmark = pytest.mark.skipif(reason is not None, reason=reason or "")


@njit(parallel=True)
def axpy(a, x, y):
    for i in prange(x.shape[0]):
        y[i] += a * x[i]


def test_results_are_those_of_the_cpu():
    x, y = np.arange(1000.0), np.ones(1000)
    with device_context(NAME):
        axpy(2.0, x, y)
        axpy(1.0, x[::-2], y[1::2])
    expected = 1 + 2 * x
    expected[1::2] += x[::-2]
    np.testing.assert_array_equal(y, expected)
    assert axpy.device_stats()[NAME].launches == 2


def test_device_arrays_move_nothing():
    x, y = (pyopt.to_device(np.ones(1000), device=NAME) for _ in range(2))
    with device_context(NAME):
        axpy(2.0, x, y)
        before = totals(NAME)
        axpy(2.0, x, y)
        after = totals(NAME)
    assert (after.bytes_in, after.bytes_out) == (before.bytes_in, before.bytes_out)
    np.testing.assert_array_equal(y.copy_to_host(), np.full(1000, 5.0))


def test_cupy_shares_arrays():
    cupy = pytest.importorskip("cupy")
    there = pyopt.to_device(np.arange(12.0).reshape(3, 4), device=NAME)
    shared = cupy.asarray(there[:, ::2])
    shared += 1
    expected = np.arange(12.0).reshape(3, 4)
    expected[:, ::2] += 1
    cupy.cuda.runtime.deviceSynchronize()
    np.testing.assert_array_equal(there.copy_to_host(), expected)
    taken = cupy.from_dlpack(there)
    np.testing.assert_array_equal(taken.get(), expected)
    del there
    np.testing.assert_array_equal(taken.get(), expected)


@pytest.mark.parametrize("stream", ["default", "own"])
def test_arrays_of_cupy_are_used_in_place(stream):
    cupy = pytest.importorskip("cupy")
    theirs = cupy.arange(1000.0)
    ours = pyopt.as_device_array(theirs[::2])
    x = pyopt.to_device(np.ones(500), device=NAME)
    own = cupy.cuda.Stream() if stream == "own" else None
    with device_context(NAME, stream=own and own.ptr):
        axpy(2.0, x, ours)
        synchronize()
    expected = np.arange(1000.0)
    expected[::2] += 2
    np.testing.assert_array_equal(theirs.get(), expected)


def test_out_of_memory_is_a_memory_error_with_sizes():
    with pytest.raises(MemoryError, match=r"no room for .*are free"):
        pyopt.device_array(1 << 38, "f8", device=NAME)
