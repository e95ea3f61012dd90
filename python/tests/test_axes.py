"""Views with the dimensions in another order: NumPy's values, strides and errors."""

import itertools

import numpy as np
import pytest
from library_checks import check, layouts

from pyopt import errors, njit


def compare(expression, a):
    """Compare the view that an expression gives, and what it shares."""
    names = {"np": np}
    exec(f"def function(a):\n    return {expression}", names)
    python, jitted = names["function"], njit(names["function"])
    try:
        expected = python(a)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error).replace("(", "[(]").replace(")", "[)]")):
            jitted(a)
        return
    found = jitted(a)
    np.testing.assert_array_equal(found, expected)
    assert found.strides == expected.strides
    assert np.shares_memory(found, a) or a.size == 0
    check(f"({expression}).sum(axis=0)", a)
    check(f"({expression} * 2 + {expression}).copy()", a)
    check(f"({expression})[0]", a)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
def test_permutations(order):
    for a in layouts("float64", (2, 3, 4)):
        compare(f"np.transpose(a, {order})", a)
        compare(f"a.transpose({order})", a)
        compare(f"a.transpose({', '.join(map(str, order))})", a)
        compare(f"np.transpose(a, axes={tuple(axis - 3 for axis in order)})", a)


@pytest.mark.parametrize(("first", "second"), list(itertools.product((-3, -1, 0, 1), repeat=2)))
def test_two_axes(first, second):
    for a in layouts("int32", (2, 3, 4)):
        compare(f"np.swapaxes(a, {first}, {second})", a)
        compare(f"a.swapaxes({first}, {second})", a)
        compare(f"np.moveaxis(a, {first}, {second})", a)


def test_few_dimensions():
    for expression in ("np.transpose(a)", "a.transpose()", "a.T", "np.swapaxes(a, 0, -1)", "a.transpose(0)"):
        compare(expression, np.arange(5.0))
    for expression in (
        "np.transpose(a, None)",
        "a.transpose(1, 0)",
        "a.transpose(0, 1)",
        "a.T.transpose((1, 0))",
    ):
        compare(expression, np.arange(6.0).reshape(2, 3))
        compare(expression, np.arange(6.0).reshape(2, 3, order="F"))


@pytest.mark.parametrize(
    "expression",
    ["np.transpose(a, (0, 0))", "a.transpose(0)", "np.transpose(a, (0, 1, 2))"],
)
def test_wrong_axes(expression):
    compare(expression, np.ones((2, 3)))


def test_axes_out_of_bounds():
    check("np.swapaxes(a, 0, 2)", np.ones((2, 3)))
    check("np.transpose(a, (0, -3))", np.ones((2, 3)))


def test_writing_through():
    def function(a):
        view = np.moveaxis(a, 0, -1)
        for i, plane in enumerate(view):
            plane[0, 1] = i
            plane += 1
        return view

    a, b = np.zeros((2, 3, 4)), np.zeros((2, 3, 4))
    function(b)
    np.testing.assert_array_equal(njit(function)(a), np.moveaxis(b, 0, -1))
    np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("rank", [2, 3, 4])
def test_axes_that_are_known_at_run_time(rank):
    swapped = njit(lambda a, axes: np.swapaxes(a, axes[0], axes[1]))
    moved = njit(lambda a, axes: np.moveaxis(a, axes[0], axes[1]))
    parts = njit(lambda a, axes: np.array_split(a, 2, axes[0]))
    a = np.arange(120.0).reshape(*range(2, rank + 2), -1)[..., 0]
    for first in range(-rank, rank):
        for second in range(-rank, rank):
            axes = np.array([first, second])
            for compiled, function in (swapped, np.swapaxes), (moved, np.moveaxis):
                view = compiled(a, axes)
                np.testing.assert_array_equal(view, function(a, first, second))
                assert np.shares_memory(view, a)
        for one, expected in zip(parts(a, axes), np.array_split(a, 2, first), strict=True):
            np.testing.assert_array_equal(one, expected)
    for wrong in (rank, 0), (0, -rank - 1):
        for compiled in swapped, moved:
            with pytest.raises(ValueError, match="is out of bounds for array of dimension"):
                compiled(a, np.array(wrong))


def test_turns_that_are_known_at_run_time():
    turned = njit(lambda m, times: np.rot90(m, times[0]))
    for m in np.arange(6.0).reshape(2, 3), np.arange(24).reshape(2, 3, 4), np.arange(6.0).reshape(2, 3).T:
        for times in range(-5, 6):
            np.testing.assert_array_equal(turned(m, np.array([times])), np.rot90(m, times))


def test_trapezoids_of_rows():
    y = np.random.default_rng(3).random((3, 4, 5))
    x = np.sort(np.random.default_rng(4).random(5))
    np.testing.assert_allclose(njit(lambda y: np.trapezoid(y))(y), np.trapezoid(y))
    np.testing.assert_allclose(njit(lambda y: np.trapezoid(y, dx=0.5))(y[0]), np.trapezoid(y[0], dx=0.5))
    np.testing.assert_allclose(njit(lambda y, x: np.trapezoid(y, x))(y, x), np.trapezoid(y, x))
    np.testing.assert_allclose(njit(lambda y, x: np.trapezoid(y, x))(y, y + 1), np.trapezoid(y, y + 1))


def test_axes_that_are_arguments_are_known_by_their_values():
    swapped = njit(lambda a, first, second: np.swapaxes(a, first, second).copy())
    parts = njit(lambda a, places, axis: np.split(a, places, axis=axis))
    a = np.arange(24.0).reshape(2, 3, 4)
    for first, second in ((0, 1), (0, 2), (-1, 1)):
        np.testing.assert_array_equal(swapped(a, first, second), np.swapaxes(a, first, second))
    for axis in (0, 2, -1):
        found = parts(a, np.array([1]), axis)
        for one, expected in zip(found, np.split(a, [1], axis=axis), strict=True):
            np.testing.assert_array_equal(one, expected)
    with pytest.raises(errors.TypingError):
        swapped(a, 0, 1.5)
