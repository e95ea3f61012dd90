"""Functions that call themselves with lists of other lengths, against CPython."""

import pytest

from pyopt import njit


@njit
def permute(chosen, left, found):
    if len(left) == 0:
        found.append(chosen[:])
        return
    for i in range(len(left)):
        permute(chosen + [left[i]], left[:i] + left[i + 1 :], found)


def permutations(n):
    found = [[0]]
    permute([], [k for k in range(n)], found)
    return found


@njit
def joined(chosen, left):
    if len(left) == 0:
        return [chosen]
    found = []
    for i in range(len(left)):
        found += joined(chosen + [left[i]], left[:i] + left[i + 1 :])
    return found


def permutations_joined(n):
    return joined([], [1, 2, 3]), len(joined([n], [n, n + 1]))


@njit
def subset_sum(items, at, chosen):
    if at == len(items):
        return sum(chosen) * len(chosen)
    return subset_sum(items, at + 1, chosen) + subset_sum(items, at + 1, chosen + [items[at]])


def subset_sums(n):
    return subset_sum([1, 2, n], 0, []), subset_sum([0.5, n], 0, [1.5])


@njit
def queens(columns, n):
    if len(columns) == n:
        return 1
    count = 0
    for column in range(n):
        fits = True
        for back in range(1, len(columns) + 1):
            other = columns[len(columns) - back]
            if other == column or abs(other - column) == back:
                fits = False
        if fits:
            count += queens(columns + [column], n)
    return count


def solutions(n):
    return queens([], n), queens([0], n)


@njit
def pushed(items, n):
    items.append(n)
    return items if n == 0 else pushed(items + [n], n - 1)


def changed_and_grown(n):
    items = [n]
    return pushed(items, n), items


@njit
def rows(grid, n):
    return sum([len(row) for row in grid]) if n == 0 else rows(grid + [[n] * n], n - 1)


def nested(n):
    return rows([[1, 2]], n), rows([[1], [2, 3]], n)


@njit
def shortened(items):
    return 0 if len(items) < 2 else items[0] + shortened([items[1] + 1])


def other_lengths(n):
    return shortened([n, 2, 3]), shortened([n, n])


PROGRAMS = [
    permutations,
    permutations_joined,
    subset_sums,
    solutions,
    changed_and_grown,
    nested,
    other_lengths,
]


@pytest.mark.parametrize("n", [0, 1, 4, 5])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_recursion(program, n):
    assert njit(program)(n) == plain(program)(n)


def plain(program):
    """Give a program that calls the functions themselves."""
    scope = {name: getattr(one, "py_func", one) for name, one in globals().items()}
    recursive = {"permute", "joined", "subset_sum", "queens", "pushed", "rows", "shortened"}
    for name in recursive:
        function = scope[name]
        scope[name] = type(function)(function.__code__, scope, name)
    return type(program)(program.__code__, scope, program.__name__)
