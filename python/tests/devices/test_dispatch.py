"""Which code runs: a parallel function has code for each device, and the context chooses."""

import os
import subprocess
import sys

import numpy as np
import pytest
from available import NAME, needs_device

from pyopt import device_context, njit, prange

pytestmark = needs_device


def scaled(a, factor):
    result = np.empty_like(a)
    for i in prange(a.shape[0]):
        result[i] = factor * a[i] + 1.0
    return result


def stepped(**options):
    result = np.zeros(4)
    for i in prange(4):
        result[i] = i * options["step"]
    return result


def test_keywords_reach_kernels():
    with device_context(NAME):
        np.testing.assert_array_equal(njit(parallel=True)(stepped)(step=3), [0, 3, 6, 9])


def test_the_context_chooses_the_code():
    compiled = njit(parallel=True)(scaled)
    a = np.arange(100.0)
    with device_context(NAME):
        np.testing.assert_array_equal(compiled(a, 2.0), 2 * a + 1)
        with device_context("cpu"):
            np.testing.assert_array_equal(compiled(a, 3.0), 3 * a + 1)
        compiled(a, 2.0)
    stats = compiled.device_stats()
    assert set(stats) == {NAME}
    assert stats[NAME].launches == 2
    assert stats[NAME].bytes_in >= stats[NAME].bytes_out == 2 * a.nbytes
    assert len(compiled.overloads) == 1


def test_code_for_a_device_is_inspected_in_its_context():
    compiled = njit(parallel=True)(scaled)
    with device_context(NAME):
        compiled(np.arange(10.0), 2.0)
        (text,) = compiled.inspect_llvm().values()
        assert "pyopt_device_launch" in text
    assert compiled.inspect_llvm() == {}


def test_diagnostics_say_what_moved(capsys):
    compiled = njit(parallel=True)(scaled)
    with device_context(NAME):
        compiled(np.arange(10.0), 2.0)
        compiled.parallel_diagnostics()
    told = capsys.readouterr().out
    assert f"On {NAME}" in told
    assert "1 kernels launched" in told and "80 bytes copied to the host, in 1 copies" in told


def test_functions_without_parallel_stay_on_the_cpu():
    compiled = njit(scaled)
    with device_context(NAME):
        compiled(np.arange(10.0), 2.0)
    assert compiled.device_stats() == {}
    assert len(compiled.overloads) == 1


def test_declared_signatures_are_compiled_for_devices_when_they_are_called():
    compiled = njit("float64[:](float64[:], float64)", parallel=True)(scaled)
    with device_context(NAME):
        found = compiled(np.arange(10.0)[::2], 2)
    np.testing.assert_array_equal(found, 2 * np.arange(10.0)[::2] + 1)
    assert compiled.device_stats()[NAME].launches == 1
    with device_context(NAME), pytest.raises(TypeError, match="No matching definition"):
        compiled("text", 2)


PROGRAM = """
import numpy as np, sys
from pyopt import njit, prange, device_context

@njit(parallel=True, cache=True)
def scaled(a):
    result = np.empty_like(a)
    for i in prange(a.shape[0]):
        result[i] = 2.0 * a[i]
    return result

for name in sys.argv[1:]:
    with device_context(name):
        assert (scaled(np.arange(5.0)) == 2 * np.arange(5.0)).all()
print(sum(scaled.stats.cache_hits.values()), sum(scaled.stats.cache_misses.values()))
print(scaled.device_stats())
"""


def test_the_device_is_part_of_the_key_on_disk(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)

    def run(*names):
        environment = {**os.environ, "PYOPT_CACHE_DIR": str(tmp_path / "cache")}
        command = [sys.executable, str(program), *names]
        ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        return ran.stdout.splitlines()

    assert run("cpu")[0] == "0 1"
    assert run(NAME)[0] == "0 1"
    counts, stats = run(NAME, "cpu")
    assert counts == "2 0"
    assert "launches=1" in stats
