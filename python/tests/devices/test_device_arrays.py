"""Arrays that stay on a device."""

import gc
from time import perf_counter

import numpy as np
import pytest
from available import NAME, needs_device

import pyopt
from pyopt import device_context, njit, prange
from pyopt.offload import memory_in_use, synchronize, totals

pytestmark = needs_device


@njit(parallel=True)
def axpy(a, x, y):
    for i in prange(x.shape[0]):
        y[i] += a * x[i]


@njit(parallel=True)
def halves(x):
    return x[: x.shape[0] // 2]


@njit(parallel=True)
def same(x):
    return x


@njit
def serial_sum(x):
    total = 0.0
    for value in x:
        total += value
    return total


@njit
def fill(x, value):
    for i in range(x.shape[0]):
        x[i] = value


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "u1", "?", "c16", "M8[s]"])
@pytest.mark.parametrize("shape", [(), (0,), (7,), (3, 0, 2), (4, 5)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_contents_come_back(shape, dtype, order):
    ary = np.arange(np.prod(shape, dtype=int)).reshape(shape, order=order).astype(dtype)
    there = pyopt.to_device(ary, device=NAME)
    assert (there.shape, there.dtype) == (ary.shape, ary.dtype)
    # NumPy gives arrays without elements the strides that it likes.
    assert there.strides == ary.strides or ary.size == 0
    back = there.copy_to_host()
    np.testing.assert_array_equal(back, ary)
    assert back.strides == ary.strides or ary.size == 0


def test_parts_are_copied():
    there = pyopt.to_device(np.arange(20.0), device=NAME)
    np.testing.assert_array_equal(there[5:9].copy_to_host(), [5, 6, 7, 8])
    np.testing.assert_array_equal(there[::-3].copy_to_host(), np.arange(20.0)[::-3])
    assert there[7].copy_to_host() == 7
    there[2:4] = [100, 200]
    there[10:14:2] = -1
    there[0].copy_to_device(np.array(5.0))
    expected = np.arange(20.0)
    expected[2:4], expected[10:14:2], expected[0] = [100, 200], -1, 5
    np.testing.assert_array_equal(there.copy_to_host(), expected)
    grid = there.reshape(4, 5)
    np.testing.assert_array_equal(grid.T.copy_to_host(), expected.reshape(4, 5).T)
    np.testing.assert_array_equal(grid[1:, ::2].copy_to_host(), expected.reshape(4, 5)[1:, ::2])
    with pytest.raises(ValueError, match="side by side"):
        grid.T.reshape(20)
    with pytest.raises(TypeError, match="integers and slices"):
        there[[1, 2]]


def test_copies_go_into_arrays_that_are_given():
    there = pyopt.to_device(np.arange(6.0).reshape(2, 3), device=NAME)
    rows, columns = np.zeros((2, 3)), np.zeros((2, 3), order="F")
    assert there.copy_to_host(rows) is rows
    there.copy_to_host(columns)
    np.testing.assert_array_equal(rows, columns)
    with pytest.raises(TypeError):
        there.copy_to_host(np.zeros((2, 3), "f4"))
    with pytest.raises(ValueError):
        there.copy_to_host(np.zeros(5))
    rows.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        there.copy_to_host(rows)
    np.testing.assert_array_equal(np.asarray(there), columns)


def test_a_device_is_named_or_of_the_context():
    with pytest.raises(ValueError, match="name a device"):
        pyopt.device_array(3)
    with device_context(NAME):
        made = pyopt.device_array((2, 3), "f4")
    assert made.device == NAME and made.dtype == "f4" and len(made) == 2
    assert "on opencl:cpu:0" in repr(made)
    with pytest.raises(TypeError):
        pyopt.device_array(3, object, device=NAME)
    with pytest.raises(ValueError):
        pyopt.device_array(-1, device=NAME)


def test_too_large_an_array_is_a_memory_error_with_sizes():
    with pytest.raises(MemoryError, match=r"no room for 1024\.0 TiB"):
        pyopt.device_array(1 << 47, "f8", device=NAME)


def test_what_is_kept_goes_where_there_is_no_room():
    there = pyopt.device_array(1 << 20, "u1", device=NAME)
    del there
    gc.collect()
    assert memory_in_use(NAME)[1] >= 1 << 20
    with pytest.raises(MemoryError, match="no room for"):
        pyopt.device_array(1 << 47, "u1", device=NAME)
    assert memory_in_use(NAME)[1] == 0


def test_memory_is_given_back():
    gc.collect()
    before = memory_in_use(NAME)[0]
    there = pyopt.device_array(1 << 20, "u1", device=NAME)
    view = there[10:]
    assert memory_in_use(NAME)[0] >= before + (1 << 20)
    del there
    assert memory_in_use(NAME)[0] >= before + (1 << 20)
    del view
    gc.collect()
    assert memory_in_use(NAME)[0] == before


def test_compiled_code_of_the_cpu_takes_them():
    there = pyopt.to_device(np.arange(5.0), device=NAME)
    assert serial_sum(there) == 10
    fill(there[1:3], 7.0)
    np.testing.assert_array_equal(there.copy_to_host(), [0, 7, 7, 3, 4])
    axpy(2.0, there, there)
    np.testing.assert_array_equal(there.copy_to_host(), [0, 21, 21, 9, 12])


def test_what_is_returned_of_them_is_on_the_device():
    there = pyopt.to_device(np.arange(6.0), device=NAME)
    assert same(there) is there
    half = halves(there)
    assert isinstance(half, pyopt.DeviceArray) and half.shape == (3,)
    del there
    np.testing.assert_array_equal(half.copy_to_host(), [0, 1, 2])


def test_kernels_use_them_where_they_are():
    x = pyopt.to_device(np.arange(1000.0), device=NAME)
    y = pyopt.to_device(np.ones(1000), device=NAME)
    with device_context(NAME):
        axpy(2.0, x, y)
        before = totals(NAME)
        axpy(2.0, x, y)
        axpy(1.0, x[::-1], y)
        after = totals(NAME)
    assert after.launches - before.launches == 2
    assert (after.bytes_in, after.bytes_out) == (before.bytes_in, before.bytes_out)
    numbers = np.arange(1000.0)
    np.testing.assert_array_equal(y.copy_to_host(), 1 + 4 * numbers + numbers[::-1])


@njit(parallel=True)
def iterate(x, count):
    for i in prange(x.shape[0]):
        value = x[i]
        for _ in range(count):
            value = value * 0.5 + 1.0
        x[i] = value


def test_calls_return_when_kernels_are_launched():
    x = pyopt.to_device(np.zeros(1000), device=NAME)
    with device_context(NAME):
        iterate(x, 1)
        begun = perf_counter()
        iterate(x, 200_000)
        launched = perf_counter()
        synchronize()
        ended = perf_counter()
    # Two orders of magnitude are between them.
    assert launched - begun < (ended - begun) / 4
    np.testing.assert_allclose(x.copy_to_host(), 2.0)


def test_others_of_cuda_are_refused():
    there = pyopt.device_array(3, device=NAME)
    assert not hasattr(there, "__cuda_array_interface__")
    with pytest.raises(BufferError, match="no DLPack"):
        there.__dlpack__()
