"""Indices that each iteration computes from the index of an element before: heaps, jumps, negative ones."""

import numpy as np
import pytest
from compare import check

from pyopt import njit


def siftdown(heap, count, item):
    parent = 0
    while 2 * parent + 1 < count:
        child = 2 * parent + 1
        if child + 1 < count and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= item:
            break
        heap[parent] = heap[child]
        parent = child
    heap[parent] = item


def popped(items):
    heap = items.copy()
    count = len(heap)
    for start in range(1, count):
        child = start
        item = heap[child]
        while child > 0 and heap[(child - 1) // 2] > item:
            heap[child] = heap[(child - 1) // 2]
            child = (child - 1) // 2
        heap[child] = item
    result = np.empty_like(heap)
    for i in range(len(items)):
        result[i] = heap[0]
        count -= 1
        siftdown_njit(heap, count, heap[count])
    return result


siftdown_njit = njit(siftdown)


@pytest.mark.parametrize("size", [1, 2, 3, 10, 1000])
@pytest.mark.parametrize("dtype", ["i8", "u1", "f4"])
def test_heap(size, dtype):
    items = np.random.default_rng(size).integers(0, 200, size).astype(dtype)
    assert njit(popped)(items).tolist() == sorted(items.tolist())


def doubled(a, start, steps):
    node, total = start, 0
    for _ in range(steps):
        node = 2 * node + 1
        total = 3 * total + a[node]
    return total, node


def doubled_from_zero(a, _, steps):
    node, total = 0, 0
    for _ in range(steps):
        node = 2 * node + 1
        total = 3 * total + a[node]
    return total, node


def backwards(a, _, steps):
    node, total = 0, 0
    while steps > 0:
        node -= 3
        total = 3 * total + a[node]
        steps -= 1
    return total, node


def turning(a, start, steps):
    node, total = 0, 0
    while steps > 0:
        node = start - node
        total = 3 * total + a[node]
        steps -= 1
    return total, node


def jumping(a, start, steps):
    node, total = 0, 0
    while steps > 0:
        other = 2 * node + 1
        if a[other] % 2:
            node = other
        else:
            node = start
        total = 3 * total + a[node]
        steps -= 1
    return total, node


def narrow(a, _, steps):
    node, total = np.int8(0), 0
    while steps > 0:
        node = np.int8(2 * node + 1)
        total = 3 * total + a[node]
        steps -= 1
    return total, int(node)


@pytest.mark.parametrize("function", [doubled, doubled_from_zero, backwards, turning, jumping, narrow])
@pytest.mark.parametrize("view", [slice(None), slice(None, None, -1), slice(None, None, 2)])
def test_walks(function, view):
    a = np.random.default_rng(1).integers(-50, 50, 600)[view]
    for start in (0, 1, -1, -2, -3, 5):
        for steps in range(6):
            check(function, a, start, steps)
