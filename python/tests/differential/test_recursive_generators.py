"""Generators that go through what they themselves make."""

import itertools

import numpy as np
import pytest

from pyopt import njit


def in_order(left, right, node):
    """The nodes of a tree in arrays: what is yielded first comes of the generator itself."""
    if node >= 0:
        yield from in_order(left, right, left[node])
        yield node
        yield from in_order(left, right, right[node])


def in_a_loop(left, right, node):
    if node >= 0:
        for below in in_order(left, right, left[node]):
            yield below * 10, "left"
        yield node, "own"
        for below in in_order(left, right, right[node]):
            yield below * 10, "right"


def permutations(items, count):
    if count == 0:
        yield [0][:0]
        return
    for i in range(len(items)):
        for rest in permutations(items[:i] + items[i + 1 :], count - 1):
            yield [items[i], *rest]


def texts(depth):
    if depth == 0:
        yield ""
    else:
        for text in texts(depth - 1):
            yield text + "a"
            yield text + "b"


def floats_after_ints(depth):
    if depth > 0:
        yield from floats_after_ints(depth - 1)
        yield depth
        yield depth / 2


def odd(n):
    if n > 0:
        yield from even(n - 1)
        yield n


def even(n):
    if n > 0:
        yield from odd(n - 1)
        yield -n


def with_cleanup(depth, log):
    try:
        if depth > 0:
            yield from with_cleanup(depth - 1, log)
            yield depth
    finally:
        log.append(depth)


def enumerated(depth):
    if depth > 0:
        for index, item in enumerate(enumerated(depth - 1)):
            yield index + item
        yield depth


def tree():
    left = np.array([1, 3, -1, -1, 5, -1, -1])
    right = np.array([4, 2, -1, -1, 6, -1, -1])
    return left, right


def listed_tree(left, right):
    return list(in_order(left, right, 0))


def summed_tree(left, right):
    return sum(in_order(left, right, 0)), [x for x in in_a_loop(left, right, 0)]


def first_of_tree(left, right):
    walk = in_order(left, right, 0)
    return next(walk), next(walk), list(walk), next(walk, -7)


@pytest.mark.parametrize("function", [listed_tree, summed_tree, first_of_tree])
def test_trees(function):
    assert njit(function)(*tree()) == function(*tree())


def permuted(n):
    return [p for p in permutations(list(range(n)), n)]


def spelled(n):
    return list(texts(n))


def widened(n):
    return list(floats_after_ints(n))


def in_turns(n):
    return list(odd(n)), list(even(n))


def cleaned(n):
    log = [0]
    return list(with_cleanup(n, log)), log


def counted(n):
    return list(enumerated(n))


def inner(n):
    def moves(count, a, b, c):
        if count > 0:
            yield from moves(count - 1, a, c, b)
            yield a, c
            yield from moves(count - 1, b, a, c)

    return list(moves(n, "A", "B", "C"))


def inner_with_variables(n):
    found = [1]

    def below(k):
        if k > 0:
            found.append(k)
            yield from below(k - 1)
            yield k * n

    return list(below(n)), found


def partly(n):
    return list(itertools.islice(odd(n), 2)), max(even(n), default=0)


@pytest.mark.parametrize(
    "function",
    [permuted, spelled, widened, in_turns, cleaned, counted, inner, inner_with_variables, partly],
)
@pytest.mark.parametrize("n", [0, 1, 3])
def test_generators(function, n):
    assert njit(function)(n) == function(n)
