"""What may be None and is a container else: its truth, and what it equals, where it may be absent.

A container that isn't there has no length to look at.
"""

from collections import Counter

import numpy as np
import pytest
from differential.memory import growth
from differential.programs import Programs

from pyopt import int64, njit, typed
from pyopt.experimental import jitclass

PROGRAMS = program = Programs()


@program({1: [5]}, 2)
@program({1: [5]}, 1)
@program({1: []}, 1)
def lists(table, key):
    n = 0
    for i in range(4):
        found = table.get(key)
        if not found:
            break
        key = found[0] * 0 + 1 + i
        n += 1
    return n


@program(["the", "cat", "sat", "on", "the", "mat"])
def chains(words):
    followers = {}
    for one, other in zip(words, words[1:]):
        followers.setdefault(one, []).append(other)
    word, out = "cat", []
    while True:
        found = followers.get(word)
        if not found:
            return out
        word = found[len(out) % len(found)]
        out.append(word)


@program({1: [5]}, 2)
@program({1: [5]}, 1)
def compared_lists(table, key):
    n = 0
    for i in range(4):
        found = table.get(key + i)
        n += found == [5]
        n += 10 * (found != [5])
        n += 100 * (table.get(i) == table.get(key))
        n += 1000 * (found in [[5]])
    return n


@program({1: {5}}, 2)
def sets(table, key):
    n = 0
    for i in range(4):
        found = table.get(key - i)
        n += bool(found) + 2 * (found == {5}) + (4 if found else 0)
        n += 100 * sum(found or {7})
    return n


@program({1: {5: 6}}, 2)
def dicts(table, key):
    n = 0
    for i in range(4):
        found = table.get(key - i)
        n += bool(found) + 2 * (found == {5: 6}) + (4 if found and 5 in found else 0)
        n += 100 * sum((found or {7: 8}).values())
    return n


@program({1: (1, [2])}, 2)
def tuples_of_lists(table, key):
    n = 0
    for i in range(4):
        found = table.get(key - i)
        n += bool(found) + 2 * (found == (1, [2])) + (4 if found and found[1] else 0)
    return n


@program({1: "a", 0: ""}, 2)
def texts(table, key):
    n = 0
    for i in range(4):
        found = table.get(key - i)
        n += bool(found) + 2 * (found == "a") + 10 * (found == "") + 100 * len(found or "zz")
    return n


@program({1: b"a"}, 2)
def bytes_of_texts(table, key):
    n = 0
    for i in range(4):
        found = table.get(key - i)
        n += bool(found) + 2 * (found == b"a") + (4 if found and found[0] else 0)
    return n


@program(2)
def results(key):
    def find(items, size):
        for item in items:
            if len(item) == size:
                return item
        return None

    n = 0
    for i in range(4):
        n += not find([[1], [1, 2]], i)
        n += 10 * (find([[1], [1, 2]], i) == [1])
        n += 100 * bool(find(["a", "bb"], i))
        n += 1000 * bool(find([{1}, {2, 3}], i))
        n += 10000 * (find([[1]], i) or [0])[0]
        if find([[1]], i) and not find([[2], [3]], i + key):
            n += 100000
    return n


@program({1: [[1]]})
def nested(table):
    n = 0
    for i in range(3):
        found = table.get(i)
        n += 1 if found and found[0] and found[0][0] else 0
        n += 10 * ((not found) == (not table.get(i + 1)))
    return n


@program({1: [1]}, 2)
@program({1: [1]}, 1)
def empty_lists(table, key):
    made = table.get(key) or []
    total = 0
    for item in table.get(key) or []:
        total += item
    return len(made), made, total, [len(one or []) for one in [[1], None]]


@program({1: {"a": 1}}, {1: {1}}, 2)
@program({1: {"a": 1}}, {1: {1}}, 1)
def empty_dicts_and_sets(table, sets, key):
    found = table.get(key) or {}
    return found.get("a", 5), len(found), len(sets.get(key) or set())


@program([[1], None, []])
def items_of_lists(items):
    return [bool(item) for item in items], [item == [1] for item in items], [item for item in items if item]


@program(2)
def counted(key):
    counters = {1: Counter("a")}
    frozen = {1: frozenset([1])}
    n = 0
    for i in range(4):
        n += not counters.get(key - i)
        found = frozen.get(key - i)
        n += 100 * (not found) + 1000 * (found == {1})
    return n


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS, ids=[one.__name__ for one, _ in PROGRAMS])
def test_programs(function, arguments):
    compiled = njit(function)
    assert compiled(*arguments) == function(*arguments)
    assert growth(lambda: compiled(*arguments)) == 0


def test_arrays():
    @njit
    def program(table, key):
        n = 0
        for i in range(4):
            if table.get(key - i):
                n += 1
        return n

    assert program({1: np.array([3])}, 2) == 1 and program({1: np.array([0])}, 2) == 0


@jitclass([("items", int64[:])])
class Box:
    def __init__(self, size):
        self.items = np.zeros(size, np.int64)

    def __len__(self):
        return len(self.items)

    def __eq__(self, other):
        return len(self) == len(other)


def test_typed_containers_and_classes():
    def program(key):
        table = {1: typed.List([3])}
        boxes = {1: Box(2), 0: Box(0)}
        n = 0
        for i in range(4):
            found, box = table.get(key - i), boxes.get(key - i)
            n += bool(found) + 2 * (found == typed.List([3])) + (4 if found and found[0] else 0)
            n += 100 * bool(box) + 1000 * (box is not None and box == Box(2)) + 10000 * (box is None)
        return n

    assert njit(program)(2) == program(2)
