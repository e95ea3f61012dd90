"""Functions from disk do what they did when they were compiled: results, errors, tracebacks, warnings."""

import pytest
from projects import Project

HEAD = """
import traceback
import numpy as np
from pyopt import njit, objmode, prange, stencil, types, vectorize, guvectorize
from pyopt.extending import overload

def frames(error):
    made = traceback.extract_tb(error.__traceback__)
    return type(error).__name__, str(error), [(one.name, one.line) for one in made[1:]]

def failing(function, *args):
    try:
        function(*args)
    except Exception as error:
        return frames(error)
"""

# Programs whose `run()` gives the same in every process, and how many specialisations they have.
PROGRAMS = {
    "scalars": (
        """
@njit(cache=True)
def f(x):
    return x + 1

def run():
    return f(1), f(1.5), f(True), f(1j), f(np.float32(2)), type(f(np.uint8(3))).__name__, f(2**63)
""",
        7,
    ),
    "containers": (
        """
@njit(cache=True)
def lists(n):
    made = [0.5]
    for i in range(n):
        made.append(i * 2.0)
    return made

@njit(cache=True)
def tuples(a):
    return a, (a[0], "text", None), a.shape, [(1, 2.0), (3, 4.0)]

@njit(cache=True)
def text(s):
    return s, len(s), s == "yes"

@njit(cache=True)
def optional(x):
    if x > 0:
        return x
    return None

def run():
    a = np.arange(3)
    back = tuples(a)
    return lists(3), back, back[0] is a, text("yes"), text("no"), optional(1), optional(-1)
""",
        4,
    ),
    "arrays": (
        """
@njit(cache=True)
def f(a):
    b = np.zeros_like(a)
    b[1:] = a[:-1] * 2
    a[0] = 7
    return b, a.T, b.sum()

def run():
    records = np.array([(1, 2.0)], dtype=[("n", "i4"), ("x", "f8")])
    a = np.arange(6.0).reshape(2, 3)
    return f(a), a[0, 0], f(a[:, ::-1]), f(np.arange(3, dtype="i2")), first(records)

@njit(cache=True)
def first(r):
    return r[0].x + r[0].n
""",
        4,
    ),
    "parallel": (
        """
@njit(cache=True, parallel=True)
def f(a):
    out = np.empty_like(a)
    total = 0.0
    for i in prange(a.shape[0]):
        out[i] = np.sqrt(a[i])
        total += out[i]
    return out, total

def run():
    a = np.arange(10_000.0)
    out, total = f(a)
    return bool((out == np.sqrt(a)).all()), round(total, 6)
""",
        1,
    ),
    "stencils": (
        """
@stencil(neighborhood=((-1, 1),))
def kernel(a):
    total = 0.0
    for i in range(-1, 2):
        total += a[i]
    return total

@njit(cache=True)
def f(a):
    return kernel(a)

@njit(cache=True, parallel=True)
def g(a):
    return kernel(a)

def run():
    return f(np.arange(5.0)), g(np.arange(5.0))
""",
        2,
    ),
    "the library": (
        """
@njit(cache=True)
def f(a):
    return np.sort(a), np.median(a), np.argsort(a), np.unique(a)

@njit(cache=True)
def g(a):
    return np.sort(a)[::-1]

def run():
    a = np.array([3.0, 1.0, 2.0, 1.0])
    return f(a), g(a)
""",
        2,
    ),
    "recursion": (
        """
@njit(cache=True)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

@njit
def odd(n):
    return False if n == 0 else even(n - 1)

@njit(cache=True)
def even(n):
    return True if n == 0 else odd(n - 1)

def run():
    return fibonacci(20), even(10), even(7)
""",
        2,
    ),
    "generators": (
        """
@njit(cache=True)
def count(n, step):
    for i in range(n):
        if i == 3:
            raise ValueError("three")
        yield i * step

def run():
    return list(count(3, 0.5)), failing(list, count(5, 0.5))
""",
        1,
    ),
    "functions as arguments": (
        """
@njit
def double(x):
    return 2 * x

@njit
def triple(x):
    return 3 * x

@njit(cache=True)
def apply(function, x):
    return function(x)

def run():
    return apply(double, 5), apply(triple, 5), apply(abs, -5)
""",
        3,
    ),
    "object mode blocks": (
        """
FORMAT = "{:>5}"
TEXT = types.unicode_type

@njit(cache=True)
def f(x):
    y = x * 2
    with objmode(a="float64[:]", n="int64", text=TEXT):
        text = FORMAT.format(y)
        n = len(text)
        a = np.ones(2) * n
    return a, n, text

def fail(x):
    raise KeyError(f"{x} {FORMAT}")

@njit(cache=True)
def g(x):
    with objmode(y="int64"):
        y = fail(x)
    return y

def run():
    return f(21), failing(g, 1)
""",
        2,
    ),
    "exceptions": (
        """
class Odd(ValueError):
    def __init__(self, text, number):
        super().__init__(f"{text}: {number}")

def check(x):
    if x < 0:
        raise Odd(
            "negative",
            x,
        )
    return x

@njit
def between(a, i):
    return check(a[i]) + \\
        check(a[i + 1])

@njit(cache=True)
def f(a, i):
    try:
        return between(a, i)
    except KeyError:
        return -1

@njit(cache=True)
def caught(a):
    try:
        return between(a, 0)
    except Odd:
        return -100

@njit(cache=True)
def builtin(x):
    inner = lambda y: 1 // y
    return inner(x)

@njit(cache=True)
def caused(x):
    try:
        return 1 // x
    except ZeroDivisionError as error:
        raise RuntimeError("zero") from error

@njit(cache=True, boundscheck=True)
def outside(a):
    return a[5]

def run():
    good, bad = np.array([1, 2]), np.array([1, -2])
    return [
        f(good, 0), failing(f, bad, 0), caught(bad), failing(builtin, 0), failing(caused, 0),
        failing(outside, good),
    ]
""",
        5,
    ),
    "library errors": (
        """
@njit(cache=True)
def f(a, q):
    return np.percentile(a, q)

def run():
    return failing(f, np.arange(9.0), 300.0)
""",
        1,
    ),
    "defaults and keywords": (
        """
@njit(cache=True)
def f(a, b=2, *rest, c=3.5):
    return a + b * c, rest

def run():
    return f(1), f(1, b=3), f(1, 2, 3, "x", c=1)
""",
        2,
    ),
    "eager signatures": (
        """
@njit("float64(float64, int64)", cache=True)
def f(x, y):
    return x + y

@njit(["int64(int64)", "float64(float64)"], cache=True)
def g(x):
    return x * 2

def run():
    return f(1.0, 2), g(2), g(2.5)
""",
        3,
    ),
    "inlining and options": (
        """
@njit(inline="always")
def inner(x):
    return x * 2 if x > 0 else 1 / x

@njit(cache=True, fastmath={"contract"}, error_model="numpy", nogil=True)
def f(x):
    return inner(x) + 1.0

def run():
    return f(2.0), f(0.0)
""",
        1,
    ),
    "values of many kinds": (
        """
PAIR = (1, "two", (3.0, None))
KEYS = (np.float32(0.1), np.int8(-3), 2j, -0.0, float("nan"), float("inf"))
TABLE = np.array([[1, 2], [3, 4]], dtype=np.uint8)
TIME = np.datetime64("2020-01-01", "s")

@njit(cache=True)
def f(x):
    return PAIR[2][0] + x, PAIR[1], KEYS[0], KEYS[1], KEYS[2], KEYS[3], KEYS[5], TABLE[1, 0], TIME

def run():
    return f(1)
""",
        1,
    ),
    "overloads": (
        """
from helpers import clamp

SCALE = 10

@overload(clamp)
def clamp_overload(x, low):
    if "Float" in type(x).__name__:
        def body(x, low):
            if low > 100:
                raise ValueError("too high")
            return max(x, low) * SCALE
        return body

@njit(cache=True)
def f(x):
    return clamp(x, 2.0)

@njit(cache=True)
def g(x):
    return clamp(x, 200.0)

def run():
    return f(1.0), failing(g, 1.0)
""",
        2,
    ),
}
HELPERS = """
def clamp(x, low):
    raise NotImplementedError
"""


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


def test_overloads_that_change(tmp_path):
    main = """
from pyopt import njit
from pyopt.extending import overload
from helpers import clamp, other

@overload(clamp)
def clamp_overload(x):
    FIRST
    def body(x):
        return x * SCALE
    return body

MORE

@njit(cache=True)
def f(x):
    return clamp(x)

SCALE = 3

def run():
    return f(2)
"""
    helpers = "def clamp(x):\n    pass\n\ndef other(x):\n    pass\n"

    def text(first="", more="", scale="3"):
        made = main.replace("FIRST", first or "pass").replace("MORE", more)
        return made.replace("SCALE = 3", f"SCALE = {scale}")

    project = Project(tmp_path, main=text(), helpers=helpers)
    assert (project.run().counts, project.run().counts) == ((0, 1), (1, 0))
    # What the body refers to, which only asking the overload says.
    project.write(main=text(scale="4"))
    changed = project.run()
    assert (changed.value, changed.counts) == ("8", (0, 1))
    # What the overload does that isn't in the body.
    project.write(main=text(first="x = x.name"))
    same = project.run()
    assert (same.value, same.hits + same.misses) == ("6", 1)
    # One that is asked first.
    later = "@overload(clamp)\ndef later(x):\n    return lambda x: -x\n"
    project.write(main=text(more=later))
    replaced = project.run()
    assert (replaced.value, replaced.counts) == ("-2", (0, 1))
    # Other names, which could have been asked for.
    project.write(main=text(more=later.replace("clamp", "other")))
    other = project.run()
    assert (other.value, other.counts) == ("6", (0, 1))


def test_a_library_function_does_not_take_over_a_programs_overloads(tmp_path):
    main = """
import numpy as np
from pyopt import njit
from pyopt.extending import overload
OVERLOAD
@njit(cache=True)
def f(a):
    return np.median(a), np.percentile(a, 25.0)

def run():
    return f(np.array([1.5, 2.5, 3.5, 4.5]))
"""
    overload = """
for one in (np.floor, np.sort, np.partition, np.mean, np.isnan):
    @overload(one, strict=False)
    def _(x, *rest):
        return lambda x, *rest: x
"""
    project = Project(tmp_path, main=main.replace("OVERLOAD", overload))
    value = project.run().value
    project.write(main=main.replace("OVERLOAD", ""))
    assert project.run().value == value


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
    "rewrites are registered": """
from pyopt.rewrites import Rewrite, register_rewrite

@register_rewrite("after-inference")
class Nothing(Rewrite):
    pass

@njit(cache=True)
def f(x):
    return x
""",
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
