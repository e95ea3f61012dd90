"""`objmode` blocks: what they see, hand out, raise and keep alive."""

import gc
import sys
import threading
import weakref

import numpy as np
import pytest
from pyopt._core import memory_stats
from versions import needs_joined_ends

import pyopt
from pyopt import errors, njit, objmode, prange, types

FLOATS = types.float64[:]
SCALARS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def agree(function, *args, **options):
    """Compare with Python, where the block is a statement as any other."""
    expected = function(*args)
    found = njit(**options)(function)(*args)
    np.testing.assert_equal(found, expected)
    return found


def in_a_loop(x, n):
    total = 0.0
    for i in range(n):
        with objmode(y="float64", z="int64"):
            y = x + i
            try:
                z = int(str(int(y)))
            except ValueError:
                z = 0
        total += y * z
    return total


def everything(a, n):
    with objmode(r="float64[:]", k="intp"):
        parts = {str(i): v for i, v in enumerate(a)}
        k = len([key for key in parts if key != str(n)])
        r = np.array(sorted(parts.values(), reverse=True))
    return r, k


def captured(x):
    with objmode(y="int64"):
        y = 0

        def add(step):
            nonlocal y
            y += step + x

        for i in range(3):
            add(i)
    return y


def reads_and_writes(x):
    y = 1
    with objmode(y="int64"):
        if x > 2:
            y = x
    return y


def two(x):
    with objmode(y="int64"):
        y = x + 1
    with objmode(x="float64"):
        x = y / 2
    return x, y


def empty(x):
    with objmode():
        pass
    with objmode(y="int64"):
        y = x
    return y


def by_name(a):
    with pyopt.objmode(r=FLOATS, q=types.int32):
        r = a + 1
        q = 7
    return r, q


@pytest.mark.parametrize("n", range(5))
def test_a_block_in_a_loop(n):
    agree(in_a_loop, 1.5, n)
    agree(in_a_loop, np.inf if n == 0 else -2.5, n)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (everything, (np.arange(4.0), 2)),
        (everything, (np.arange(8.0)[::-2], 0)),
        (everything, (np.empty(0), 0)),
        (captured, (5,)),
        pytest.param(reads_and_writes, (1,), marks=needs_joined_ends),
        pytest.param(reads_and_writes, (4,), marks=needs_joined_ends),
        (two, (3,)),
        (empty, (3,)),
        (by_name, (np.ones(3),)),
    ],
)
def test_blocks_agree_with_python(function, args):
    agree(function, *args)


@pytest.mark.parametrize("name", [*SCALARS, "float32", "float64", "boolean", "complex64", "complex128"])
def test_numbers_go_both_ways(name):
    dtype = np.dtype("bool" if name == "boolean" else name)
    space = {"objmode": objmode, "name": name}
    exec(f"def f(x):\n    with objmode(y={name!r}):\n        y = x\n    return y", space)
    for value in (0, 1, 100):
        scalar = dtype.type(value)
        assert njit(space["f"])(scalar) == scalar


@pytest.mark.parametrize(
    ("declared", "value"),
    [
        ("types.Array(types.float64, 1, 'C')", "np.ones(2)"),
        ("types.Tuple((types.int64, types.float64[:]))", "(1, np.ones(2))"),
        ("types.ListType(types.int64)", "List([1])"),
        ("types.optional(types.uint8)", "None"),
    ],
)
def test_types_are_written_as_attributes(declared, value):
    space = {"objmode": objmode, "np": np, "List": pyopt.typed.List}
    exec(f"def f():\n    with objmode(y={declared!r}):\n        y = {value}\n    return y", space)
    expected = eval(value, space)
    np.testing.assert_equal(njit(space["f"])(), expected)


@pytest.mark.parametrize("declared", ["int64(int64)", "types.nothing(int64)", "types.__class__(1)"])
def test_what_is_no_type_is_refused(declared):
    space = {"objmode": objmode}
    exec(f"def f():\n    with objmode(y={declared!r}):\n        y = 3\n    return y", space)
    with pytest.raises(errors.UnsupportedError, match="objmode takes types as constant strings"):
        njit(space["f"])()


@pytest.mark.parametrize("declared", ["float64[:, :]", "float64[:, ::1]", "float64[::1, :]"])
def test_arrays_come_out_in_their_layout(declared):
    space = {"objmode": objmode, "np": np}
    source = f"def f(a):\n    with objmode(b={declared!r}):\n        b = a.copy(order='K')\n"
    exec(f"{source}    return b.T, b[0, 0]", space)
    function = njit(space["f"])
    for a in (np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(6.0).reshape(2, 3))):
        fits = "::1" not in declared or (declared == "float64[:, ::1]") == a.flags.c_contiguous
        if fits:
            np.testing.assert_array_equal(function(a)[0], a.T)
        else:
            with pytest.raises(TypeError, match="its type was given as"):
                function(a)


def test_tuples_and_text_go_in():
    @njit
    def f(t, text):
        with objmode(n="int64", u="Tuple((int64, float64))"):
            n = len(text) + len(t)
            u = (n, t[1] * 2)
        return n, u

    assert f((1, 2.5), "abc") == (5, (5, 5.0))


def test_what_a_block_writes_into_an_array_is_seen():
    @njit
    def f(a):
        b = a[1:]
        with objmode():
            a[0] = 7
            b[:] = 3
        return a.sum() + b[0]

    a = np.zeros(3)
    assert f(a) == 16
    np.testing.assert_array_equal(a, [7, 3, 3])


def test_a_frame_of_its_own_with_the_lines_of_the_function():
    @njit
    def f(x):
        with objmode(line="int64"):
            line = sys._getframe().f_lineno
            seen.append((sys._getframe().f_code.co_name, dict(locals())))
        return line + x

    seen = []
    line = f.py_func.__code__.co_firstlineno + 3
    assert f(1) == line + 1
    assert seen == [("f", {"line": line, "seen": seen})]


def raising(a, i):
    b = a * 2
    with objmode():
        if i > 2:
            raise KeyError(f"bad {i}")
    return b[0]


def test_exceptions_keep_their_traceback_and_nothing_leaks():
    inner = njit(raising)

    @njit
    def outer(a, i):
        return inner(a + 1, i)

    assert outer(np.arange(3.0), 1) == 2
    gc.collect()
    before = memory_stats()
    for _ in range(20):
        with pytest.raises(KeyError, match="bad 3") as raised:
            outer(np.arange(3.0), 3)
    lines = [(entry.name, entry.lineno + 1) for entry in raised.traceback]
    first = raising.__code__.co_firstlineno
    assert lines[-2:] == [("raising", first + 2), ("raising", first + 4)]
    assert lines[-3][0].endswith("outer")
    after = memory_stats()
    assert after[0] - after[1] == before[0] - before[1]


def test_arrays_handed_out_live_as_long_as_they_are_used():
    kept = []

    class Array(np.ndarray):
        pass

    def make():
        made = Array(4)
        made[:] = range(4)
        kept.append(weakref.ref(made))
        return made

    @njit
    def total(n):
        s = 0.0
        for _ in range(n):
            with objmode(a="float64[::1]"):
                a = make().view(np.ndarray)
            s += a[3]
        return s

    @njit
    def returned():
        with objmode(a="float64[::1]"):
            a = make().view(np.ndarray)
        return a[1:]

    assert total(50) == 150
    gc.collect()
    assert not any(one() is not None for one in kept)
    kept.clear()
    a = returned()
    gc.collect()
    assert kept[0]() is not None
    np.testing.assert_array_equal(a, [1, 2, 3])
    del a
    gc.collect()
    assert kept[0]() is None


def test_references_are_balanced():
    @njit
    def f(a):
        with objmode(b="float64[:]", k="int64"):
            b = a
            k = 3
        return b[0] + k

    a = np.arange(3.0)
    f(a)
    before = sys.getrefcount(a)
    for _ in range(1000):
        f(a)
    assert sys.getrefcount(a) == before


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("'a'", "hands out a value of type"),
        ("[1]", "hands out a value of type"),
        ("None", "hands out a value of type"),
        ("1j", "hands out a value of type"),
        ("10**30", "does not fit into 64 bits"),
        ("np.arange(3)", "hands out a value of type"),
    ],
)
def test_a_value_of_another_type_is_an_error(value, error):
    space = {"objmode": objmode, "np": np}
    source = f"def f(x):\n    with objmode(z='float64[:]', y='int64'):\n        z, y = np.ones(2), {value}\n"
    exec(f"{source}    return y + z[0]", space)
    before = memory_stats()
    with pytest.raises((TypeError, OverflowError), match=error):
        njit(space["f"])(1)
    after = memory_stats()
    assert after[0] - after[1] == before[0] - before[1]


@needs_joined_ends
def test_a_variable_without_a_value_is_an_error():
    @njit
    def f(x):
        with objmode(y="int64"):
            if x:
                y = 1
        return y

    assert f(True) == 1
    with pytest.raises(UnboundLocalError, match="y"):
        f(False)


def test_what_has_no_object_is_an_error():
    @njit
    def f(n):
        r = slice(n)
        with objmode(k="int64"):
            k = r.stop
        return k

    with pytest.raises(errors.TypingError, match="can't be used in an objmode block"):
        f(3)


@njit(parallel=True)
def in_parallel(a, limit):
    out = np.zeros(a.shape[0])
    for i in prange(a.shape[0]):
        with objmode(v="float64"):
            v = float(str(a[i]))
            if v > limit:
                raise ValueError(f"{v} on {threading.get_ident() != 0}")
        out[i] = v * 2
    return out


def test_blocks_in_prange():
    a = np.arange(300.0)
    np.testing.assert_array_equal(in_parallel(a, 1e9), a * 2)
    gc.collect()
    before = memory_stats()
    for _ in range(10):
        with pytest.raises(ValueError, match=r"1\.0 on True"):
            in_parallel(a, 0)
    after = memory_stats()
    assert after[0] - after[1] == before[0] - before[1]


def test_without_the_gil_and_from_several_threads():
    @njit(nogil=True)
    def f(x):
        total = 0
        for i in range(50):
            with objmode(y="int64"):
                y = len(str(x + i))
            total += y
        return total

    expected = f.py_func(7)
    found = []
    threads = [threading.Thread(target=lambda: found.append(f(7))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_compiled_code_inside_a_block():
    @njit
    def square(x):
        return x * x

    @njit
    def f(x):
        with objmode(y="int64"):
            y = sum(map(square, range(x)))
        return y

    assert f(5) == 30


def test_a_block_of_a_function_that_is_inlined():
    step = 3

    @njit(inline="always")
    def shown(x):
        with objmode(y="float64"):
            y = float(str(x)) + step
        return y * step

    @njit
    def twice(x):
        return shown(x) + shown(x * 2)

    assert twice(1.5) == twice.py_func(1.5)


def test_functions_with_blocks_are_collected():
    def make():
        big = np.arange(1000.0)

        @njit
        def f(x):
            with objmode(y="float64"):
                y = big[x] + f.marker
            return y

        f.marker = 1
        return f

    f = make()
    assert f(3) == 4
    reference = weakref.ref(f)
    del f
    gc.collect()
    assert reference() is None


@pytest.mark.skipif(sys.version_info >= (3, 11), reason="CPython 3.10 alone writes the end in each branch")
def test_a_block_that_ends_in_branches():
    with pytest.raises(errors.UnsupportedError, match=r"nor end in branches under CPython 3\.10"):
        njit(reads_and_writes)(4)

    def hinted(x):
        y = 1
        with objmode(y="int64"):
            if x > 2:
                y = x
            y = y
        return y

    agree(hinted, 1)
    agree(hinted, 4)


def test_a_block_that_hands_nothing_out_may_go_without_parentheses():
    seen = []

    def bare(x):
        with objmode:
            seen.append(x)
        with pyopt.objmode:
            seen.append(-x)
        return x

    assert agree(bare, 3) == 3
    assert seen == [3, -3, 3, -3]
