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


def test_axes_are_constants():
    with pytest.raises(errors.TypingError, match=r"the axes of swapaxes\(\) must be constant ints"):
        njit(lambda a: np.swapaxes(a, 0, int(a[0, 0])))(np.ones((2, 2)))


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
    with pytest.raises(errors.TypingError, match=r"the axes of swapaxes\(\) must be constant ints"):
        swapped(a, 0, 1.5)
