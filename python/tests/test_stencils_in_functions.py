"""Stencils that compiled functions make of their own kernels, windows, and what is known after a call."""

import numpy as np
import pytest

import pyopt
from pyopt import errors, njit, stencil

GRID = np.arange(25.0).reshape(5, 5) ** 2


def cross(a):
    return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])


EXPECTED = stencil(cross)(GRID)


@pytest.mark.parametrize("parallel", [False, True])
def test_kernels_of_a_function(parallel):
    def local(a):
        def kernel(x):
            return 0.25 * (x[0, 1] + x[1, 0] + x[0, -1] + x[-1, 0])

        return stencil(kernel)(a)

    def decorated(a):
        @stencil
        def kernel(x):
            return 0.25 * (x[0, 1] + x[1, 0] + x[0, -1] + x[-1, 0])

        return kernel(a)

    def without_name(a):
        return pyopt.stencil(lambda x: 0.25 * (x[0, 1] + x[1, 0] + x[0, -1] + x[-1, 0]))(a)

    def of_a_global(a):
        made = stencil(cross)
        return made(a)

    for function in (local, decorated, without_name, of_a_global):
        assert np.array_equal(njit(function, parallel=parallel)(GRID), EXPECTED)


def test_options_and_arguments():
    def function(a, weights, out):
        stencil(lambda x, w: x[0, 1] * w[1], standard_indexing=("w",))(a, weights, out=out)
        bordered = stencil(lambda x: x[0, 1], cval=7.0, neighborhood=((-1, 1), (0, 2)))(a)
        return bordered, stencil(lambda x, w: x[0, 1] * w[1], standard_indexing="w")(a, weights)

    out = np.full((5, 5), -1.0)
    bordered, weighted = njit(function)(GRID, np.array([1.0, 3.0]), out)
    expected = np.full((5, 5), 7.0)
    expected[1:4, :3] = GRID[1:4, 1:4]
    assert np.array_equal(bordered, expected)
    assert np.array_equal(weighted[:, :4], 3 * GRID[:, 1:])
    assert (out[:, 4] == -1).all() and np.array_equal(out[:, :4], weighted[:, :4])


def test_several_times_and_by_choice():
    def function(a, n):
        shift = stencil(lambda x: x[1])
        for _ in range(n):
            a = shift(a)
        return a

    assert njit(function)(np.arange(6.0), 3).tolist() == [3.0, 4.0, 5.0, 0.0, 0.0, 0.0]


def test_what_cannot_be_made():
    def captured(a, c):
        return stencil(lambda x: c * x[0])(a)

    def computed(a, c):
        return stencil(lambda x: x[0], cval=c)(a)

    def unknown(a, c):
        return stencil(lambda x: x[0], border=1)(a)

    def no_function(a, c):
        return stencil(c)(a)

    def returned(a, c):
        return stencil(lambda x: x[0])

    for function, reason in (
        (captured, "uses no variables of another one"),
        (computed, "the option 'cval' must be a constant"),
        (unknown, "unexpected or unsupported keyword argument 'border'"),
        (no_function, "the kernel must be a function"),
        (returned, "can't be returned|can't be"),
    ):
        with pytest.raises(errors.PyoptError, match=reason):
            njit(function)(np.zeros(3), 1.0)


def windows(function, a, reach):
    """Compute what a stencil of windows does, by slices of Python's."""
    expected = np.zeros(a.shape)
    low, high = reach
    for index in np.ndindex(a.shape):
        if all(low <= at < size - high for at, size in zip(index, a.shape, strict=True)):
            expected[index] = function(a[tuple(slice(at - low, at + high + 1) for at in index)])
    return expected


@pytest.mark.parametrize("order", ["C", "F"])
def test_windows(order):
    @stencil(neighborhood=((-2, 2),))
    def median(a):
        return np.median(a[-2:3])

    @stencil(neighborhood=((-1, 1), (-1, 1)))
    def box(a):
        return np.sum(a[-1:2, -1:2])

    @stencil(neighborhood=((-1, 1), (-1, 1)))
    def column(a):
        return a[-1:2, 0].max() - a[1, -1:1].min()

    rng = np.random.default_rng(1)
    line = rng.random(30)
    assert np.allclose(median(line), windows(np.median, line, (2, 2)))
    assert np.allclose(median(line[::3]), windows(np.median, line[::3], (2, 2)))
    grid = np.asarray(rng.random((6, 7)), order=order)
    assert np.allclose(box(grid), windows(np.sum, grid, (1, 1)))
    expected = windows(lambda part: part[:, 1].max() - part[2, :2].min(), grid, (1, 1))
    assert np.allclose(column(grid), expected)
    for parallel in (False, True):
        function = njit(lambda a: box(a) + column(a), parallel=parallel)
        assert np.allclose(function(grid), box(grid) + expected)
    assert median(np.zeros(3)).tolist() == [0, 0, 0]


def test_windows_that_depend_on_arguments():
    @stencil(neighborhood=((-3, 3),))
    def mean(a, n):
        return a[-n : n + 1].mean()

    a = np.arange(20.0) ** 2
    for n in (1, 2, 3):
        expected = np.zeros(20)
        for i in range(3, 17):
            expected[i] = a[i - n : i + n + 1].mean()
        assert np.allclose(mean(a, n), expected)


@pytest.mark.parametrize(
    ("kernel", "options", "reason"),
    [
        (lambda a: a[-1:2].sum(), {}, "'neighborhood' option required"),
        (lambda a: a[:2].sum(), {"neighborhood": ((-1, 1),)}, "a start and a stop"),
        (lambda a: a[-1:3].sum(), {"neighborhood": ((-1, 1),)}, "outside of its neighborhood"),
        (lambda a: a[-1:2, 0].sum(), {"neighborhood": ((-1, 1),)}, "2 indices for"),
        (lambda a: a[0.5], {}, "no index of a kernel's array"),
        (lambda a: a[-1:2], {"neighborhood": ((-1, 1),)}, "must return a number"),
        (lambda a: a[5], {"neighborhood": ((-1, 1),)}, "outside of its neighborhood"),
    ],
)
def test_windows_that_make_no_sense(kernel, options, reason):
    with pytest.raises(ValueError, match=reason):
        stencil(**options)(kernel)(np.zeros(8))


@pytest.mark.parametrize(
    ("dtype", "cval", "border"),
    [
        ("i8", 2.7, 2),
        ("i8", -2.7, -2),
        ("i4", 3, 3),
        ("f8", 2, 2.0),
        ("f4", np.nan, np.nan),
        ("c16", 1.5, 1.5),
    ],
)
def test_borders_are_converted(dtype, cval, border):
    @stencil(cval=cval)
    def kernel(a):
        return a[-1] + a[1]

    given = kernel(np.arange(5).astype(dtype))
    assert np.array_equal(given[[0, -1]], np.array([border] * 2).astype(dtype), equal_nan=True)
    assert given[1:-1].tolist() == [2, 4, 6]


@pytest.mark.parametrize("cval", [1j, np.nan, np.inf, 1e30])
def test_borders_that_are_no_such_number(cval):
    with pytest.raises(ValueError, match="cval"):
        stencil(cval=cval)(lambda a: a[-1] + a[1])(np.arange(5))


def test_the_neighborhood_is_known_after_a_call():
    @stencil
    def kernel(a):
        return a[-1, 0] + a[2, 1]

    assert kernel.neighborhood is None
    kernel(GRID)
    assert kernel.neighborhood == ((-1, 2), (0, 1))
    given = stencil(neighborhood=((-3, 3),))(lambda a: a[1])
    given(np.zeros(9))
    assert given.neighborhood == ((-3, 3),)


@stencil
def applied_inside(a):
    return a[-1, 0] + a[0, 2]


@stencil
def applied_in_a_callee(a):
    if a[0] > 0:
        return a[-2]
    return a[3]


def test_neighborhoods_are_known_after_calls_of_compiled_code_alone():
    of_a_lambda = stencil(lambda a: a[1] + a[-4])
    callee = njit(lambda a: applied_in_a_callee(a))
    several = njit(lambda a, b: applied_inside(a).sum() + callee(b).sum() + of_a_lambda(b).sum())
    assert applied_inside.neighborhood is None
    several(GRID, GRID[0])
    assert applied_in_a_callee.neighborhood == ((-2, 3),)
    assert applied_inside.neighborhood == ((-1, 0), (0, 2))
    assert of_a_lambda.neighborhood == ((-4, 1),)
