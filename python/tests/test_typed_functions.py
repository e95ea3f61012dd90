"""Functions and operators on typed containers, against what built-in ones do."""

import heapq

from pyopt import njit
from pyopt.typed import Dict, List


def test_heaps():
    def use(heap):
        heapq.heapify(heap)
        heapq.heappush(heap, 0)
        return heapq.heappop(heap), heapq.heappushpop(heap, 5), heapq.heapreplace(heap, 9), heap[0]

    assert njit(use)(List([3, 1, 2])) == use([3, 1, 2])


def test_comparisons():
    @njit
    def compare(a, b):
        return a == b, a != b, a < b, a <= b, a > b, a >= b, a == 3

    for one, other in (([1, 2], [1, 2]), ([1, 2], [1, 3]), ([2], [1, 5]), ([1], [1, 0])):
        expected = (one == other, one != other, one < other, one <= other, one > other, one >= other, False)
        assert compare(List(one), List(other)) == expected
        assert (List(one) < List(other), List(one) >= List(other)) == (one < other, one >= other)


def test_more_methods():
    @njit
    def of_list(items):
        items.sort(key=lambda x: -x)
        return items.index(2, 1), items.copy(), items[1:]

    found = of_list(List([1, 2, 3]))
    assert (found[0], list(found[1]), list(found[2])) == (1, [3, 2, 1], [2, 1])

    @njit
    def of_dict(table):
        copied = table.copy()
        copied[5] = 6
        return table.pop(1), table.pop(77, -1), copied

    table = Dict()
    table[1] = 2
    taken, default, copied = of_dict(table)
    assert (taken, default, dict(copied), dict(table)) == (2, -1, {1: 2, 5: 6}, {})
