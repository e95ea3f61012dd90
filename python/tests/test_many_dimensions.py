"""Arrays of as many dimensions as NumPy has, and what is said of more."""

import numpy as np
import pytest

from pyopt import errors, njit, types

LIMIT = 64


def returned(a):
    return a


def size_and_sum(a):
    return a.size, a.ndim, a.sum()


def plus_one(a):
    return a + 1.0


def last(a):
    return a[..., -1]


@pytest.mark.parametrize("function", [returned, size_and_sum, plus_one, last])
@pytest.mark.parametrize("rank", [32, 33, 63, LIMIT])
def test_arguments_of_many_dimensions(function, rank):
    a = np.arange(3.0).reshape((1,) * (rank - 1) + (3,))
    found = njit(function)(a)
    np.testing.assert_equal(found, function(a))
    if isinstance(found, np.ndarray):
        assert found.shape == function(a).shape


def more_than_numpy_has(a):
    b = a + 1.0
    return b[None]


def made_with_too_many(n):
    shape = (n, n, n, n, n, n, n, n)
    shape = shape + shape + shape + shape
    return np.zeros(shape + shape + (n,))


def outer(a):
    return np.add.outer(a, a)


@pytest.mark.parametrize(
    ("function", "argument", "line"),
    [
        (more_than_numpy_has, np.ones((1,) * LIMIT), "b[None]"),
        (made_with_too_many, 1, "np.zeros("),
        (outer, np.ones((1,) * 33), "np.add.outer"),
    ],
)
def test_more_dimensions_are_a_diagnostic_at_their_line(function, argument, line):
    with pytest.raises((ValueError, IndexError), match="dimension"):
        function(argument)
    with pytest.raises(errors.TypingError, match="an array of more than 64 dimensions") as raised:
        njit(function)(argument)
    assert line in str(raised.value)


def test_types_have_the_same_limit():
    assert types.Array(types.float64, LIMIT, "C").ndim == LIMIT
    with pytest.raises(ValueError, match="at most 64 dimensions"):
        types.Array(types.float64, LIMIT + 1, "C")


@pytest.mark.parametrize("length", [300, 5000])
def test_long_tuples(length):
    assert njit(lambda t: (t[0], t[-1], len(t)))(tuple(range(length))) == (0, length - 1, length)
