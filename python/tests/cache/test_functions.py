"""Functions from disk do what they did when they were compiled: results, errors, tracebacks, warnings."""

import math

import pytest
from cached_programs import HEAD, HELPERS, PROGRAMS
from projects import Project


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name, tmp_path):
    program, count = PROGRAMS[name]
    project = Project(tmp_path, main=HEAD + program, helpers=HELPERS)
    first = project.run()
    assert (first.counts, first.told) == ((0, count), [])
    again = project.run()
    assert (again.value, again.counts, again.told) == (first.value, (count, 0), [])
    # In another place, on other lines; the texts of lines in tracebacks are what they were.
    project.write(main="# moved\n\n" + HEAD + program, helpers="# moved" + HELPERS)
    project.move("elsewhere")
    moved = project.run()
    assert (moved.value, moved.counts, moved.told) == (first.value, (count, 0), [])


def test_tracebacks_name_the_file_and_line_of_now(tmp_path):
    main = """
from pyopt import njit
from helpers import check

@njit(cache=True)
def f(x):
    return check(x)

def run():
    import traceback
    try:
        f(0)
    except ValueError as error:
        return [(one.filename, one.lineno) for one in traceback.extract_tb(error.__traceback__)]
"""
    helpers = "def check(x):\n    if x == 0:\n        raise ValueError('zero')\n    return x\n"
    project = Project(tmp_path, main=main, helpers=helpers)
    project.run()
    project.write(helpers="\n\n\n" + helpers, main="\n" + main)
    project.move("elsewhere")
    again = project.run()
    assert again.counts == (1, 0)
    folder = project.folder
    expected = [(f"{folder}/main.py", 13), (f"{folder}/main.py", 8), (f"{folder}/helpers.py", 6)]
    assert again.value == repr(expected)


def test_warnings_are_told_in_every_process(tmp_path):
    main = """
import numpy as np
from pyopt import njit, prange

@njit(cache=True, parallel=True)
def f(a):
    for i in prange(1, a.shape[0]):
        a[0] = a[i]
    return a[0]

def run():
    return f(np.ones(10))
"""
    project = Project(tmp_path, main=main)
    first = project.run()
    assert [kind for kind, _ in first.told] == ["ParallelSafetyWarning"]
    again = project.run()
    assert (again.value, again.told, again.counts) == (first.value, first.told, (1, 0))


REFUSED = {
    "the global array 'TABLE' has 1048584 bytes; pass it as an argument": """
TABLE = np.zeros(131073)

@njit(cache=True)
def f(x):
    return TABLE[x]
""",
    "it describes itself to debuggers": """
@njit(cache=True, debug=True)
def f(x):
    return x
""",
    "it is compiled in object mode": """
from pyopt import jit

@jit(forceobj=True, cache=True)
def f(x):
    return x
""",
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_is_not_kept(reason, tmp_path):
    main = f"{HEAD}{REFUSED[reason]}\ndef run():\n    return f(1), f(2), f(1.0) if False else f(3)\n"
    project = Project(tmp_path, main=main)
    for _ in range(2):
        run = project.run()
        assert run.told == [("CacheWarning", f"f isn't kept on disk: {reason}")]
        assert run.hits == 0
    assert not project.files()


@pytest.mark.parametrize("point", ["before-inference", "after-inference"])
def test_rewrites_switch_the_cache_off(point, tmp_path):
    main = """
from pyopt import njit
REWRITE
@njit(cache=True)
def f(x):
    return x

def run():
    return f(1)
"""
    rewrite = f"""
from pyopt.rewrites import Rewrite, register_rewrite

@register_rewrite("{point}")
class Nothing(Rewrite):
    pass
"""
    project = Project(tmp_path, main=main.replace("REWRITE", ""))
    assert (project.run().counts, project.run().counts) == ((0, 1), (1, 0))
    # What is on disk was compiled without it.
    project.write(main=main.replace("REWRITE", rewrite))
    for _ in range(2):
        run = project.run()
        assert run.told == [("CacheWarning", "f isn't kept on disk: rewrites are registered")]
        assert run.hits == 0
    assert len(project.files()) == 1


def test_errors_of_compilation_name_their_lines(tmp_path):
    main = """
from pyopt import errors, njit

@njit(cache=True)
def f(x):
    return x.no_such_attribute

def run():
    try:
        f(1)
    except errors.TypingError as error:
        return error.place[1], error.place[0].endswith("main.py"), "no_such_attribute" in str(error)
"""
    project = Project(tmp_path, main=main)
    for _ in range(2):
        run = project.run()
        assert (run.value, run.told) == ("(6, True, True)", [])
    assert not project.files()


def test_ufuncs(tmp_path):
    program = """
@vectorize(cache=True)
def v(x, y):
    return x * y + 1

@vectorize(["float64(float64)"], cache=True)
def w(x):
    return x / 2

@guvectorize(["void(float64[:], float64[:])"], "(n)->()", cache=True)
def g(a, out):
    out[0] = a.sum()

def run():
    a = np.arange(4.0)
    return v(a, a), v(2, 3), w(a), g(np.ones((2, 3)))
"""
    project = Project(tmp_path, main=HEAD + program)
    first = project.run()
    written = {path: path.stat().st_mtime_ns for path in project.files()}
    assert len(written) >= 3
    again = project.run()
    assert (again.value, again.told) == (first.value, [])
    assert {path: path.stat().st_mtime_ns for path in project.files()} == written


# How long until the compiler's thread begins depends on the machine, and so does how long it takes.
@pytest.mark.parametrize("seconds", [0.2, 0.4, 0.6, 0.9, 1.3])
def test_the_process_ends_while_code_from_disk_is_compiled_again(tmp_path, seconds):
    main = f"""
import time
import numpy as np
from pyopt import njit

@njit(cache=True)
def f(a):
    return (a * a).sum() + np.sort(a)[0]

def run():
    a = np.arange(20_000.0)
    start = time.perf_counter()
    while time.perf_counter() - start < {seconds}:
        f(a)
"""
    project = Project(tmp_path, main=main)
    assert project.run().counts == (0, 1)
    assert project.run().counts == (1, 0)


def test_hot_code_from_disk_is_compiled_again(tmp_path):
    main = """
import time
import numpy as np
from pyopt import njit

@njit(cache=True)
def f(a):
    total = 0.0
    for x in a:
        total += x * x
    return total + np.sort(a)[0]

def run():
    a = np.arange(20_000.0)
    expected = f(a)
    start = time.perf_counter()
    while time.perf_counter() - start < 1.5:
        assert abs(f(a) - expected) <= 1e-9 * expected
    return expected
"""
    project = Project(tmp_path, main=main)
    assert project.run().counts == (0, 1)
    assert project.run().counts == (1, 0)


C_FUNCTIONS = """
import ctypes, sys
import numpy as np
from pyopt import njit, types

labs, cos = ctypes.CDLL(None).labs, types.ExternalFunction("cos", types.float64(types.float64))
labs.argtypes, labs.restype = [ctypes.c_long], ctypes.c_long

@njit
def callee(x):
    return cos(x)

@njit(cache=True)
def f(n, x):
    return labs(n) + callee(x) + callee(2 * x)

def run():
    return float(f(-3, 0.5))
"""


def test_code_that_calls_c_functions(tmp_path):
    """Where the functions are differs from process to process."""
    project = Project(tmp_path, main=C_FUNCTIONS)
    first, again = project.run(), project.run()
    assert float(first.value) == 3 + math.cos(0.5) + math.cos(1.0) and first.counts == (0, 1)
    assert (again.value, again.counts, again.told) == (first.value, (1, 0), [])
    # Another function under the same name is another key.
    project.write(main=C_FUNCTIONS.replace('"cos"', '"sin"'))
    other = project.run()
    assert float(other.value) == 3 + math.sin(0.5) + math.sin(1.0) and other.counts == (0, 1)


def test_caching_that_is_enabled_later(tmp_path):
    main = """
from pyopt import njit

@njit
def f(x):
    return x + 1

f.enable_caching()

def run():
    return f(1)
"""
    project = Project(tmp_path, main=main)
    assert project.run().counts == (0, 1)
    again = project.run()
    assert (again.value, again.counts) == ("2", (1, 0))


def test_flags_of_callees_are_part_of_the_key(tmp_path):
    main = """
import numpy as np
from pyopt import njit

@njit(fastmath=FLAGS)
def is_nan(x):
    return np.isnan(x)

@njit(cache=True)
def f(x):
    return is_nan(x)

def run():
    return f(np.nan)
"""
    project = Project(tmp_path, main=main.replace("FLAGS", "False"))
    assert (project.run().value, project.run().counts) == ("True", (1, 0))
    project.write(main=main.replace("FLAGS", "True"))
    changed = project.run()
    assert (changed.value, changed.counts) == ("False", (0, 1))
