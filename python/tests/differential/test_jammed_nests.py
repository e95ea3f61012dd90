"""Nests whose outer iterations are done several at once: results are CPython's to the bit.

Arrays are separate, or parts of one buffer that overlap.
"""

import numpy as np
import pytest

from pyopt import njit


def row_sums(a, b, c, x, y, w):
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j] * x[j]
        y[i] = s


def own_elements(a, b, c, x, y, w):
    for i in range(a.shape[0]):
        y[i] *= 0.5
        for j in range(a.shape[1]):
            y[i] += a[i, j] * x[j]


def one_row(a, b, c, x, y, w):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            y[j] = y[j] * 0.5 + a[i, j] * x[i]


def row_and_sum(a, b, c, x, y, w):
    for i in range(a.shape[0]):
        w[i] = 0.0
        for j in range(a.shape[1]):
            y[j] += x[i] * a[i, j]
            w[i] += a[i, j] * x[j]


def product(a, b, c, x, y, w):
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def in_place(a, b, c, x, y, w):
    for k in range(1, a.shape[0]):
        for j in range(a.shape[1]):
            a[0, j] -= a[k, j] * a[k, 0]


def two_loops(a, b, c, x, y, w):
    for i in range(a.shape[0]):
        total = 0.0
        for j in range(a.shape[1]):
            total += a[i, j]
        mean = total / a.shape[1]
        for j in range(a.shape[1]):
            y[j] += (a[i, j] - mean) * x[j]
        w[i] = mean


def window(a, b, c, x, y, w):
    for i in range(a.shape[0] - 2):
        for j in range(a.shape[1] - 2):
            s = 0.0
            for di in range(3):
                for dj in range(3):
                    s += a[i + di, j + dj] * b[di, dj]
            c[i, j] = s


def nearest(a, b, c, x, y, w):
    for i in range(a.shape[0]):
        best = 1e300
        at = -1
        for j in range(b.shape[0]):
            s = 0.0
            for k in range(a.shape[1]):
                s += (a[i, k] - b[j, k]) * (a[i, k] - b[j, k])
            if s < best:
                best = s
                at = j
        y[i] = best
        w[i] = at


def carried_recurrence(a, b, c, x, y, w):
    total = 0.5
    for i in range(a.shape[0]):
        s = x[i]
        for j in range(a.shape[1]):
            s = s * 0.25 + a[i, j]
        total = total * 0.5 + s
        y[i] = total


def of_neighbours(a, b, c, x, y, w):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            y[i - 1] += a[i, j]
            w[j] += y[i]


def all_others(a, b, c, x, y, w):
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[0]):
            if i != j:
                d = x[i] - x[j]
                s += y[j] / (d * d + 0.5)
        w[i] = s


def within(a, b, c, x, y, w):
    for i in range(a.shape[0]):
        s, n = 0.0, 0
        for j in range(a.shape[1]):
            d = (x[i] - x[j]) * (x[i] - x[j])
            if d < 0.75:
                s += np.sqrt(d) * a[i, j] - a[j, i] / (d + 1.0)
                n += 1
            else:
                s -= 0.5
        w[i] = s
        c[i, 0] = n


def seldom(a, b, c, x, y, w):
    for i in range(a.shape[0]):
        s, t = 0.0, -0.0
        for j in range(a.shape[1]):
            d = (x[i] - x[j]) * (x[i] - x[j])
            if d < 0.05:
                s += np.sqrt(d) * a[i, j] - a[j, i] * (d + 2.0) + b[i, j]
                if a[i, j] > 0.0:
                    t += d
        w[i] = s + t


def least(a, b, c, x, y, w):
    for i in range(a.shape[0]):
        best, at = 1e300, -1
        for j in range(a.shape[1]):
            d = abs(x[i] - y[j])
            if d < best:
                best, at = d, j
        w[i] = at


NESTS = [
    *(all_others, within, seldom, least),
    *(row_sums, own_elements, one_row, row_and_sum, product, in_place, two_loops, window, nearest),
    *(carried_recurrence, of_neighbours),
]


def arguments(size, step):
    """Three matrices and three vectors in one buffer, ``step`` elements apart or one behind the other."""
    buffer = np.random.default_rng(size).standard_normal(4 * size * size + 4 * size + 32)
    at, made = 0, []
    for shape in [(size, size)] * 3 + [(size,)] * 3:
        count = int(np.prod(shape))
        made.append(buffer[at : at + count].reshape(shape))
        at += count if step is None else step
    return buffer, made


@pytest.mark.parametrize("step", [None, 0, 1, 3], ids=["apart", "same", "one", "three"])
@pytest.mark.parametrize("nest", NESTS, ids=[nest.__name__ for nest in NESTS])
def test_results_are_the_same_to_the_bit(nest, step):
    compiled = njit(nest)
    for size in (1, 3, 4, 7, 8, 9, 17, 33):
        wanted, given = arguments(size, step), arguments(size, step)
        with np.errstate(all="ignore"):
            if nest is window and size < 3:
                continue
            nest(*wanted[1])
            compiled(*given[1])
        np.testing.assert_array_equal(given[0], wanted[0])


def test_an_error_of_all_iterations_leaves_what_the_first_one_left():
    a, y, w = np.ones((9, 0)), np.ones(9), np.ones(9)
    with pytest.raises(ZeroDivisionError):
        njit(two_loops)(a, a, a, y, y, w)
    np.testing.assert_array_equal(w, np.ones(9))


def quotients(x, y, w):
    for i in range(len(x)):
        s = 0.0
        for j in range(len(y)):
            if x[i] != y[j]:
                s += x[i] / y[j]
        w[i] += s + 1.0


@pytest.mark.parametrize("at", range(11))
def test_an_error_of_one_iteration_leaves_what_those_before_it_left(at):
    x, y, w = np.arange(1.0, 12.0), np.array([1.5, 0.0, 2.5]), np.ones(11)
    x[:at] = 0.0
    wanted = w.copy()
    for i in range(at):
        wanted[i] += 1.0
    with pytest.raises(ZeroDivisionError):
        njit(quotients)(x, y, w)
    np.testing.assert_array_equal(w, wanted)


def guarded(x, short, w):
    for i in range(len(x)):
        s = 0.0
        for j in range(len(x)):
            if j < len(short):
                s += short[j] * x[i]
        w[i] = s


def test_nothing_is_loaded_from_behind_an_array():
    x, w = np.arange(1.0, 30.0), np.zeros(29)
    for size in range(31):
        short = np.arange(float(size))
        njit(guarded)(x, short, w)
        np.testing.assert_array_equal(w, x * short[:29].sum())
