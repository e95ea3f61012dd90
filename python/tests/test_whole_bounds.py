"""Floats as bounds of ranges and slices: what was an int on one path is a float where paths meet."""

import numpy as np
import pytest

from pyopt import njit, prange

NOT_AN_INT = "'float' object cannot be interpreted as an integer"
NO_INDEX = "slice indices must be integers or None or have an __index__ method"


def blocks(size, count, half):
    """Divide sizes as programs do that work in threads."""
    if count == 1:
        number = 1
    elif half:
        number = size / 2
    else:
        number = min(count, round(size / count))
    per_block, rest = divmod(size, number)
    total = 0
    for block in range(number):
        start = block * per_block + min(block, rest)
        for i in range(start, start + per_block + (1 if block < rest else 0)):
            total += i
    return total


@pytest.mark.parametrize("size", [1, 7, 12])
@pytest.mark.parametrize("count", [1, 3])
def test_an_int_on_the_path_that_is_taken(size, count):
    if size >= count:
        assert njit(blocks)(size, count, False) == blocks(size, count, False)


@pytest.mark.parametrize("parallel", [False, True])
def test_a_fraction_is_pythons_error(parallel):
    @njit(parallel=parallel)
    def count(n):
        total = 0
        for i in prange(n / 2):
            total += i
        return total

    assert count(8) == 6
    with pytest.raises(TypeError, match=NOT_AN_INT):
        count(7)
    for wrong in (np.inf, -np.inf, np.nan, 1e300):
        with pytest.raises(TypeError, match=NOT_AN_INT):
            njit(lambda end: list(range(0, end, 2)))(wrong)


def bounds(start, stop, step):
    return list(range(start, stop, step))


@pytest.mark.parametrize("kind", [float, np.float32])
def test_each_bound_may_be_one(kind):
    compiled = njit(bounds)
    for start, stop, step in ((0, 7, 2), (5, -3, -2), (-4, 4, 3)):
        expected = bounds(start, stop, step)
        assert compiled(kind(start), stop, step) == expected
        assert compiled(start, kind(stop), step) == expected
        assert compiled(start, stop, kind(step)) == expected
    with pytest.raises(ValueError, match="must not be zero"):
        compiled(0, 1, kind(0))
    with pytest.raises(TypeError, match=NOT_AN_INT):
        compiled(kind(0.5), 1, 1)


def middle(values, start, stop):
    return values[start:stop], values[: -(stop / stop)]


@pytest.mark.parametrize("values", [np.arange(6), "abcdef", [1, 2, 3, 4, 5, 6]])
def test_slices(values):
    compiled = njit(middle)
    inner, but_the_last = compiled(values, 1.0, 4.0)
    assert list(inner) == list(values[1:4]) and list(but_the_last) == list(values[:-1])
    with pytest.raises(TypeError, match=NO_INDEX):
        compiled(values, 1.5, 4.0)


def test_slices_that_are_written():
    @njit
    def halves(values):
        values[: len(values) / 2] = 0
        return values

    assert halves(np.ones(6)).tolist() == [0, 0, 0, 1, 1, 1]
    with pytest.raises(TypeError, match=NO_INDEX):
        halves(np.ones(5))
