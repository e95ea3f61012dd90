"""NumPy's functions of elements, views and statements in place."""

import numpy as np
import pytest
from arrays import LAYOUTS_1D, LAYOUTS_2D, SPECIAL, matrix, vector
from compare import Ulps, check

# Functions of elements


def square_root(a):
    return np.sqrt(a * a + 1.0)


def exponential(a):
    return np.exp(-a / 10.0) + 1.0


def logarithm(a):
    return np.log(abs(a) + 1.0) * 2.0


def sines(a):
    return np.sin(a), np.cos(a)


@pytest.mark.parametrize("layout", ["C", "strided", "reversed"])
@pytest.mark.parametrize("dtype", ["f8", "i8", "i4"])
def test_functions(layout, dtype):
    a = vector(40, dtype, layout)
    check(square_root, a, numpy=True)
    # Correctly rounded operations around a function that may be off by one unit.
    check(exponential, a, numpy=True, tolerance=Ulps(2))
    check(logarithm, a, numpy=True, tolerance=Ulps(1))
    check(sines, a, numpy=True, tolerance=Ulps(1))


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_square_roots_of_special_floats(dtype):
    check(lambda a: np.sqrt(a), np.abs(SPECIAL).astype(dtype), numpy=True)
    check(lambda a: np.sqrt(a), SPECIAL.astype(dtype), numpy=True)


def test_exponentials_over_the_whole_range():
    check(lambda a: np.exp(a), np.linspace(-745, 709, 2000), numpy=True, tolerance=Ulps(1))
    check(lambda a: np.exp(a), SPECIAL, numpy=True, tolerance=Ulps(1))


def test_minimum_and_maximum():
    def extremes(a, b):
        return np.minimum(a, b), np.maximum(a, b)

    check(extremes, vector(9), vector(9, seed=2), numpy=True)
    check(extremes, SPECIAL, np.roll(SPECIAL, 2), numpy=True, tolerance=Ulps(0))
    check(extremes, vector(9, "i4"), vector(9, "i4", seed=2), numpy=True)


# Views


def sliced(a):
    return a[2:-1] * 2.0 + a[1:-2]


def sliced_step(a):
    return a[::2][:3] + a[::-2][:3]


def shifted_sum(a):
    return a[:-2] + a[1:-1] + a[2:]


def reversed_and_straight(a):
    return a[::-1] - a


def dynamic_slice(a):
    n = len(a) // 2
    return a[n:][:n] * a[:n]


def out_of_range_slices(a):
    return a[5:100] + 0.0, a[100:], a[-100:3], a[4:2]


VIEWS = (sliced, sliced_step, shifted_sum, reversed_and_straight, dynamic_slice, out_of_range_slices)


@pytest.mark.parametrize("layout", LAYOUTS_1D)
@pytest.mark.parametrize("function", VIEWS)
def test_views_of_vectors(function, layout):
    check(function, vector(9, "f8", layout), numpy=True)
    check(function, vector(6, "i8", layout), numpy=True)


def rows_and_columns(m):
    return m[1] + m[-1], m[:, 0] * m[:, 1], m[0, :] - m[1, :]


def inner(m):
    return m[1:-1, 1:-1] * 4.0 - m[:-2, 1:-1] - m[2:, 1:-1]


def transposed(m):
    return m.T * 2.0 + m.T


def mirrored(m):
    return m[::-1, ::-1] + m


def newaxis_outer(m):
    return m[0][:, None] * m[1][None, :]


@pytest.mark.parametrize("layout", LAYOUTS_2D)
@pytest.mark.parametrize("function", [rows_and_columns, inner, transposed, mirrored, newaxis_outer])
def test_views_of_matrices(function, layout):
    check(function, matrix(4, 6, "f8", layout), numpy=True)


# In place


def add_in_place(a, b):
    a += b


def scale_in_place(a, b):
    a *= 2.0
    a -= b
    return a


def assign_all(a, b):
    a[:] = b * 2.0


def assign_part(a, b):
    a[1:4] = b[2:5]
    a[-1:] = 7.0
    a[::3] = 0.5


def assign_shifted(a, b):
    # The right side is read before anything is written.
    a[1:] = a[:-1]
    a[:-1] += a[1:]


def assign_reversed(a, b):
    a[:] = a[::-1]
    b[::-1] = a * 1.0


IN_PLACE = (add_in_place, scale_in_place, assign_all, assign_part, assign_shifted, assign_reversed)


@pytest.mark.parametrize("layout", [name for name in LAYOUTS_1D if name != "readonly"])
@pytest.mark.parametrize("function", IN_PLACE)
def test_in_place(function, layout):
    check(function, vector(9, "f8", layout), vector(9, "f8", layout, 2), numpy=True)


@pytest.mark.parametrize("function", [add_in_place, assign_all, scale_in_place])
def test_in_place_with_overlap(function):
    memory = np.arange(12.0)
    for a, b in (
        (memory[1:], memory[:-1]),
        (memory[:-1], memory[1:]),
        (memory, memory[::-1]),
        (memory, memory),
    ):
        check(function, a, b, numpy=True)


def test_in_place_broadcasts():
    check(add_in_place, matrix(3, 4), vector(4), numpy=True)
    check(assign_all, matrix(3, 4, layout="F"), vector(4), numpy=True)
    check(add_in_place, vector(3), vector(4), numpy=True, message=False)
