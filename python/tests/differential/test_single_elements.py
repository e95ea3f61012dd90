"""Arrays of one element as numbers, ellipses that leave an element, arrays of nested items."""

import numpy as np
import pytest
from compare import assert_same, check

from pyopt import errors, njit

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16"]


def truth(a):
    return bool(a), (1 if a else 2), not a


def item(a):
    return a.item()


def integer(a):
    return int(a)


def real(a):
    return float(a)


def whole(a):
    return complex(a)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_the_only_element(dtype, shape):
    for value in (0, 3):
        a = np.full(shape, value).astype(dtype)
        check(truth, a)
        assert njit(item)(a) == a.item()
        if not shape:
            assert njit(whole)(a) == complex(a)
            if a.dtype.kind != "c":
                assert njit(integer)(a) == int(a)
                assert njit(real)(a) == float(a)


@pytest.mark.parametrize("size", [0, 2])
def test_several_elements_or_none(size):
    """The messages are NumPy's."""
    a = np.zeros(size)
    for function in (truth, item):
        with pytest.raises(ValueError) as expected:
            function(a)
        with pytest.raises(ValueError) as got:
            njit(function)(a)
        assert str(got.value) == str(expected.value)


@pytest.mark.parametrize("function", [integer, real, whole])
def test_numbers_are_made_of_arrays_without_dimensions(function):
    with pytest.raises(TypeError, match="only 0-dimensional arrays can be converted"):
        njit(function)(np.ones(1))


def of_element(a):
    part = a[1, 0, ...]
    part[...] = 7
    whole = part[...]
    return part, whole + 1, a[..., 1, 1].ndim


def test_ellipsis_gives_arrays():
    for a in (np.arange(6.0).reshape(2, 3), np.arange(6).reshape(3, 2).T):
        check(of_element, a)


def matrix(x):
    return np.array([[1, x], [3, 4]])


def cube(x):
    return np.array((((1, 2), [x, 4]), [(5, 6), (7, 8)]), dtype=np.float32)


def empty(x):
    return np.array([[], []]), np.array(x), np.asarray(x, np.float32)


def rows(x):
    return np.array([np.arange(3) * x, np.ones(3)])


def test_nested_items():
    for function in (matrix, cube, empty, rows):
        for x in (2, 2.5):
            check(function, x)


def uneven(x):
    return np.array([[1, x], [3]])


def deeper(x):
    return np.array([1, [x, 3]])


def test_uneven_items():
    for function in (uneven, deeper):
        with pytest.raises(ValueError, match="setting an array element with a sequence"):
            njit(function)(1)


def imaginary(a):
    return a.imag


def test_imaginary_parts_of_real_arrays():
    for a in (np.arange(4.0), np.arange(4, dtype=np.int8).reshape(2, 2)):
        assert_same(njit(imaginary)(a), a.imag.copy())


def test_views_of_records_are_refused():
    pairs = np.dtype([("a", "i1"), ("b", "i1")])
    with pytest.raises(errors.TypingError, match="can't be seen as Record"):
        njit(lambda a: a.view(pairs))(np.arange(4, dtype=np.int8))
