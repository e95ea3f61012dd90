"""``index`` and ``count`` of tuples, ``item`` of numbers and arrays."""

from collections import namedtuple

import numpy as np
import pytest

from pyopt import errors, njit

Point = namedtuple("Point", "x y")
Counted = namedtuple("Counted", "count index")


def check(function, *args):
    expected, error = None, None
    try:
        expected = function(*args)
    except Exception as caught:
        error = caught
    if error is None:
        assert njit(function)(*args) == expected
    else:
        with pytest.raises(type(error)) as given:
            njit(function)(*args)
        assert str(given.value) == str(error)


@pytest.mark.parametrize(
    "items", [(1, 2, 3, 2), (), (1.5, 2.0, True), (1, 2.0, 3 + 0j, 2), ("a", "b"), (1, "a", None, 2)]
)
@pytest.mark.parametrize("value", [2, 2.0, 7, True, "b", None])
def test_index_and_count(items, value):
    check(lambda items, value: items.index(value), items, value)
    check(lambda items, value: items.count(value), items, value)


@pytest.mark.parametrize("start", [0, 1, 3, 4, 9, -1, -3, -9])
@pytest.mark.parametrize("stop", [0, 2, 4, 9, -1, -9])
def test_a_part(start, stop):
    check(lambda items, start, stop: items.index(2, start, stop), (2, 1, 2, 3), start, stop)


def test_nan_equals_nothing():
    # In Python an object also equals itself; compiled code compares values.
    nan = float("nan")
    assert njit(lambda items, value: items.count(value))((nan, 1.0), nan) == 0


def test_named_tuples():
    check(lambda point: (point.index(2), point.count(1)), Point(1, 2))
    # A field goes before the method of its name.
    check(lambda one: one.count + one.index, Counted(1, 2))


def test_lists_have_their_own():
    check(lambda n: [1, n, 2].index(n), 5)
    with pytest.raises(errors.TypingError, match="unknown attribute 'sort' of type UniTuple"):
        njit(lambda items: items.sort())((1, 2))


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16"])
def test_item(dtype):
    array = np.array([1, 0, 3]).astype(dtype)
    check(lambda a: a[2].item(), array)
    check(lambda a: a.sum().item(), array)
    check(lambda a: a.item(), array[:1].reshape(1, 1))
    check(lambda a: a.item(), array[0].reshape(()))
    check(lambda a: a.item(), array[0])


def test_items_of_python_numbers():
    assert njit(lambda x: x.item())(3) == 3
    with pytest.raises(errors.TypingError, match="at most 0 arguments"):
        njit(lambda x: x.item(0))(3.0)
