"""``getattr`` and ``hasattr`` in compiled code: what they find are the attributes that the dot finds."""

import numpy as np
import pytest

from pyopt import errors, njit, types
from pyopt.extending import overload_attribute, overload_method


@overload_attribute(types.Array, "doubled_sum")
def _(array):
    if array.ndim == 1:
        return lambda array: array.sum() * 2


@overload_attribute(types.UnicodeType, "length")
def _(text):
    return lambda text: len(text)


@overload_method(types.Array, "times_sum")
def _(array, factor=3):
    return lambda array, factor=3: array.sum() * factor


def test_attributes_of_overloads():
    array = np.arange(4.0)
    assert njit(lambda array: getattr(array, "doubled_sum"))(array) == 12.0  # noqa: B009
    assert njit(lambda array: getattr(array, "doubled_sum", -1.0))(array) == 12.0
    assert njit(lambda array: hasattr(array, "doubled_sum"))(array) is True
    assert njit(lambda text: getattr(text, "length"))("abc") == 3  # noqa: B009
    assert njit(lambda text: hasattr(text, "length"))("abc") is True
    assert njit(lambda text: text.length)("abc") == 3


def test_methods_of_overloads():
    array = np.arange(4.0)
    assert njit(lambda array: getattr(array, "times_sum")(2))(array) == 12.0  # noqa: B009
    assert njit(lambda array: hasattr(array, "times_sum"))(array) is True


def test_overloads_that_decline():
    square = np.ones((2, 2))
    assert njit(lambda array: hasattr(array, "doubled_sum"))(square) is False
    assert njit(lambda array: getattr(array, "doubled_sum", -1.0))(square) == -1.0
    with pytest.raises((errors.TypingError, AttributeError)):
        njit(lambda array: getattr(array, "doubled_sum"))(square)  # noqa: B009


def test_attributes_that_there_are():
    array = np.ones((2, 3))
    assert njit(lambda array: getattr(array, "shape"))(array) == (2, 3)  # noqa: B009
    assert njit(lambda array: getattr(array, "no_such", 5))(array) == 5
    assert njit(lambda array: (hasattr(array, "size"), hasattr(array, "no_such")))(array) == (True, False)


@pytest.mark.parametrize(
    "dtype", [np.int8, np.float32, "f4", "int64", "float64", np.dtype("u2"), np.complex64, bool, int, "M8[s]"]
)
def test_dtypes_are_made(dtype):
    expected = np.dtype(dtype)
    assert njit(lambda: np.dtype(dtype))() == expected
    assert njit(lambda: np.zeros(2, np.dtype(dtype)))().dtype == expected
    assert njit(lambda: np.dtype(dtype).itemsize)() == expected.itemsize


def test_dtypes_of_dtypes():
    array = np.ones(2, "f4")
    assert njit(lambda array: np.dtype(array.dtype) == array.dtype)(array) is True
    assert njit(lambda array, x: np.dtype(array.dtype).type(x))(array, 0.1) == np.float32(0.1)
    with pytest.raises(errors.TypingError, match="is not a dtype"):
        njit(lambda: np.dtype(3))()
