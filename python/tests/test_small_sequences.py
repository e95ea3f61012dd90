"""Ranges and tuples as sequences, and the functions of `operator` that count and find items."""

import operator

import pytest

from pyopt import njit


@pytest.mark.parametrize("n", [0, 1, 3, 10])
def test_parts_of_ranges_are_ranges(n):
    def parts(n):
        total = 0
        for i in range(20)[2 : n * 2]:
            total += i
        part = range(n)[1:]
        return (
            total,
            list(range(n)[::-1]),
            list(range(0, 20, 3)[1:-1:2]),
            list(range(10, -10, -3)[-1:0:-2]),
            (len(part), part.start, part.stop, part.step),
            list(range(n)[5:][:2]),
        )

    assert njit(parts)(n) == parts(n)


def test_items_are_counted_and_found():
    def count(items, text):
        return operator.countOf(items, 3), operator.indexOf(items, 2), operator.countOf(text, "l")

    @njit
    def find(items):
        return operator.indexOf(items, 7)

    assert njit(count)([3, 2, 3], "hello") == count([3, 2, 3], "hello")
    with pytest.raises(ValueError, match="x not in sequence"):
        find((1, 2))


def test_tuples_of_several_types_are_repeated():
    def repeat(n):
        return (n, "a", 2.5) * 2, 3 * (n, 1.5), (n, "a") * 0, (n, "a") * -1, (n, n) * 2

    assert njit(repeat)(3) == repeat(3)


def one(x):
    return x


def test_functions_are_callable():
    @njit
    def ask(n):
        def inner(x):
            return x + n

        return callable(one), callable(inner), callable(len), callable(n), callable("a")

    assert ask(1) == (True, True, True, False, False)


def test_numbers_are_found_in_ranges():
    def places(start, stop, step, wanted):
        items = range(start, stop, step)
        return items.index(wanted), items.count(wanted), items.count(wanted + 1), items.count(0.5)

    compiled = njit(places)
    for start, stop, step in ((3, 30, 3), (10, -10, -4), (0, 1, 1)):
        for wanted in (*range(start, stop, step), float(start)):
            assert compiled(start, stop, step, wanted) == places(start, stop, step, wanted)
    for wanted in (4, 4.5):
        with pytest.raises(ValueError) as expected:
            places(3, 30, 3, wanted)
        with pytest.raises(ValueError) as raised:
            compiled(3, 30, 3, wanted)
        assert str(raised.value) == str(expected.value)
