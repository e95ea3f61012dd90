"""Programs whose functions are kept on disk."""

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
    "typed containers": (
        """
from collections import defaultdict
from pyopt import typed
from pyopt.experimental import jitclass

@jitclass({"count": types.int64, "name": types.unicode_type})
class Counter:
    def __init__(self, name):
        self.count, self.name = 0, name

    def step(self):
        self.count += 1
        return self.count

@njit(cache=True)
def changed(n):
    made = typed.List()
    found = typed.Dict()
    for i in range(n):
        made.append(i)
        found[i] = f"{i}"
    made.pop()
    return made, found

@njit(cache=True)
def counted(name):
    counter = Counter(name)
    counter.step()
    return counter, counter.step()

@njit(cache=True)
def grouped(n):
    groups = defaultdict(list)
    for i in range(n):
        groups[i % 2].append(i)
    return groups

def run():
    made, found = changed(3)
    counter, count = counted("a")
    return list(made), dict(found), counter.count, counter.name, count, grouped(4), failing(made.index, 9)
""",
        3,
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
