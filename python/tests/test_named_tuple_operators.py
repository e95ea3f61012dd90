"""What classes of named tuples say of order, equality and hashes holds for items and keys too."""

from typing import NamedTuple

import pytest

from pyopt import njit


class Ordered(NamedTuple):
    first: int
    second: int

    def __lt__(self, other):
        return self.second < other.second


class Equal(NamedTuple):
    first: int
    second: int

    def __eq__(self, other):
        return self.second == other.second

    def __hash__(self):
        return hash(self.second)


def in_order(x):
    return sorted(x), min(x), sorted(x, key=lambda one: one)[0]


def pairs_in_order(x):
    return (x[0], 1) < (x[1], 1), [(one, 1) for one in x] < [(x[1], 1)]


@pytest.mark.parametrize("function", [in_order, pairs_in_order])
def test_order(function):
    given = [Ordered(1, 2), Ordered(2, 1), Ordered(0, 3)]
    assert njit(function)(given) == function(given)


def positions(x):
    return x.index(Equal(9, 1)), x.count(Equal(9, 1)), Equal(9, 1) in x


def removed(x):
    x.remove(Equal(9, 2))
    return len(x)


def compared(x):
    return x == [Equal(7, 2), Equal(7, 1)], (x[0], 1) == (Equal(7, 2), 1), x[0] == Equal(7, 2)


def in_tables(x):
    table = {x[0]: 1}
    table[Equal(7, 2)] = 5
    return len({x[0], Equal(7, 2)}), table[Equal(8, 2)], (x[0], 1) in {(Equal(7, 2), 1)}, len(table)


def hashes(x):
    return hash(x[0]) == hash(x[0].second), hash((x[0], 1)) == hash((Equal(5, 2), 1))


@pytest.mark.parametrize("function", [positions, removed, compared, in_tables, hashes])
def test_equality(function):
    given = [Equal(1, 2), Equal(2, 1)]
    assert njit(function)(given.copy()) == function(given.copy())
