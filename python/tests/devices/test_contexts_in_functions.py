"""Contexts of devices that compiled functions enter, against the same program as Python."""

import mmap
import os
import subprocess
import sys
import threading

import device_programs
import numpy as np
import pytest
from available import NAME, needs_device
from differential.memory import growth

import pyopt
from pyopt import device_context, jit, njit, objmode, prange
from pyopt.errors import DeviceError, TypingError
from pyopt.offload import totals

DEVICE = NAME


@njit(parallel=True)
def doubled(x):
    result = np.empty_like(x)
    for i in prange(x.shape[0]):
        result[i] = 2 * x[i]
    return result


@njit(parallel=True)
def summed(x):
    total = 0.0
    for i in prange(x.shape[0]):
        total += x[i]
    return total


def launches(function, *args):
    """Say how many kernels a call launches, and what it gives or raises."""
    before = totals(NAME).launches
    try:
        result = function(*args)
    except (ValueError, ZeroDivisionError) as error:
        result = repr(error)
    assert pyopt.current_device() == "cpu"
    return totals(NAME).launches - before, result


@needs_device
@pytest.mark.parametrize("seed", range(60))
def test_random_programs(seed):
    program, text = device_programs.program(seed)
    compiled = njit(parallel=True)(program)
    for n in range(5):
        x, expected_x = np.arange(7.0), np.arange(7.0)
        expected = launches(program, expected_x, n)
        found = launches(compiled, x, n)
        assert found == expected, text
        np.testing.assert_array_equal(x, expected_x, err_msg=text)


@needs_device
def test_loops_of_the_body_and_of_callees_run_there():
    @njit(parallel=True)
    def mixed(x):
        with device_context(DEVICE):
            y = doubled(x)
            for i in prange(x.shape[0]):
                y[i] += 1
            with device_context("cpu"):
                y *= 3
            total = summed(y)
        return y + total

    x = np.arange(1000.0)
    before = totals(NAME)
    y = 3 * (2 * x + 1)
    np.testing.assert_array_equal(mixed(x), y + y.sum())
    assert totals(NAME).launches - before.launches == 2 + 2
    assert set(mixed.device_stats()) == {NAME}
    assert mixed.device_stats()[NAME].launches == 4


@needs_device
@pytest.mark.parametrize("outer", ["cpu", NAME])
def test_the_context_around_the_call_is_that_around_the_block(outer):
    @njit(parallel=True)
    def inside(x):
        x += 1
        with device_context("cpu"):
            x *= 2
        with device_context("opencl"):
            x -= 3
        x *= 5

    x = np.arange(10.0)
    before = totals(NAME).launches
    with device_context(outer):
        inside(x)
        assert pyopt.current_device() == outer
    np.testing.assert_array_equal(x, ((np.arange(10.0) + 1) * 2 - 3) * 5)
    assert totals(NAME).launches - before == (1 if outer == "cpu" else 3)


@needs_device
def test_device_arrays_are_used_in_all_contexts():
    @njit(parallel=True)
    def inside(x):
        x += 1
        with device_context(DEVICE):
            x *= 2
            with device_context("cpu"):
                x += 7
            x *= 3

    for context in ("cpu", NAME):
        x = pyopt.to_device(np.arange(10.0), device=NAME)
        with device_context(context):
            inside(x)
            inside(x)
        expected = np.arange(10.0)
        for _ in range(2):
            expected = ((expected + 1) * 2 + 7) * 3
        np.testing.assert_array_equal(x.copy_to_host(), expected)


@needs_device
def test_blocks_of_python_see_the_context():
    @njit(parallel=True)
    def inside(x):
        with device_context(DEVICE):
            x += 1
            with objmode(name="unicode_type"):
                name = pyopt.current_device()
                x[0] = 100
            x += 1
        with objmode(after="unicode_type"):
            after = pyopt.current_device()
        return name, after

    x = np.zeros(3)
    assert inside(x) == (NAME, "cpu")
    np.testing.assert_array_equal(x, [101, 2, 2])


@needs_device
def test_each_function_has_its_own_launches():
    called = njit(parallel=True)(doubled.py_func)

    @njit(parallel=True)
    def inside(x):
        with device_context(DEVICE):
            x += 1
        with objmode():
            with device_context(DEVICE):
                called(np.ones(3))
        with device_context(DEVICE):
            x += 1

    inside(np.ones(3))
    assert inside.device_stats()[NAME].launches == 2
    assert called.device_stats()[NAME].launches == 1


@needs_device
def test_errors_in_kernels_leave_the_context():
    @njit(parallel=True)
    def inside(x, y):
        with device_context(DEVICE):
            for i in prange(x.shape[0]):
                x[i] = 10 // y[i]
        return x[0]

    @njit(parallel=True)
    def caught(x, y):
        found = 0
        try:
            with device_context(DEVICE):
                for i in prange(x.shape[0]):
                    x[i] = 10 // y[i]
        except ZeroDivisionError:
            found = 1
        x += 1
        return found

    zero = np.arange(5)
    for function in (inside, caught):
        x = np.zeros(5, int)
        if function is inside:
            with pytest.raises(ZeroDivisionError):
                function(x, zero)
        else:
            assert function(x, zero) == 1
        assert pyopt.current_device() == "cpu"
        assert function(x, zero + 1) == (10 if function is inside else 0)


@needs_device
def test_memory_that_there_is_no_room_for_leaves_the_context():
    @njit(parallel=True)
    def inside(x):
        with device_context(DEVICE):
            for i in prange(x.shape[0]):
                x[i] = 1.0

    # Pages of memory that nothing touches cost nothing, and aren't reserved.
    room = {device.name: device for device in pyopt.devices()}[NAME].memory
    no_reserve = 0x4000
    pages = mmap.mmap(-1, 4 * room, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | no_reserve)
    large = np.frombuffer(pages, "f8")
    for _ in range(2):
        with pytest.raises(MemoryError, match="no room for"):
            inside(large)
        assert pyopt.current_device() == "cpu"
    x = np.zeros(3)
    inside(x)
    np.testing.assert_array_equal(x, 1)


@needs_device
def test_contexts_are_those_of_the_thread():
    @njit(parallel=True, nogil=True)
    def inside(x):
        with device_context(DEVICE):
            for _ in range(20):
                x += 1

    arrays = [np.zeros(50) for _ in range(4)]
    threads = [threading.Thread(target=inside, args=(one,)) for one in arrays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_array_equal(arrays, 20)


@needs_device
def test_nothing_leaks():
    @njit(parallel=True)
    def inside(x, n):
        with device_context(DEVICE):
            y = doubled(x)
            if n:
                raise ValueError("left")
            return y + 1

    def call():
        inside(np.ones(10), 0)
        with pytest.raises(ValueError):
            inside(np.ones(10), 1)

    assert growth(call) == 0


def absent(x):
    x += 1
    with device_context("slate:0"):
        x += 1
    return x


def test_an_absent_device_is_an_error_at_its_line():
    for options in ({"parallel": True}, {}):
        x = np.zeros(3)
        with pytest.raises(DeviceError, match="no driver has the name 'slate'") as raised:
            njit(**options)(absent)(x)
        assert raised.traceback[-1].lineno == absent.__code__.co_firstlineno + 1
        np.testing.assert_array_equal(x, 1)
        assert pyopt.current_device() == "cpu"


def test_an_absent_device_is_caught():
    @njit(parallel=True)
    def inside(x):
        try:
            with device_context("slate:0"):
                x += 1
        except Exception:
            x += 2
        return x

    np.testing.assert_array_equal(inside(np.zeros(3)), 2)


def test_plain_functions_enter_contexts_too():
    @njit
    def inside(x):
        with device_context("cpu"):
            return x + 1

    assert inside(1) == 2


@needs_device
def test_object_mode_enters_python_s():
    @jit(forceobj=True)
    def inside(x):
        with device_context(DEVICE):
            name = pyopt.current_device()
            x = doubled(x)
        return x, name

    before = totals(NAME).launches
    result, name = inside(np.arange(3.0))
    np.testing.assert_array_equal(result, [0, 2, 4])
    assert (name, totals(NAME).launches - before) == (NAME, 1)


PROGRAM = f"""
import pyopt, numpy as np
from pyopt import njit, prange, device_context

@njit(parallel=True, cache=True)
def inside(x):
    with device_context("{NAME}"):
        name = 1
        for i in prange(3):
            x[i] += 1
    return name

x = np.zeros(3)
print(inside(x), x, pyopt.current_device(), pyopt.offload.totals("{NAME}").launches)
"""


@needs_device
@pytest.mark.parametrize("disabled", ["0", "1"])
def test_programs_from_the_cache_and_without_compilation(tmp_path, disabled):
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = {
        **os.environ,
        "PYOPT_CACHE_DIR": str(tmp_path / "cache"),
        "PYOPT_DISABLE_JIT": disabled,
        "NUMBA_DISABLE_JIT": disabled,
    }
    launched = 1 - int(disabled)
    for _ in range(2):
        command = [sys.executable, str(tmp_path / "program.py")]
        ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        assert ran.stdout == f"1 [1. 1. 1.] cpu {launched}\n"


def of_variable(x, name):
    with device_context(name):
        x += 1


def with_stream(x):
    with device_context("cpu", stream=3):
        x += 1


def with_value(x):
    with device_context("cpu") as context:
        x += 1
    return context


def generator(x):
    with device_context("cpu"):
        yield x


@pytest.mark.parametrize(
    ("program", "args", "message"),
    [
        (of_variable, (np.zeros(3), "cpu"), "device_context in compiled code takes the name of a device"),
        (with_stream, (np.zeros(3),), "unexpected or unsupported keyword argument 'stream'"),
        (with_value, (np.zeros(3),), "device_context gives no value in compiled code"),
        (generator, (1,), "a generator can't enter a device_context"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_is_not_supported_is_refused_at_its_line(program, args, message):
    with pytest.raises(TypingError, match=message) as raised:
        list(njit(parallel=True)(program)(*args))
    assert f":{program.__code__.co_firstlineno + 1}:" in str(raised.value)
