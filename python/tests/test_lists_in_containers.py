"""Lists as items and values of typed containers: objects that all their names share in compiled code."""

from collections import OrderedDict, deque

import pytest
from differential.memory import growth

from pyopt import njit, typed, types
from pyopt.experimental import jitclass
from pyopt.typed import Dict, List


@njit
def rows(count):
    made = List()
    for i in range(count):
        made.append([i] * 3)
    first = made[0]
    first.append(7)
    made[-1][0] = 9
    return made


def test_items_are_shared_in_compiled_code():
    made = rows(3)
    assert [list(row) for row in made] == [[0, 0, 0, 7], [1, 1, 1], [9, 2, 2]]
    assert types.typeof(made) == types.ListType(types.List(types.int64))
    assert type(made[0]) is list
    assert growth(lambda: rows(30)) == 0


@njit
def put(lists, one):
    lists.append(one)
    one.append(100)
    return len(lists), sum([sum(row) for row in lists])


def test_what_is_passed_is_kept():
    lists = List.empty_list(types.List(types.float64))
    given = [1.5, 2.0]
    assert put(lists, given) == (1, 103.5)
    assert given == [1.5, 2.0, 100.0] and lists[0] == given
    # A list is Python's again when the call ends.
    given.append(5.0)
    assert lists[0] == [1.5, 2.0, 100.0]
    assert growth(lambda: put(List.empty_list(types.List(types.float64)), [1.0])) == 0


def test_lists_from_python():
    lists = List([[1, 2], [3]])
    lists.append([4])
    lists[0] = [9]
    lists.insert(0, [8, 8])
    assert str(lists) == "[[8, 8], [9], [3], [4]]" and lists == [[8, 8], [9], [3], [4]]
    assert lists.pop() == [4] and [3] in lists and lists.index([9]) == 1
    lists.sort()
    assert lists == [[3], [8, 8], [9]] and lists[1:] == [[8, 8], [9]]


@pytest.mark.parametrize("make", [Dict, OrderedDict])
def test_values_of_dicts(make):
    @njit
    def grouped(words):
        made = make()
        for word in words:
            if len(word) not in made:
                made[len(word)] = [0.5]
            made[len(word)].append(1)
        made[0] = made[len(words[0])]
        for value in made.values():
            value.append(-1)
        return made

    made = grouped(["a", "bc", "d"])
    assert {key: made[key] for key in made} == {1: [0.5, 1, 1, -1, -1], 2: [0.5, 1, -1], 0: made[1]}
    assert growth(lambda: grouped(["a", "bc"])) == 0


def test_other_containers_and_deeper_lists():
    @njit
    def deep():
        lists = List()
        lists.append([[1, 2], [3]])
        lists[0][1].append(4)
        queue = deque()
        queue.append([2])
        queue[0].append(5)
        return lists[0], lists, queue

    first, lists, queue = deep()
    assert first == [[1, 2], [3, 4]] and str(lists) == "[[[1, 2], [3, 4]]]" and queue == deque([[2, 5]])
    assert growth(deep) == 0


def test_fields_hold_lists_of_lists():
    @jitclass([("rows", types.List(types.List(types.int64)))])
    class Table:
        def __init__(self):
            self.rows = [[1]]

        def add(self, row):
            self.rows.append(row)
            return sum([sum(row) for row in self.rows])

    table = Table()
    assert table.add([2, 3]) == 6 and str(table.rows) == "[[1], [2, 3]]"


def test_lists_are_equal_as_in_python():
    @njit
    def asked():
        lists = typed.List([[1, 2], [3]])
        return [3] in lists, [4] in lists, lists.index([3]), lists.count([3]), lists[1] == [3]

    assert asked() == asked.py_func() == (True, False, 1, 1, True)
