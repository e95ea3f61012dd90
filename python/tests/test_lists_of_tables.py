"""Lists whose items are dicts and sets, against CPython."""

import copy

import pytest
from differential.memory import growth

from pyopt import njit, prange
from pyopt.errors import ParallelSafetyWarning


def dicts(n):
    made = [{i: 1.5} for i in range(n)]
    made[1][7] = 2.5
    made.append({9: 1.0})
    total = 0.0
    for one in made:
        for key in one:
            total += one[key] * key
    return total, len(made), made[1][7]


def sets(n):
    found = [set([-1]) for _ in range(n)]
    found[1].add(5)
    found.append({3})
    last = found.pop()
    return len(found[0]), len(found[1]), sorted(last), [len(one) for one in found]


def returned(n):
    return [{i: float(i)} for i in range(n)], [{i, 5} for i in range(n)]


def empty(n):
    made, seen = [{} for _ in range(n)], [set() for _ in range(n)]
    for i in range(n):
        made[i][i] = 1.5
        seen[i].add(i)
    return len(made), made[2], 2 in seen[2]


def shared(n):
    one = {0: 1}
    made = [one, one]
    made[0][n] = 2
    copied = made.copy()
    copied[1][n + 1] = 3
    return one, len(made[1]), made[0] is made[1]


def of_texts(text):
    made = []
    for word in text.split():
        made.append({word: [len(word)]})
    made[0]["x"] = [1, 2]
    return [sorted(one) for one in made], made[0]["x"]


def in_dicts(n):
    found = {}
    for i in range(n):
        found[i] = [{j: j * i} for j in range(3)]
    return found[1][2][2], len(found)


def reordered(n):
    made = [{i} for i in range(n)]
    made.reverse()
    made.insert(1, {50})
    made += [{60}, {61}]
    return made[1:4], len(made)


@pytest.mark.parametrize("function", [dicts, sets, returned, empty, shared, in_dicts, reordered])
def test_made_inside(function):
    compiled = njit(function)
    assert compiled(3) == function(3)
    assert growth(lambda: compiled(3)) == 0


def test_texts():
    compiled = njit(of_texts)
    assert compiled("ab c ab") == of_texts("ab c ab")
    assert growth(lambda: compiled("ab c ab")) == 0


def changed(items):
    items[0][3] = 7.0
    items.append({8: 1.0})
    return sum([len(one) for one in items])


def grown(items):
    items[0].add(33)
    return sum([len(one) for one in items])


@pytest.mark.parametrize(("function", "items"), [(changed, [{1: 2.0}, {2: 3.0}]), (grown, [{1}, {2}])])
def test_arguments_get_the_changes(function, items):
    compiled = njit(function)
    expected, given = copy.deepcopy(items), copy.deepcopy(items)
    assert compiled(given) == function(expected)
    assert given == expected
    assert growth(lambda: compiled(copy.deepcopy(items))) == 0


def test_iterations_that_share_one_run_one_after_another():
    @njit(parallel=True)
    def spread(n):
        made = [{-1} for _ in range(2)]
        for i in prange(n):
            made[i % 2].add(i)
        return len(made[0]), len(made[1])

    with pytest.warns(ParallelSafetyWarning, match="iterations change the same list"):
        assert spread(10_000) == (5001, 5001)
