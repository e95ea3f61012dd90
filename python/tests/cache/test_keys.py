"""Code on disk is used if and only if everything that it was made of is the same."""

import pytest
from projects import Project

MAIN = """
import numpy as np
from pyopt import njit
from other import OFFSET, scale

FACTOR = 3
TABLE = np.array([1.0, 2.0, 4.0])

def make(step):
    @njit(cache=True)
    def add(x):
        return x + step
    return add

add = make(1)

def plain(x):
    return x - 1

@njit(cache=True)
def f(x):
    return plain(x) * FACTOR + TABLE[1] + scale(x) + OFFSET

def run():
    return f(5), add(5)
"""
OTHER = """
from pyopt import njit
from deepest import power

OFFSET = 100

@njit
def scale(x):
    return power(x) + 0
"""
DEEPEST = """
def power(x):
    return x ** 2
"""
VALUE = (4 * 3 + 2.0 + 25 + 100, 6)


@pytest.fixture
def project(tmp_path):
    made = Project(tmp_path, main=MAIN, other=OTHER, deepest=DEEPEST)
    first = made.run()
    assert (first.value, first.counts, first.told) == (repr(VALUE), (0, 2), [])
    assert len(made.files()) == 2
    return made


def test_a_later_process_finds_the_code(project):
    before = {path: path.read_bytes() for path in project.files()}
    again = project.run()
    assert (again.value, again.counts, again.told) == (repr(VALUE), (2, 0), [])
    assert {path: path.read_bytes() for path in project.files()} == before


# What is changed, in which file, and the value then; what isn't changed is found.
CHANGES = {
    "code": ("main", "* FACTOR", "- FACTOR", (4 - 3 + 2.0 + 25 + 100, 6), 1),
    "constant in code": ("main", "TABLE[1]", "TABLE[2]", (4 * 3 + 4.0 + 25 + 100, 6), 1),
    "global": ("main", "FACTOR = 3", "FACTOR = 4", (4 * 4 + 2.0 + 25 + 100, 6), 1),
    "global's type": ("main", "FACTOR = 3", "FACTOR = 3.0", VALUE, 1),
    "global array": ("main", "2.0, 4.0", "2.5, 4.0", (4 * 3 + 2.5 + 25 + 100, 6), 1),
    "global array's type": ("main", "4.0])", "4.0], np.float32)", VALUE, 1),
    "closure": ("main", "make(1)", "make(2)", (VALUE[0], 7), 1),
    "plain callee": ("main", "x - 1", "x - 2", (3 * 3 + 2.0 + 25 + 100, 6), 1),
    "callee's callee in another file": ("deepest", "x ** 2", "x ** 3", (4 * 3 + 2.0 + 125 + 100, 6), 1),
    "global from a module": ("other", "OFFSET = 100", "OFFSET = 200", (4 * 3 + 2.0 + 25 + 200, 6), 1),
    "callee's options": ("other", "@njit", "@njit(error_model='numpy')", VALUE, 1),
    "options": ("main", "@njit(cache=True)\ndef f", "@njit(cache=True, fastmath=True)\ndef f", VALUE, 1),
    "bounds": ("main", "@njit(cache=True)\ndef f", "@njit(cache=True, boundscheck=True)\ndef f", VALUE, 1),
    "argument's type": ("main", "f(5)", "f(5.0)", VALUE, 1),
    "lines": ("main", "FACTOR = 3", "\n\n# moved\nFACTOR = 3", VALUE, 2),
    "lines of a callee": ("deepest", "def power", "# moved\ndef power", VALUE, 2),
    "what isn't used": ("other", "OFFSET = 100", "OFFSET = 100; UNUSED = 3", VALUE, 2),
}


@pytest.mark.parametrize("change", CHANGES)
def test_changes(change, project):
    file, old, new, value, hits = CHANGES[change]
    path = project.folder / f"{file}.py"
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    changed = project.run()
    assert (changed.value, changed.counts) == (repr(value), (hits, 2 - hits))
    # And back: what was written first is there still.
    path.write_text(text)
    back = project.run()
    assert (back.value, back.counts) == (repr(VALUE), (2, 0))


def test_globals_that_change_while_a_process_runs(tmp_path):
    main = """
from pyopt import njit

FACTOR = 1

@njit(cache=True)
def f(x):
    return x * FACTOR

def run():
    global FACTOR
    made = [f(10)]
    FACTOR = 2
    made.append(f(10))
    f.recompile()
    made.append(f(10))
    FACTOR = 1
    f.recompile()
    made.append(f(10))
    return made
"""
    project = Project(tmp_path, main=main)
    first = project.run()
    assert first.value == "[10, 10, 20, 10]"
    assert first.counts == (1, 2)
    again = project.run()
    assert (again.value, again.counts) == (first.value, (3, 0))


def test_a_folder_that_moves(project):
    project.move("elsewhere")
    assert project.run().counts == (2, 0)


def test_seeds_of_hashes(tmp_path):
    main = """
from pyopt import njit

@njit(cache=True)
def f(x):
    return (x, 3) in ((1, 2), (5, 3)), "b" in ("a", "b")

def run():
    return f(5)
"""
    project = Project(tmp_path, main=main)
    assert project.run(PYTHONHASHSEED="1").counts == (0, 1)
    for seed in ("2", "3"):
        again = project.run(PYTHONHASHSEED=seed)
        assert (again.value, again.counts) == ("(True, True)", (1, 0))


def test_references_to_code_do_not_matter(tmp_path):
    main = """
from pyopt import njit
import marshal

@njit(cache=True)
def f(x):
    return x + 1000.5

KEPT = [{kept}]

def run():
    return f(5)
"""
    project = Project(tmp_path, main=main.format(kept=""))
    assert project.run().counts == (0, 1)
    code = "f.py_func.__code__"
    project.write(main=main.format(kept=f"{code}, {code}.co_consts, *{code}.co_consts"))
    assert project.run().counts == (1, 0)


def test_what_else_a_process_compiles_does_not_matter(tmp_path):
    main = """
from collections import namedtuple
import numpy as np
from pyopt import njit
{before}

class Odd(ValueError):
    pass

Pair = namedtuple("Pair", "low high")

@njit
def twice(x):
    return 2 * x

@njit(cache=True)
def f(function, a, pair):
    if a[0] < 0:
        raise Odd("negative")
    return Pair(function(pair.low), np.sort(a)[-1])

def run():
    a = np.array([3.0, 1.0, 2.0])
    made = f(twice, a, Pair(4, 5))
    try:
        f(twice, -a, Pair(4, 5))
    except Odd as error:
        return type(made) is Pair, made, str(error)
"""
    before = """
class Other(ValueError):
    pass

More = namedtuple("More", "low high")

@njit
def g(function, a, pair):
    if a[0] < 0:
        raise Other
    return More(function(a[0]), np.median(a) + np.unique(a)[0])

@njit
def half(x):
    return x / 2

g(half, np.array([1.0]), More(1, 2))
"""
    value = "(True, Pair(low=8, high=3.0), 'negative')"
    project = Project(tmp_path, main=main.format(before=""))
    first = project.run()
    assert (first.value, first.hits) == (value, 0)
    project.write(main=main.format(before=before))
    again = project.run()
    assert (again.value, again.hits, again.told) == (value, 1, [])


def test_same_names(tmp_path):
    main = """
from pyopt import njit

def make(text):
    class Odd(ValueError):
        pass

    @njit(cache=True)
    def f(x):
        if x < 0:
            raise Odd(text)
        return x

    return Odd, f

def run():
    made = []
    for text in ("first", "second"):
        odd, f = make(text)
        try:
            f(-1)
        except odd as error:
            made.append((str(error), f.stats.cache_hits, f.stats.cache_misses))
    return made
"""
    project = Project(tmp_path, main=main)
    assert project.run().value.count("Counter(), Counter({(int64,): 1})") == 2
    assert project.run().value.count("Counter({(int64,): 1}), Counter()") == 2


@pytest.mark.parametrize("change", ["", "+ 0"])
def test_lambdas_and_evaluated_code(change, tmp_path):
    main = """
from pyopt import njit

f, g = njit(cache=True)(lambda x: x + 1), njit(cache=True)(lambda x: x + 2)
scope = {}
exec("def h(x):\\n    return x * 3", scope)
h = njit(cache=True)(scope["h"])

def run():
    return f(1), g(1), h(1) CHANGE
"""
    project = Project(tmp_path, main=main.replace("CHANGE", ""))
    assert project.run().counts == (0, 3)
    project.write(main=main.replace("lambda x: x + 2", f"lambda x: x + 2 {change}").replace("CHANGE", ""))
    again = project.run()
    assert (again.value, again.hits) == ("(2, 3, 3)", 2 if change else 3)
