"""Instances of classes as keys, and in the order that their classes define, against CPython."""

import bisect
import dataclasses
import heapq

import pytest
from differential.memory import growth

from pyopt import njit
from pyopt.errors import TypingError
from pyopt.experimental import jitclass


@jitclass
class Name:
    first: str
    number: int

    def __init__(self, first, number):
        self.first = first
        self.number = number

    def __eq__(self, other):
        return self.first == other.first and self.number == other.number

    def __hash__(self):
        return hash((self.first, self.number))

    def __lt__(self, other):
        return (self.number, self.first) < (other.number, other.first)


@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    y: int


@dataclasses.dataclass(frozen=True, order=True)
class Task:
    urgency: float
    title: str


@dataclasses.dataclass(frozen=True)
class Reversed:
    x: int

    def __lt__(self, other):
        return self.x > other.x


@dataclasses.dataclass
class Unhashable:
    x: int


def counted(n):
    counts = {}
    for i in range(n):
        key = Name("ab"[i % 2] * (i % 5), i % 7)
        counts[key] = counts.get(key, 0) + 1
    listed = sorted([(key.number, key.first, count) for key, count in counts.items()])
    return listed, Name("b", 1) in counts, Name("b", 99) in counts, counts.pop(Name("", 0), -1)


def grid(n):
    values = {Point(x, y): x * y for x in range(n) for y in range(n)}
    seen = set()
    for i in range(n):
        seen.add(Point(i % 3, 0))
    del values[Point(0, 0)]
    pairs = {(Point(1, n), "a"): 1, (Point(1, 2), "b"): 2}
    nested = pairs[(Point(1, n), "a")], (Point(1, 2), "c") in pairs
    return sum(values.values()), values[Point(2, 3)], len(seen), Point(9, 9) in seen, values, nested


def missing(n):
    values = {Point(1, 2): 3}
    try:
        return values[Point(n, n)]
    except KeyError:
        return -1


def queue(n):
    tasks = [Task(float(i * 7 % n), "t") for i in range(n)]
    heapq.heapify(tasks)
    heapq.heappush(tasks, Task(-1.0, "first"))
    order = [heapq.heappop(tasks).urgency for _ in range(n)]
    return order, heapq.heappushpop(tasks, Task(0.5, "z")).title


def sorted_tasks(n):
    tasks = [Task(3.0, "b"), Task(float(n), "c"), Task(3.0, "a")]
    ordered = sorted(tasks)
    return (
        [task.title for task in ordered],
        [task.title for task in sorted(tasks, reverse=True)],
        (min(tasks).title, max(tasks).title, tasks.index(Task(3.0, "a")), tasks.count(Task(3.0, "b"))),
        (Task(3.0, "x") in tasks, ordered == sorted(ordered), (Task(1.0, "a"), 1) < (Task(1.0, "a"), 2)),
    )


def sorted_names(n):
    names = [Name("x", n), Name("a", 2), Name("b", 1)]
    names.sort()
    return (
        [name.first for name in names],
        (min(names).first, max(names).number, bisect.bisect_left(names, Name("z", 1))),
        ([name.number for name in heapq.nsmallest(2, names)], Name("b", 1) in names),
    )


def reflected(n):
    items = [Reversed(i * 3 % n) for i in range(n)]
    # The class has no `>`, so the right operand's `<` is asked.
    return max(items).x, min(items).x, items[0] > items[1], [item.x for item in heapq.nlargest(2, items)]


@pytest.mark.parametrize(
    "function",
    [counted, grid, missing, queue, sorted_tasks, sorted_names, reflected],
    ids=lambda one: one.__name__,
)
def test_like_cpython(function):
    compiled = njit(function)
    for n in (4, 9, 40):
        assert compiled(n) == function(n)
    assert growth(lambda: compiled(20)) == 0


def test_arguments_and_results():
    def moved(places):
        places[Point(9, 9)] = 1.5
        return places[Point(1, 2)], {Point(0, 1)}

    places = {Point(1, 2): 0.5}
    assert njit(moved)(places) == (0.5, {Point(0, 1)})
    assert places == {Point(1, 2): 0.5, Point(9, 9): 1.5}


def test_what_was_not_found_is_told():
    with pytest.raises(KeyError) as caught:
        njit(lambda: {Point(1, 2): 3}[Point(4, 5)])()
    assert caught.value.args == (Point(4, 5),)


def test_what_has_no_hash_or_order_is_refused():
    with pytest.raises(TypingError, match="can't be a key"):
        njit(lambda: {Unhashable(1): 2})()
    with pytest.raises(TypingError, match="no implementation of <"):
        njit(lambda: sorted([Point(1, 2), Point(0, 1)]))()
