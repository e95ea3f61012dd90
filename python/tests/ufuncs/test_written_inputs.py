"""`guvectorize` of functions that write to their inputs, with outputs and without."""

import numpy as np
import pytest

from pyopt import guvectorize, njit
from pyopt.errors import TypingError

TARGETS = ["cpu", "parallel"]
SIGNATURES = ["(n),()", "(n), () -> "]


def scale(row, by):
    for i in range(row.shape[0]):
        row[i] *= by


def exchange(a, b, count):
    for i in range(len(a)):
        a[i], b[i] = b[i] + 1, a[i]
    count[0] = len(a)


def rows(*shape):
    return np.arange(float(np.prod(shape, dtype=int))).reshape(shape)


@pytest.mark.parametrize("signature", SIGNATURES)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("types", [[], ["void(float64[:], float64)", "void(float32[:], float64)"]])
def test_without_outputs(types, target, signature):
    made = guvectorize(*([types] if types else []), signature, target=target, writable_args=(0,))(scale)
    assert (made.nin, made.nout) == (2, 0) or not types
    factors = np.array([[2.0], [3.0], [-1.0]])
    for array in (rows(4), rows(3, 5), rows(2, 3, 4), rows(0), rows(3, 0), rows(3, 1)):
        expected = array * 3.0
        assert made(array, 3.0) == ()  # no outputs
        np.testing.assert_array_equal(array, expected)
    for array in (rows(3, 5), rows(3, 5)[:, ::-2], rows(5, 3).T, rows(6, 4)[::-2], rows(2, 3, 2)):
        expected = array * factors
        made(array, factors[:, 0])
        np.testing.assert_array_equal(array, expected)
    array = rows(3, 4).astype("f4")
    made(array, 2.0)
    np.testing.assert_array_equal(array, rows(3, 4).astype("f4") * 2)


@pytest.mark.parametrize("target", TARGETS)
def test_many_rows(target):
    made = guvectorize(["void(float64[:], float64)"], "(n),()", target=target, writable_args=(0,))(scale)
    array = rows(5000, 7)
    made(array, np.arange(5000.0))
    np.testing.assert_array_equal(array, rows(5000, 7) * np.arange(5000.0)[:, None])


def test_overlapping_inputs_are_copied():
    made = guvectorize(
        ["void(float64[:], float64[:], int64[:])"], "(n),(n)->()", writable_args=("a", "b"), target="parallel"
    )(exchange)
    a, b = rows(4, 3), rows(4, 3) * 10
    expected = b + 1, a.copy()
    np.testing.assert_array_equal(made(a, b), [3, 3, 3, 3])
    np.testing.assert_array_equal((a, b), expected)


@njit
def scaled(array, by):
    made_here(array, by)
    return array


made_here = guvectorize(["void(float64[:], float64)"], "(n),()", writable_args=(0,))(scale)


def test_in_compiled_code():
    for array in (rows(4), rows(3, 5), rows(3, 5)[:, ::-2], rows(5, 3).T, rows(2, 3, 2)):
        np.testing.assert_array_equal(scaled(array.copy(), 3.0), array * 3.0)
    factors = np.array([2.0, 3.0, -1.0])
    np.testing.assert_array_equal(scaled(rows(3, 5), factors), rows(3, 5) * factors[:, None])
    with pytest.raises(ValueError, match="other outer dimensions"):
        scaled(rows(5), factors)


def test_inputs_are_readonly_unless_named():
    made = guvectorize("(n),()")(scale)

    @njit
    def call(array, by):
        made(array, by)

    with pytest.raises(TypingError, match="readonly"):
        call(rows(3), 2.0)
