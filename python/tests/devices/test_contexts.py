"""Contexts of devices: names, nesting, threads, errors, forks."""

import os
import subprocess
import sys
import threading

import pytest
from available import NAME, needs_device

import pyopt
from pyopt import device_context
from pyopt.errors import DeviceError


def test_the_cpu_is_the_default_and_a_device():
    assert pyopt.current_device() == "cpu"
    with device_context("cpu"):
        assert pyopt.current_device() == "cpu"
    assert pyopt.devices()[0].name == "cpu"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("abacus", "no driver has the name 'abacus': there are cpu, cuda, opencl"),
        ("", "no driver has the name ''"),
        ("opencl:toaster", "no device 'opencl:toaster'"),
        ("cuda:77", "no device 'cuda:77'"),
        ("cpu:1", "no driver has the name 'cpu': there are cpu, cuda"),
    ],
)
def test_what_is_not_there_is_an_error_at_entry(name, message):
    context = device_context(name)
    with pytest.raises(DeviceError) as caught:
        context.__enter__()
    assert message in str(caught.value)
    assert pyopt.current_device() == "cpu"


def test_a_name_is_text():
    with pytest.raises(TypeError):
        device_context(0)


def test_nothing_is_loaded_before_it_is_asked_for():
    program = (
        "import pyopt, numpy as np\n"
        "@pyopt.njit(parallel=True)\ndef f(a): return a + 1\n"
        "f(np.ones(3))\nwith pyopt.device_context('cpu'): f(np.ones(3))\n"
        "maps = open('/proc/self/maps').read()\n"
        "print('libOpenCL' in maps, 'libcuda' in maps)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "False False\n"


@needs_device
def test_contexts_nest_and_are_left_by_exceptions():
    with device_context(NAME):
        assert pyopt.current_device() == NAME
        with device_context("cpu"):
            assert pyopt.current_device() == "cpu"
        with pytest.raises(KeyError), device_context("opencl:cpu"):
            assert pyopt.current_device() == NAME
            raise KeyError
        assert pyopt.current_device() == NAME
    assert pyopt.current_device() == "cpu"


@needs_device
def test_contexts_are_those_of_a_thread():
    seen = []
    with device_context(NAME):
        thread = threading.Thread(target=lambda: seen.append(pyopt.current_device()))
        thread.start()
        thread.join()
    assert seen == ["cpu"]


@needs_device
def test_devices_tell_what_they_can():
    found = {device.name: device for device in pyopt.devices()}[NAME]
    assert found.memory > 0 and found.compute_units > 0 and found.max_block >= 1
    assert found.float64 is True and found.code == "spirv"


@needs_device
def test_streams_are_those_of_cuda():
    with pytest.raises(DeviceError, match="takes no streams"), device_context(NAME, stream=1):
        pass
    with pytest.raises(DeviceError, match="no streams"), device_context("cpu", stream=1):
        pass


@needs_device
def test_the_child_of_a_fork_gets_an_error():
    read, write = os.pipe()
    with device_context(NAME):
        array = pyopt.to_device([1.0, 2.0])
        child = os.fork()
        if child == 0:
            # Nothing of pytest's may run here.
            try:
                array.copy_to_host()
                os.write(write, b"no error")
            except DeviceError as error:
                os.write(write, str(error).encode())
                del array
            finally:
                os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        told = pipe.read()
    assert os.waitpid(child, 0)[1] == 0
    assert "forked" in told and "'spawn'" in told


def test_the_command_lists_devices():
    command = [sys.executable, "-m", "pyopt", "devices"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("cpu ")
