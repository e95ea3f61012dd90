"""`itertools` that arrange items: tuples of a length that is a constant, or that is found at run time."""

import itertools

import pytest
from memory import growth

from pyopt import njit

ITEMS = [[], [5], [3, 1], [1, 2, 2, 4], "abc", "", (2.5, 1.5), ["x", "yz"]]


def combined(items, r):
    return list(itertools.combinations(items, r))


def combined_again(items, r):
    return list(itertools.combinations_with_replacement(items, r))


def permuted(items, r):
    return list(itertools.permutations(items, r))


def multiplied(items, r):
    return list(itertools.product(items, repeat=r))


def multiplied_by_others(items, r):
    return list(itertools.product(items, items[1:], repeat=r))


ARRANGED = [combined, combined_again, permuted, multiplied, multiplied_by_others]


@pytest.mark.parametrize("function", ARRANGED, ids=lambda one: one.__name__)
def test_lengths_of_run_time(function):
    compiled = njit(function)
    for items in ITEMS:
        for r in range(5):
            assert compiled(items, r) == function(items, r), (items, r)


@pytest.mark.parametrize("function", ARRANGED, ids=lambda one: one.__name__)
def test_negative_lengths(function):
    with pytest.raises(ValueError) as said:
        function([1, 2], -1)
    with pytest.raises(ValueError, match=str(said.value)):
        njit(function)([1, 2], -1)


def of_all(items):
    found = list(itertools.permutations(items))
    return found, len(found), set(found)


def test_permutations_of_all_items():
    compiled = njit(of_all)
    for items in ITEMS:
        assert compiled(items) == of_all(items)


def subsets(items):
    found = []
    for r in range(len(items) + 1):
        for chosen in itertools.combinations(items, r):
            found.append(chosen)
    return found


def weights(items):
    # What `r` is first is a constant, and no longer in the loop.
    r = total = 0
    while r <= len(items):
        for chosen in itertools.combinations(items, r):
            total += sum(chosen) * r
        r += 1
    return total


def shortest_tour(distances):
    shortest = 10**9
    for tour in itertools.permutations(range(1, len(distances))):
        length = distances[0][tour[0]] + distances[tour[-1]][0]
        for at in range(len(tour) - 1):
            length += distances[tour[at]][tour[at + 1]]
        shortest = min(shortest, length)
    return shortest


def words(digits):
    letters = {"2": "abc", "3": "def", "7": "pqrs"}
    return ["".join(word) for word in itertools.product(*[letters[one] for one in digits])]


def of_constants(items):
    return (
        list(itertools.combinations(items, 2)),
        list(itertools.product(items, ("a", "b"))),
        list(itertools.product(items, repeat=2)),
        [x * y for x, y in itertools.permutations(items, 2)],
        list(itertools.product(repeat=3)),
    )


@pytest.mark.parametrize(
    ("program", "args"),
    [
        (subsets, ([1, 2, 3],)),
        (subsets, ("ab",)),
        (weights, ([3, 4, 5],)),
        (shortest_tour, ([[0, 1, 5, 2], [1, 0, 3, 4], [5, 3, 0, 1], [2, 4, 1, 0]],)),
        (words, ("23",)),
        (words, ("7",)),
        (words, ("",)),
        (of_constants, ([1, 2, 3],)),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_programs(program, args):
    assert njit(program)(*args) == program(*args)


def test_nothing_leaks():
    compiled = njit(subsets)
    items = ["a" * 50, "b" * 50, "c" * 50]
    compiled(items)
    assert growth(lambda: compiled(items)) == 0
