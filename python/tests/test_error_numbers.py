"""Errors that say which index, sizes and shapes they are about, as NumPy and Python do."""

import numpy as np
import pytest

from pyopt import njit


def element(a, i):
    return a[i]


def element_of_two(a, i, j):
    return a[i, j]


def store(a, i):
    a[i] = 1.0


def view(a, i):
    return a[1:3][i]


CHECKED = [
    (element, (np.zeros(3), 3)),
    (element, (np.zeros(3), -4)),
    (element, (np.zeros(0), 0)),
    (element, (np.zeros(3), np.uint8(200))),
    (element, (np.zeros((2, 5)), 7)),
    (element_of_two, (np.zeros((2, 5)), 1, 5)),
    (element_of_two, (np.zeros((2, 5)), -3, 5)),
    (store, (np.zeros(3), 10**12)),
    (view, (np.zeros(8), 2)),
]


def outcome(function, args):
    try:
        return repr(function(*args))
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize(("function", "args"), CHECKED)
def test_bounds_as_in_numpy(function, args):
    expected = outcome(function, args)
    assert isinstance(expected, tuple)
    assert outcome(njit(boundscheck=True)(function), args) == expected


def add(a, b):
    return a + b


def add_in_place(a, b):
    a += b


def assign(a, b):
    a[:] = b


SHAPES = [
    (add, (3,), (4,), "(3,) (4,)"),
    (add, (2, 3), (3, 3), "(2,3) (3,3)"),
    (add, (0,), (2,), "(0,) (2,)"),
    (assign, (3,), (4,), "(3,) (4,)"),
    (assign, (2, 3), (2, 2, 3), "(2,3) (2,2,3)"),
    (add_in_place, (2, 2), (3, 2), "(2,2) (3,2)"),
]


@pytest.mark.parametrize(("function", "one", "other", "shapes"), SHAPES)
@pytest.mark.parametrize("parallel", [False, True])
def test_shapes_that_do_not_broadcast(function, one, other, shapes, parallel):
    compiled = njit(parallel=parallel)(function)
    with pytest.raises(ValueError) as raised:
        compiled(np.zeros(one), np.zeros(other))
    assert str(raised.value) == f"operands could not be broadcast together with shapes {shapes}"


def multiply(a, b):
    return a @ b


def test_products():
    with pytest.raises(ValueError) as raised:
        njit(multiply)(np.zeros((2, 3)), np.zeros((2, 2)))
    assert str(raised.value) == "shapes not aligned: 3 (dim 1) != 2 (dim 0)"


def unpack_three(items):
    a, b, c = items
    return a + b + c


def unpack_range(n):
    a, b, c = range(n)
    return a + b + c


@pytest.mark.parametrize("length", [0, 2, 3, 4])
def test_unpacking_a_range(length):
    assert outcome(njit(unpack_range), (length,)) == outcome(unpack_range, (length,))


@pytest.mark.parametrize("length", [0, 2, 4])
@pytest.mark.parametrize("kind", [np.zeros, lambda n: list(range(n)) or ()])
def test_unpacking_as_in_python(kind, length):
    items = kind(length)
    assert outcome(njit(unpack_three), (items,)) == outcome(unpack_three, (items,))


def masked(a, mask):
    return a[mask]


@pytest.mark.parametrize("shapes", [((3,), (4,)), ((2, 3), (2, 4)), ((2, 3), (3,))])
def test_masks_as_in_numpy(shapes):
    args = np.zeros(shapes[0]), np.ones(shapes[1], bool)
    assert outcome(njit(masked), args) == outcome(masked, args)


def taken(a, index):
    return a[index]


def taken_in_rows(a, index):
    return a[:, index]


def stored(a, index):
    a[0, index, :] = 1.0


def taken_from_last(a, index):
    return np.take(a, index, 1)


def in_shape_of_two(a, rows):
    return a.reshape((rows, 4))


def inserted(a, at):
    return np.insert(a, at, 1.0)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (taken, (np.zeros(3), np.array([0, 5]))),
        (taken, (np.zeros((3, 2)), np.array([0, -4]))),
        (taken_in_rows, (np.zeros((3, 2)), np.array([1, 2]))),
        (taken_from_last, (np.zeros((3, 2)), np.array([2]))),
        (in_shape_of_two, (np.zeros(6), 2)),
        (stored, (np.zeros((2, 3, 2)), np.array([1, 3]))),
        (inserted, (np.zeros(6), 8)),
        (inserted, (np.zeros(6), -7)),
    ],
)
def test_positions_and_shapes_as_in_numpy(function, args):
    expected = outcome(function, args)
    assert isinstance(expected, tuple)
    assert outcome(njit(function), args) == expected


def caught(a, i):
    try:
        return a[i]
    except IndexError:
        return -1.0


def passed_on(a, i):
    try:
        return a[i]
    except IndexError as error:
        raise error


def test_handlers():
    checked = njit(boundscheck=True)
    assert checked(caught)(np.zeros(3), 5) == -1
    args = np.zeros(3), 5
    assert outcome(checked(passed_on), args) == outcome(passed_on, args)


def test_users_braces_stay():
    @njit
    def refuse(x):
        if x > 0:
            raise ValueError("a {} in the text")
        return x

    with pytest.raises(ValueError, match=r"^a \{\} in the text$"):
        refuse(1)


def test_nothing_is_held_after_the_error():
    compiled = njit(boundscheck=True)(element)
    a = np.zeros(3)
    for i in range(10000):
        with pytest.raises(IndexError, match=f"index {i + 3} is out"):
            compiled(a, i + 3)
