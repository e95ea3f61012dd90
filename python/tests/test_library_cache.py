"""The library's compiled functions are kept on disk: later processes link them."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

# Processes that are stopped half-way and race one another, timed.
pytestmark = pytest.mark.serial

PROGRAM = """
import sys
import numpy as np
from pyopt import _core, njit

@njit
def call(a):
    return {call}

a = np.{a}
for _ in range(2):
    np.testing.assert_array_equal(call(a), call.py_func(a))
print(*_core.library_cache_stats())
"""
SORT = PROGRAM.format(call="np.sort(a)", a="random.default_rng(1).random(50)")


def environment(cache, **more):
    """The environment of a process with a cache."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYOPT_")}
    path = os.pathsep.join(sys.path)
    return own | {"PYOPT_CACHE_DIR": str(cache), "PYTHONPATH": path} | more


def run(cache, program=SORT, **more):
    """Run a program; return how many functions it has found and how many it has put there."""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment(cache, **more), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return tuple(map(int, done.stdout.split()))


def files(cache):
    """Give the files of a cache."""
    return sorted(path for path in Path(cache).rglob("*") if path.is_file())


def test_a_later_process_finds_what_one_has_compiled(tmp_path):
    found, written = run(tmp_path)
    assert (found, written) == (0, 1)
    before = {path: path.read_bytes() for path in files(tmp_path)}
    assert run(tmp_path) == (written, 0)
    assert {path: path.read_bytes() for path in files(tmp_path)} == before


CALLS = {
    "np.unique(a)": "array([3, 1, 3, 2])",
    "np.argsort(a, kind='stable')": "array([3.0, np.nan, 3.0, -0.0])",
    "np.concatenate((a, a[::2], a))": "arange(9, dtype=np.uint8)",
    "np.median(a)": "random.default_rng(2).random(31).astype(np.float32)",
    "np.interp(a, a, a[::-1])": "arange(9.0)",
    "np.sort(a)": "array([], dtype=np.int16)",
}


@pytest.mark.parametrize("call", CALLS)
def test_functions(call, tmp_path):
    program = PROGRAM.format(call=call, a=CALLS[call])
    found, written = run(tmp_path, program)
    assert (found, written > 0) == (0, True)
    assert run(tmp_path, program) == (written, 0)


def test_types_have_entries_of_their_own(tmp_path):
    run(tmp_path)
    ints = PROGRAM.format(call="np.sort(a)", a="array([3, 1, 2])")
    assert run(tmp_path, ints) == (0, 1)
    assert len(files(tmp_path)) == 2


def test_exceptions(tmp_path):
    program = """
import traceback
import numpy as np
from pyopt import _core, config, njit

config.FULL_TRACEBACKS = 1

@njit
def call(a, q):
    return np.percentile(a, q)

try:
    call(np.arange(9.0), 300.0)
except ValueError as error:
    _, caller, *frames = traceback.extract_tb(error.__traceback__)
    assert (caller.name, caller.lineno) == ("call", 10)
    assert "def percentile" in open(frames[0].filename).read()
    assert frames[-1].line == f'raise ValueError("{error}")', frames
    assert str(error) == "Percentiles must be in the range [0, 100]"
else:
    raise AssertionError
print(*_core.library_cache_stats())
"""
    found, written = run(tmp_path, program)
    assert (found, written) == (0, 1)
    assert run(tmp_path, program) == (1, 0)


def test_hot_code_is_compiled_again(tmp_path):
    program = """
import time
import numpy as np
from pyopt import _core, njit

@njit
def call(a):
    return np.sort(a)

a = np.random.default_rng(3).random(100_000)
start = time.perf_counter()
while time.perf_counter() - start < 2:
    np.testing.assert_array_equal(call(a), np.sort(a))
print(*_core.library_cache_stats())
"""
    assert run(tmp_path, program) == (0, 1)
    assert run(tmp_path, program) == (1, 0)


@pytest.mark.parametrize("damage", ["empty", "cut", "changed", "other"])
def test_damaged_files_are_replaced(damage, tmp_path):
    run(tmp_path)
    (file,) = files(tmp_path)
    whole = file.read_bytes()
    middle = len(whole) // 2
    content = {
        "empty": b"",
        "cut": whole[:middle],
        "changed": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        "other": b"\x7fELF" + bytes(len(whole)),
    }
    file.write_bytes(content[damage])
    assert run(tmp_path) == (0, 1)
    assert run(tmp_path) == (1, 0)


def test_nothing_is_kept_without_a_directory(tmp_path):
    assert run("") == (0, 0)
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert run(blocked) == (0, 0)
    assert blocked.read_text() == ""


def test_a_directory_that_others_may_write_to_is_not_used(tmp_path):
    run(tmp_path)
    (tmp_path / "library").chmod(0o777)
    assert run(tmp_path) == (0, 0)


def test_code_that_describes_itself_or_is_rewritten_is_not_kept(tmp_path):
    assert run(tmp_path, PYOPT_DEBUGGERS="gdb") == (0, 0)
    rewrite = """
from pyopt.rewrites import Rewrite, register_rewrite

@register_rewrite("after-inference")
class Nothing(Rewrite):
    def match(self, block, typemap, calltypes):
        return False
"""
    program = SORT.replace("@njit", rewrite + "\n@njit", 1)
    assert run(tmp_path, program) == (0, 0)


def test_processes_at_once(tmp_path):
    results = []

    def work():
        results.append(run(tmp_path))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [sum(result) for result in results] == [1, 1, 1, 1]
    assert len(files(tmp_path)) == 1
    assert run(tmp_path) == (1, 0)


def test_the_default_place_is_the_users_cache(tmp_path):
    env = environment("", XDG_CACHE_HOME=str(tmp_path))
    del env["PYOPT_CACHE_DIR"]
    done = subprocess.run([sys.executable, "-c", SORT], env=env, capture_output=True, text=True)
    assert done.stdout.split() == ["0", "1"]
    (file,) = files(tmp_path)
    assert file.relative_to(tmp_path).parts[:2] == ("pyopt", "library")
    assert file.stat().st_mode & 0o077 == 0
    np.testing.assert_equal(file.parent.stat().st_mode & 0o077, 0)
