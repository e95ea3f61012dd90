"""Whole-array expressions, views and ownership, compiled and interpreted."""

import gc

import numpy as np
import pytest
from arrays import matrices, vectors
from differential import check

from pyopt import _core, njit

LAYOUTS = ["C", "strided", "reversed", "readonly"]


# Making arrays, and whole-array expressions


@pytest.mark.parametrize(
    "function",
    [
        lambda n: np.zeros(n),
        lambda n: np.zeros((n, 2), np.int32),
        lambda n: np.ones(n, dtype=np.float32),
        lambda n: np.ones((2, n)) * 3,
        lambda n: np.arange(n),
        lambda n: np.arange(2, n, 3),
        lambda n: np.arange(n, -n, -2),
        lambda n: np.arange(0.0, n, 0.25),
        lambda n: np.arange(n) * 2 + 1,
        lambda n: np.sqrt(np.arange(n)),
        lambda n: np.sum(np.arange(n) * 0.5),
    ],
)
def test_making_arrays(function):
    check(function, (0,), (1,), (7,), (20,))


def test_empty_arrays_have_the_right_type():
    def function(n):
        out = np.empty((n, 3), np.int16)
        for i in range(n):
            for j in range(3):
                out[i, j] = i * 3 + j
        return out

    check(function, (0,), (4,))


EXPRESSIONS = {
    "multiply_add": lambda a0, a1, a2: a0 * a1 + a2,
    "renamed": lambda x, y, z: z + y * x,
    "longer": lambda a, b, c: (a + b) * c - a / (b + 1.0) + 2.0 * c,
    "negated": lambda a, b, c: -a + abs(b) - (-c),
    "roots": lambda a, b, c: np.sqrt(a * a + b * b) + c,
    "repeated": lambda a, b, c: a * a * a + a * b + c * c,
    "on_lines": None,
    "reused": None,
}


def on_lines(a, b, c):
    t = a * b
    u = t + c
    return u * 0.5


def reused(a, b, c):
    t = a + b
    return t * t + c, t


EXPRESSIONS["on_lines"] = on_lines
EXPRESSIONS["reused"] = reused


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "i8"])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_array_expressions(name, dtype, layout):
    if name in ("longer", "roots", "on_lines") and dtype.startswith("i"):
        rtol = 1e-15
    else:
        rtol = 1e-6 if dtype == "f4" else 1e-15
    check(EXPRESSIONS[name], tuple(vectors(9, dtype)[layout] for _ in range(3)), rtol=rtol)


def test_expressions_over_matrices_and_scalars():
    a, b = matrices((3, 4), "f8")["C"], matrices((3, 4), "f8")["F"]
    check(lambda a, b: a * 2 + b, (a, b), (b, a), (a, 1.5), (a[::-1], b))
    check(lambda a, row: a + row, (a, a[0]), (a, a[:, :1]))
    check(lambda a: np.exp(-a / 10) + np.log(a + 1), (a,), rtol=1e-14)
    check(lambda a: (a > 20) & (a < 40), (a,))


def test_shapes_that_do_not_fit():
    compiled = njit(lambda a, b: a + b)
    with pytest.raises(ValueError, match=r".*"):
        compiled(np.zeros(3), np.zeros(4))


def test_reductions():
    a = matrices((6, 7), "f8")["C"]
    for values in (a, a.T, a[::2], (a * 10).astype("i4"), a > 25):
        check(lambda x: (x.sum(), np.sum(x)), (values,), rtol=1e-13)
    for values in (a, a[:, ::-1], (a * 10).astype("i4")):
        check(lambda x: (x.max(), np.min(x), x.mean()), (values,), rtol=1e-13)


def test_views():
    a = matrices((6, 7), "f8")["C"]
    check(lambda a: a[1:4, ::2], (a,))
    check(lambda a: a[2], (a,), (a.T,))
    check(lambda a: a.T, (a,))
    check(lambda a: a[:, 1].sum(), (a,), rtol=1e-13)

    def fill(a):
        a[1:3] = 7.0
        a[:, 0] = a[:, 1]

    check(fill, (a,), (a.T,))


# Ownership


def test_arrays_are_returned_without_copies():
    x = np.arange(6.0)
    identity = njit(lambda a: a)
    assert identity(x) is x
    view = njit(lambda a: a[2:])(x)
    assert view.base is x
    view[0] = 99
    assert x[2] == 99
    pair = njit(lambda a, b: (b, a, a))(x, x[::2])
    assert pair[1] is x
    assert pair[2] is x


def live():
    gc.collect()
    allocations, frees, live_bytes = _core.memory_stats()
    return allocations - frees, live_bytes


def test_nothing_leaks():
    def work(n, fail_at):
        total = np.zeros(n)
        for i in range(n):
            part = np.ones(n) * i
            if i == fail_at:
                raise ValueError("stopped")
            total = total + part
        return total, total[1:]

    compiled = njit(work)
    compiled(3, -1)
    before = live()
    for _ in range(10):
        compiled(20, -1)
        with pytest.raises(ValueError, match="stopped"):
            compiled(20, 7)
    assert live() == before
    kept = compiled(20, -1)[1]
    assert live()[0] == before[0] + 1
    np.testing.assert_array_equal(kept, work(20, -1)[1])
    del kept
    assert live() == before


def test_bounds_are_checked_on_request():
    compiled = njit(boundscheck=True)(lambda a, i: a[i])
    assert compiled(np.arange(3), -1) == 2
    for index in (3, -4):
        with pytest.raises(IndexError):
            compiled(np.arange(3), index)


def test_global_arrays_are_constants():
    table = np.array([1.5, 2.5, 4.0])

    def function(i):
        return table[i] + table.sum()

    check(function, (0,), (2,))
