"""A pass of a library that is loaded into a running process."""

import os
import subprocess
import sys

import pytest
from numpy._core import _multiarray_umath
from pyopt import _core, device_context, errors, load_extension, njit

LIBRARY = os.environ["DOUBLING"]
OWN_MLIR = os.environ["DOUBLING_WITH_MLIR"]


def twice(x):
    return x * 2.0


def test_a_pass_is_added_to_a_running_process():
    before = njit(twice)
    assert before(1.5) == 3.0
    assert load_extension(LIBRARY) == "doubling"
    after = njit(twice)
    assert [after(x) for x in (1.5, -0.0, 1e308, float("inf"))] == [
        3.0,
        -0.0,
        float("inf"),
        float("inf"),
    ]
    assert "typed.binary mul" in before.inspect_ir("typed-rewrite")
    assert "typed.binary add %arg0, %arg0" in after.inspect_ir("doubling")
    assert ("after:typed-rewrite", "func.func(doubling)") in _core.placed_passes()
    with pytest.raises(ImportError, match="extension 'doubling' is registered already"):
        load_extension(LIBRARY)


def test_the_module_that_it_names_is_imported():
    module = sys.modules["doubled"]
    function = module.doubled
    compiled = njit(lambda x: function(x))
    assert compiled(1.5) == 3.0
    with pytest.raises(errors.TypingError):
        compiled("text")


def test_a_second_mlir_is_refused():
    with pytest.raises(ImportError, match="has an MLIR of its own"):
        load_extension(OWN_MLIR)
    assert njit(twice)(2.0) == 4.0


def test_what_is_no_extension_is_refused(tmp_path):
    with pytest.raises(ImportError, match="can't be loaded: .*cannot open"):
        load_extension(tmp_path / "missing.so")
    with pytest.raises(ImportError, match="is no extension: it has no function pyopt_plugin"):
        load_extension(_multiarray_umath.__file__)


def test_entry_points(tmp_path):
    metadata = tmp_path / "other-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[pyopt.extensions]\ndoubling = other:library\n")
    (tmp_path / "other.py").write_text(f"library = {LIBRARY!r}\n")
    program = (
        "from pyopt import njit, _core; print(njit(lambda x: x * 2.0)(4.0), _core.extensions())"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    run = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout.startswith("8.0 [('doubling', '0.1.0+"), run.stderr


def has_opencl():
    try:
        with device_context("opencl:cpu:0"):
            return True
    except errors.DeviceError:
        return False


@pytest.mark.skipif(not has_opencl(), reason="the package pocl-opencl-icd has a device")
@pytest.mark.parametrize("first", ["library", "device"])
def test_a_driver_with_an_llvm_of_its_own(first):
    """OpenCL's driver brings another LLVM into the process, before the library or after it."""
    program = f"""
import numpy as np
from pyopt import device_context, load_extension, njit, prange

@njit(parallel=True)
def twice(x):
    for i in prange(len(x)):
        x[i] = x[i] * 2.0

def library():
    load_extension({LIBRARY!r})

def device():
    x = np.arange(4.0)
    with device_context("opencl:cpu:0"):
        twice(x)
    assert x.tolist() == [0.0, 2.0, 4.0, 6.0] and twice.device_stats()["opencl:cpu:0"].launches == 1

order = [library, device]
for work in order if {first!r} == "library" else order[::-1]:
    work()
after = njit(lambda x: x * 2.0)
assert after(1.5) == 3.0 and "typed.binary add" in after.inspect_ir("doubling")
print("done")
"""
    run = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout == "done\n", run.stderr
