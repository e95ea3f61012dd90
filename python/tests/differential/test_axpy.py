"""y += a * x by loops, and what stores convert."""

import numpy as np
import pytest
from arrays import LAYOUTS_1D, WRITABLE_1D, vector
from compare import check

# axpy


def axpy(alpha, x, y):
    for i in range(x.shape[0]):
        y[i] += alpha * x[i]


def axpy_renamed(factor, source, target):
    for index in range(source.shape[0]):
        target[index] += factor * source[index]


def axpy_written_out(a, x, y):
    for i in range(len(x)):
        y[i] = a * x[i] + y[i]


def axpy_reordered(a, x, y):
    for i in range(len(y)):
        product = x[i] * a
        y[i] = y[i] + product


def axpy_down(a, x, y):
    for i in range(x.size - 1, -1, -1):
        y[i] += a * x[i]


def axpy_step(a, x, y):
    for i in range(0, len(x), 2):
        y[i] += a * x[i]
    for i in range(1, len(x), 2):
        y[i] += a * x[i]


def axpy_while(a, x, y):
    i = 0
    while i < len(x):
        y[i] += a * x[i]
        i += 1
    return i


def axpy_negative(a, x, y):
    for i in range(1, len(x) + 1):
        y[-i] += a * x[-i]


def axpy_branch(a, x, y):
    if a == 0:
        return 0
    changed = 0
    for i in range(len(x)):
        if x[i] > 0:
            y[i] += a * x[i]
            changed += 1
        else:
            y[i] -= a * x[i]
    return changed


def axpy_returning(a, x, y):
    for i in range(len(x)):
        y[i] += a * x[i]
    return y


def axpy_fresh(a, x, y):
    out = np.empty(len(x))
    for i in range(len(x)):
        out[i] = a * x[i] + y[i]
    return out


def axpy_unrolled(a, x, y):
    n = len(x)
    for i in range(0, n - 1, 2):
        y[i] += a * x[i]
        y[i + 1] += a * x[i + 1]
    if n % 2 == 1:
        y[n - 1] += a * x[n - 1]


AXPYS = (
    axpy,
    axpy_renamed,
    axpy_written_out,
    axpy_reordered,
    axpy_down,
    axpy_step,
    axpy_while,
    axpy_negative,
    axpy_branch,
    axpy_returning,
    axpy_fresh,
    axpy_unrolled,
)


@pytest.mark.parametrize("layout", LAYOUTS_1D)
@pytest.mark.parametrize("function", AXPYS)
def test_axpy(function, layout):
    target = layout if layout in WRITABLE_1D else "C"
    for n in (0, 1, 6, 13):
        check(function, 2.5, vector(n, layout=layout), vector(n, layout=target, seed=2))


@pytest.mark.parametrize("function", AXPYS)
def test_axpy_of_other_types(function):
    check(function, 2.0, vector(9, "f4"), vector(9, "f8"))
    check(function, np.float32(0.1), vector(9, "f4"), vector(9, "f4", seed=2))
    check(function, 3, vector(9, "i4"), vector(9, "f8"))


def integer_axpy(a, x, y):
    for i in range(len(x)):
        y[i] += a * x[i]


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4"])
def test_stores_wrap(dtype):
    check(integer_axpy, 100, vector(9, dtype), vector(9, dtype, seed=2))
    check(integer_axpy, 2**62, vector(9, dtype), vector(9, dtype, seed=2))


def test_stores_convert():
    def stored(target, value):
        target[0] = value

    for dtype in ("i1", "i4", "i8", "u1", "u4"):
        for value in (2.9, -2.9, 7, True, np.float32(3.5)):
            if not (dtype[0] == "u" and value < 0):
                check(stored, np.zeros(2, dtype), value)
    for dtype in ("f4", "f8"):
        for value in (0.1, np.float32(0.1), True, 1e300):
            check(stored, np.zeros(2, dtype), value)
    for value in (0, 3, True, False):
        check(stored, np.zeros(2, "?"), value)


def test_overlapping_arguments():
    # Every load sees what the iterations before it stored.
    memory = np.arange(20.0)
    for x, y in (
        (memory[:-1], memory[1:]),
        (memory[1:], memory[:-1]),
        (memory, memory),
        (memory, memory[::-1]),
        (memory[:10], memory[::2]),
    ):
        for function in (axpy, axpy_down, axpy_step, axpy_unrolled):
            check(function, 0.5, x, y)
