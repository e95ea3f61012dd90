"""Functions whose decorator names the device that they run on."""

import numpy as np
import pytest
from available import NAME, needs_device

from pyopt import device_context, errors, njit, prange


def double(x):
    for i in prange(len(x)):
        x[i] *= 2


def test_an_absent_device_is_an_error_at_the_call():
    compiled = njit(parallel=True, target="slate:0")(double)
    for _ in range(2):
        with pytest.raises(errors.DeviceError, match="no driver has the name 'slate'"):
            compiled(np.ones(3))


@pytest.mark.parametrize("target", [1, True, b"cpu"])
def test_names_are_texts(target):
    with pytest.raises(errors.PyoptError, match="expected 'cpu' or the name of a device"):
        njit(parallel=True, target=target)(double)


def test_devices_are_for_parallel_loops():
    with pytest.raises(errors.PyoptError, match="devices run parallel loops, of parallel=True"):
        njit(target="opencl")(double)


@needs_device
def test_the_context_has_no_effect():
    here = njit(parallel=True, target="cpu")(double)
    there = njit(parallel=True, target=NAME)(double)
    x = np.arange(5.0)
    with device_context(NAME):
        here(x)
    there(x)
    with device_context("cpu"):
        there(x)
    np.testing.assert_array_equal(x, 8 * np.arange(5.0))
    assert not here.device_stats()
    assert there.device_stats()[NAME].launches == 2


def test_plain_functions_are_for_the_cpu():
    assert njit(target="cpu")(lambda x: x + 1)(1) == 2
