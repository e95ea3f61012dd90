"""Calls with so many arguments as there are at run time, and tuples that are made of such."""

import itertools

import numpy as np
import pytest
from plain_checks import same

from pyopt import errors, njit


def one(a):
    return a


def three(a, b, c):
    return a + b * c


def some(a, b=3, c=5):
    return a - b * c


def none():
    return 7


def by_keyword(a, b, *, scale=2):
    return (a - b) * scale


@njit
def compiled(a, b):
    return a / b


def rows_of(matrix):
    total = 0.0
    for row in matrix:
        total += compiled(*row)
    return total


def of_closure(items, k):
    def inner(a, b):
        return a * k + b

    return inner(*items)


def with_default(items, n):
    total = 0
    for k in range(n):
        function = lambda a, b, k=k: a + b * k  # noqa: E731
        total += function(*items)
    return total


LISTS = [[], [1], [1, 2], [1, 2, 4], [1, 2, 4, 8]]


@pytest.mark.parametrize("items", LISTS)
@pytest.mark.parametrize(
    "function",
    [
        lambda items: one(*items),
        lambda items: three(*items),
        lambda items: some(*items),
        lambda items: none(*items),
        lambda items: by_keyword(*items),
        lambda items: compiled(*items),
        lambda items: three(7, *items),
        lambda items: some(*items, 9),
        lambda items: some(*items[1:], *items[:1]),
    ],
)
def test_counts_of_arguments(function, items):
    same(lambda items: function([*items, 1][:-1]), items)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (lambda text: three(*map(int, text.split())), [("3 4 5",), ("1 2",)]),
        (lambda text: compiled(*map(ord, text)), [("ab",), ("abc",)]),
        (
            lambda text: by_keyword(
                *map(float, text.split(",")),
            ),
            [("3,4",)],
        ),
        (rows_of, [(np.arange(1.0, 7.0).reshape(3, 2),)]),
        (lambda n: three(*range(n)), [(3,), (4,)]),
        (lambda n: three(*[i * i for i in range(n)]), [(3,)]),
        (lambda n: three(*(i * i for i in range(n))), [(3,), (2,)]),
        (lambda d: compiled(*d.values()), [({"a": 1, "b": 4},)]),
        (of_closure, [([3, 4], 5)]),
        (with_default, [([3, 4], 3), ([3, 4, 5], 3)]),
    ],
)
def test_what_is_spread(function, arguments):
    for given in arguments:
        same(function, *given)


def zipped_with_head(rows):
    head = [1, 2, 3]
    return [list(column) for column in zip(head, *rows)]


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (zipped_with_head, [([[4, 5, 6], [7, 8, 9]],)]),
        (lambda items: (1, *items), [([4, 5],), ([4, 5, 6],)]),
        (lambda items: len((*items, *items)), [([4, 5],)]),
        (lambda items: (0.5, *items)[1], [([4.5, 5.5],)]),
        (lambda items: ("x", *items), [(["y"],)]),
        (lambda rows: list(itertools.chain([1], *rows)), [([[4, 5], [6]],)]),
        (lambda items: [*items, 5], [([1],)]),
    ],
)
def test_displays(function, arguments):
    for given in arguments:
        same(function, *given)


def test_printing(capfd):
    def show(items):
        print(1, *items, "end")  # noqa: T201

    def numbers(items):
        print(0, *items)  # noqa: T201

    njit(numbers)([4, 5])
    assert capfd.readouterr().out == "0 4 5\n"
    with pytest.raises(errors.TypingError):
        njit(show)([4, 5])


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda items: (lambda *args: len(args))(*items), r"the arguments behind '\*' must be a tuple"),
        (lambda items: divmod(*items), r"the arguments behind '\*' must be a tuple"),
        (lambda items: three(0.5, *items), "several types of numbers"),
        (lambda items: by_keyword(*items, scale=3), r"the arguments behind '\*' must be a tuple"),
    ],
)
def test_what_is_refused(function, message):
    with pytest.raises(errors.TypingError, match=message):
        njit(function)([1, 2])
