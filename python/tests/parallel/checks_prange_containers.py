"""Loops of ``prange`` that change containers and instances: they run serially, and say so."""

import heapq
import warnings
from collections import deque

import pytest

from pyopt import njit, prange, typed, types
from pyopt.experimental import jitclass


def put(items, item):
    items.append(item)


def put_all(items, n):
    for k in range(n):
        items.append(k)
        yield k


@jitclass([("values", types.ListType(types.int64)), ("count", types.int64)])
class Holder:
    """A class with a container and a number."""

    def __init__(self):
        self.values = typed.List([1])
        self.count = 0

    def put(self, value):
        self.values.append(value)
        self.count += 1


def appended(n):
    items = [0]
    for i in prange(n):
        put(items, i)
    return len(items)


def inserted(n):
    items = [0]
    for i in prange(n):
        items.insert(0, i)
    return len(items)


def popped(n):
    items = [0] * (n + 1)
    for _ in prange(n):
        items.pop()
    return len(items)


def deleted(n):
    items = [0] * (n + 2)
    for _ in prange(n):
        del items[0]
    return len(items)


def assigned(n):
    items = [3, 2, 1] * 10
    for i in prange(n):
        items[0:1] = [i, 2]
    return len(items)


def texts(n):
    items = ["a" + str(n)]
    for i in prange(n):
        items[0] = "b" + str(i)
    return len(items)


def nested(n):
    lists = [[0], [1]]
    for i in prange(n):
        lists[i % 2].append(i)
    return len(lists[0]) + len(lists[1])


def on_a_heap(n):
    items = [0]
    for i in prange(n):
        heapq.heappush(items, i)
    return len(items)


def by_a_generator(n):
    items = [0]
    for _ in prange(n):
        for _ in put_all(items, 2):
            pass
    return len(items)


def dicts_in_a_list(n):
    tables = [{0: 0}]
    for i in prange(n):
        tables[0][i] = i
    return len(tables[0])


def in_sets(n):
    items = {0}
    for i in prange(n):
        items.add(i)
    return len(items)


def typed_lists(n):
    lists = typed.List([typed.List([0])])
    for i in prange(n):
        lists[0].append(i)
    return len(lists[0])


def deques(n):
    items = deque([0])
    for i in prange(n):
        items.append(i)
    return len(items)


def instances(n):
    one = Holder()
    for i in prange(n):
        one.put(i)
    return len(one.values) + one.count


CHANGES = [
    *(
        appended,
        inserted,
        popped,
        deleted,
        assigned,
        texts,
        nested,
        on_a_heap,
        by_a_generator,
        dicts_in_a_list,
    ),
    *(in_sets, typed_lists, deques, instances),
]


@pytest.mark.parametrize("function", CHANGES)
def test_loops_that_change_containers_run_serially(function):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compiled = njit(parallel=True)(function)
        for _ in range(3):
            assert compiled(500) == function(500)
    assert "run one after another: iterations" in str(caught[0].message)


def reads(n):
    items, words = [1, 2, 3], ["a", "bc"]
    total = 0
    for i in prange(n):
        own = [i]
        put(own, items[i % 3])
        own += items[1:]
        total += sum(own) + len(words[i % 2]) + (i in items)
    return total


def test_loops_that_read_lists_run_on_threads():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert njit(parallel=True)(reads)(500) == reads(500)
