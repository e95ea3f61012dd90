"""What `objmode` blocks hand out that is made of other values: each part is owned once."""

import gc
import subprocess
import sys
import weakref
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest
from pyopt._core import memory_stats

from pyopt import njit, objmode, typed, typeof, types
from pyopt.errors import UnsupportedError

sys.path.append(str(Path(__file__).parent / "differential"))
from checked_allocator import run

INTS = types.List(types.int64)
FLOATS = types.List(types.float64)
ROWS = types.List(types.List(types.int64))
CUBE = types.List(types.List(types.List(types.float64)))
ARRAYS = types.List(types.float64[::1])
PAIRS = types.List(types.Tuple((types.int64, types.float64[::1])))
NESTED = types.Tuple((types.int64, types.Tuple((INTS, types.float64[::1])), ROWS))
TEXT = types.unicode_type
TEXTS = types.List(types.unicode_type)
MAYBE = types.optional(types.float64[::1])
Point = namedtuple("Point", "x data")
POINT = typeof(Point(1, np.ones(2)))


def ints(n):
    with objmode(s=INTS):
        s = [i * i for i in range(n)]
    s.append(n)
    return s, len(s)


def rows(n):
    with objmode(s=ROWS):
        s = [list(range(i)) for i in range(n)]
    total = 0
    for row in s:
        for item in row:
            total += item
    s.append([total])
    return s


def cube(n):
    with objmode(s=CUBE):
        s = [[[float(i + j)] * j for j in range(n)] for i in range(n)]
    s[0], s[-1] = s[-1], s[0]
    return s


def arrays(n):
    with objmode(s=ARRAYS):
        s = [np.full(i + 1, 0.5 * i) for i in range(n)]
    total = 0.0
    for a in s:
        total += a.sum()
    return s, total, s[-1]


def pairs(n):
    with objmode(s=PAIRS):
        s = [(i, np.arange(float(i))) for i in range(n)]
    k, a = s[-1]
    return s, k, a


def nested(n):
    with objmode(s=NESTED):
        s = (n, ([n, n + 1], np.ones(n)), [[1], [2, n]])
    k, (a, b), c = s
    a.append(k)
    return s, a, b, c


def several(n):
    with objmode(a=INTS, b=ROWS, c="float64[::1]", d=MAYBE):
        a = list(range(n))
        b = [[n], a[1:]]
        c = np.ones(n)
        d = c * 2 if n > 3 else None
    b[0].append(7)
    return a, b, c, d


def dropped(n):
    total = 0
    for i in range(n):
        with objmode(s=ROWS):
            s = [[i], [i, i]]
        total += len(s[1])
    return total


def texts(n):
    with objmode(t=TEXT, s=TEXTS):
        t = "text" * n
        s = [str(i) * n for i in range(n)]
    return t, len(t), s, s[-1]


def named(n):
    with objmode(p=POINT):
        p = Point(n, np.arange(float(n)))
    return p, p.x, p.data.sum()


CASES = [ints, rows, cube, arrays, pairs, nested, several, dropped, texts, named]


@pytest.mark.parametrize("function", CASES)
def test_results_agree_with_python_and_nothing_is_left(function):
    compiled = njit(function)
    for n in (1, 2, 5, 20):
        expected = function(n)
        np.testing.assert_equal(compiled(n), expected)
    gc.collect()
    before = memory_stats()
    for _ in range(50):
        compiled(6)
    gc.collect()
    after = memory_stats()
    assert after[0] - after[1] == before[0] - before[1]


def test_nothing_is_used_after_it_was_freed():
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import test_objmode_results as t\n"
        "for function in t.CASES:\n"
        "    compiled = t.njit(function)\n"
        "    for n in [3, 1, 17] * 20:\n"
        "        compiled(n)\n"
        "print('fine')\n"
    )
    for pattern in (165, 90):
        done = run(["-c", script, Path(__file__).parent], pattern, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr[-4000:]


def test_lists_are_copies_of_those_of_the_block():
    kept = []

    @njit
    def f(n):
        with objmode(s=ROWS):
            row = [n]
            s = [row, row]
            kept.append(s)
        s[0][0] = 7
        return s

    assert f(3) == [[7], [3]]
    assert kept == [[[3], [3]]]


def test_empty_lists_have_the_type_that_was_given():
    def f(n):
        with objmode(s=ROWS, t=FLOATS):
            s = [[] for i in range(n)]
            t = []
        t.append(1.5)
        s.append([3])
        return s, t

    for n in range(3):
        assert njit(f)(n) == f(n)


def test_arrays_in_lists_live_as_long_as_the_list():
    kept = []

    def make(n):
        a = np.arange(float(n))
        kept.append(weakref.ref(a))
        return a

    @njit
    def last(n):
        with objmode(s=ARRAYS):
            s = [make(n), make(n + 1)]
        return s[1]

    a = last(3)
    gc.collect()
    assert [one() is None for one in kept] == [True, False]
    np.testing.assert_array_equal(a, np.arange(4.0))
    del a
    gc.collect()
    assert kept[1]() is None


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("[1, 2.5]", "hands out a value of type float64, but its type was given as int64"),
        ("[True]", "hands out a value of type"),
        ("[[1]]", "type"),
        ("[1, None]", "hands out a value of type"),
        ("(1, 2)", "hands out a value of type UniTuple"),
        ("[1, 10**30]", "does not fit into 64 bits"),
        ("[1, object]", "type"),
    ],
)
def test_a_wrong_item_is_an_error_and_leaves_nothing(value, error):
    space = {"objmode": objmode, "np": np, "T": INTS, "R": ROWS, "A": ARRAYS}
    source = (
        "def f(x):\n    with objmode(a=A, r=R, y=T):\n        a, r = [np.ones(2)], [[1], [2]]\n"
        f"        y = {value}\n    return y[0] + r[0][0] + a[0][0]\n"
    )
    exec(source, space)
    compiled = njit(space["f"])
    with pytest.raises((TypeError, OverflowError), match=error):
        compiled(1)
    gc.collect()
    before = memory_stats()
    for _ in range(10):
        with pytest.raises((TypeError, OverflowError), match=error):
            compiled(1)
    gc.collect()
    after = memory_stats()
    assert after[0] - after[1] == before[0] - before[1]


SHARED = typed.List([1, 2, 3])
HALVES = typeof({1: 0.5})


@njit
def counted(n):
    with objmode(shared="ListType(int64)"):
        shared = SHARED
    total = 0
    for i in range(n):
        with objmode(d="DictType(unicode_type, ListType(float64))", s="Set(int64)", r=HALVES):
            d = typed.Dict({"a": typed.List([1.5 * i])})
            s, r = {i, i + 1}, {i: 0.5}
        for x in s:
            total += x
        total += int(d["a"][0] + r[i])
        s.add(5)
        r[7] = 1.0
    shared.append(total)
    return len(s), len(r)


def test_containers_are_shared_or_new():
    sizes = counted(4)
    assert sizes == counted.py_func(4)
    assert list(SHARED) == [1, 2, 3, SHARED[3], SHARED[3]]
    gc.collect()
    before = memory_stats()
    for _ in range(20):
        counted(4)
        del SHARED[3:]
    gc.collect()
    after = memory_stats()
    assert after[0] - after[1] == before[0] - before[1]


def test_a_wrong_container_is_an_error():
    @njit
    def wrong():
        with objmode(x="ListType(int64)"):
            x = [1]
        return x

    with pytest.raises(
        TypeError, match=r"of type reflected list\(int64\)|of type list\(int64\), but its type"
    ):
        wrong()

    @njit
    def unknown():
        with objmode(x="DictType(int64)"):
            x = 1
        return x

    with pytest.raises(UnsupportedError, match=r"for 'x' 'DictType\(int64\)' is none"):
        unknown()


def test_a_container_that_only_its_type_names():
    """Nothing has imported the package's module of containers when the function is compiled."""
    program = """
from pyopt import njit, objmode

@njit
def first():
    with objmode(made="ListType(int64)", table="DictType(unicode_type, int64)"):
        from pyopt import typed
        made = typed.List([7])
        table = typed.Dict()
        table["a"] = 5
    return made[0], table["a"]

print(first())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "(7, 5)\n"


TABLE_TYPE = types.DictType(types.unicode_type, types.int64)


def test_types_of_containers_are_given_by_names():
    items_type = types.ListType(types.int64)

    @njit
    def of(x):
        with objmode(table=TABLE_TYPE, items=items_type):
            table = typed.Dict.empty(types.unicode_type, types.int64)
            table["a"] = x
            items = typed.List([x, 2])
        # As a value the type makes a container.
        made = typed.Dict.empty(types.unicode_type, types.int64)
        made["b"] = 3
        return table["a"] + made["b"], len(items)

    assert of(4) == (7, 2)
