"""Functions and generators that have a variable which is assigned while somebody has them.

What calls give, and what is put into containers, may have the function: then it sees what is assigned later.
Where nothing has it any more it needn't.
"""

import functools
import heapq
import itertools
from collections import Counter, deque

import pytest

from pyopt import njit


def in_a_list_of_a_tuple(n):
    v = n
    functions = list((lambda: v,))
    v = 2
    return functions[0]()


def in_a_sorted_list(n):
    v = n
    functions = sorted([lambda: v], key=lambda f: 1)
    v = 2
    return functions[0]()


def the_greatest(n):
    v = n
    function = max([lambda: v], key=lambda f: f())
    v = 2
    return function()


def in_a_tuple(n):
    v = n
    functions = tuple([lambda: v])  # noqa: C409
    v = 2
    return functions[0]()


def made_by_a_mapped_function(n):
    v = n
    functions = list(map(lambda k: lambda: v + k, [1]))  # noqa: C417
    v = 2
    return functions[0]()


def made_by_a_generator(n):
    v = n
    functions = list((lambda: v) for _ in range(2))  # noqa: C400
    v = 2
    return functions[0]()


def stored_by_a_mapped_function(n):
    v = n
    kept = []
    for _ in map(lambda k: kept.append(lambda: v + k), [1]):
        pass
    v = 2
    return kept[0]()


def put(kept, function):
    kept.append(function)


def stored_by_another_function(n):
    v = n
    kept = []
    put(kept, lambda: v)
    v = 2
    return kept[0]()


def stored_by_an_inner_function(n):
    v = n
    kept = {}

    def register(key, function):
        kept[key] = function

    register(1, lambda: v)
    v = 2
    return kept[1]()


def in_a_list_that_has_another_name(n):
    v = n
    kept = []
    lists = [kept]
    lists[0].append(lambda: v)
    v = 2
    return kept[0]()


def added_to_a_list(n):
    v = n
    kept = [lambda: v]
    kept = kept * 2 + kept
    v = 2
    return kept[1]()


def extended(n):
    v = n
    kept = []
    kept += [lambda: v]
    v = 2
    return kept[0]()


@pytest.mark.parametrize(
    "function",
    [
        stored_by_another_function,
        in_a_list_of_a_tuple,
        in_a_sorted_list,
        the_greatest,
        in_a_tuple,
        made_by_a_mapped_function,
        made_by_a_generator,
        stored_by_a_mapped_function,
        stored_by_an_inner_function,
        in_a_list_that_has_another_name,
        added_to_a_list,
        extended,
    ],
)
def test_what_is_assigned_later_is_seen(function):
    assert njit(function)(5) == function(5)


@njit
def compiled_put(kept, function):
    kept.append(function)


@njit
def stored(n):
    v = n
    kept = []
    compiled_put(kept, lambda: v)
    v = 2
    return kept[0]()


def test_what_other_compiled_functions_keep():
    assert stored(5) == 2


@njit
def total(items):
    found = 0
    for item in items:
        found += item
    return found


@njit
def applied(function, *items):
    return [function(item) for item in items]


TURNS = {
    "join": lambda n: ["".join(str(x * y) for x in range(n)) for y in range(n)],
    "set": lambda n: [set(x * y for x in range(3)) for y in range(n)],  # noqa: C401
    "frozenset": lambda n: [sorted(frozenset(x * y for x in range(3))) for y in range(n)],
    "dict": lambda n: [dict((x, x * y) for x in range(3)) for y in range(n)],  # noqa: C402
    "next": lambda n: [next(x for x in range(9) if x * y >= n or x == 8) for y in range(n)],
    "reduce": lambda n: [functools.reduce(lambda a, b: a + b * y, range(4)) for y in range(n)],
    "Counter": lambda n: [Counter(x * y % 3 for x in range(5))[0] for y in range(n)],
    "deque": lambda n: [len(deque(x for x in range(5) if x != y)) for y in range(n)],
    "nlargest": lambda n: [heapq.nlargest(2, range(5), key=lambda x: x * y % 3) for y in range(n)],
    "groupby": lambda n: [len(list(itertools.groupby(range(6), lambda x: x // (y + 1)))) for y in range(n)],
    "display": lambda n: [[*(x * y for x in range(3))] for y in range(n)],
    "sum": lambda n: [sum(x * y for x in range(3)) for y in range(n)],
    "starmap": lambda n: [list(itertools.starmap(lambda a, b: a * b + y, [(1, 2)])) for y in range(n)],
}


@pytest.mark.parametrize("name", TURNS)
def test_nothing_is_kept_between_turns(name):
    compiled = njit(TURNS[name])
    for n in (0, 1, 4):
        assert compiled(n) == TURNS[name](n)


def extended_by_turns(n):
    found, seen = [], set()
    for y in range(n):
        found.extend(x * y for x in range(3))
        seen.update(x + y for x in range(2))
        words = (str(x + y) for x in range(2))
        found.append(len(",".join(words)))
    return found, seen


def test_methods_that_go_through_iterators():
    assert njit(extended_by_turns)(4) == extended_by_turns(4)


@njit
def called_by_turns(n):
    found = []
    for y in range(n):
        found.append(total(x * y for x in range(3)))
        found += applied(lambda x: x + y, 1, 2)
    return found


def test_compiled_functions_that_keep_nothing():
    wanted = []
    for y in range(4):
        wanted += [3 * y, 1 + y, 2 + y]
    assert called_by_turns(4) == wanted
