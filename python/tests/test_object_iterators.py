"""Iterators that are instances of classes: ``__iter__`` and ``__next__``."""

import pytest

from pyopt import njit, types
from pyopt.errors import TypingError
from pyopt.experimental import jitclass


class Count:
    def __init__(self, most):
        self.most = most
        self.at = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.at >= self.most:
            raise StopIteration
        self.at += 1
        return self.at


class Both:
    def __init__(self, most):
        self.most = most

    def __iter__(self):
        return Count(self.most)


class OfList:
    def __init__(self, items: list[int]):
        self.items = items

    def __iter__(self):
        return iter(self.items)


class Endless:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self


@jitclass([("most", types.int64), ("at", types.int64)])
class Compiled:
    def __init__(self, most):
        self.most = most
        self.at = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.at == self.most:
            raise StopIteration
        self.at += 1
        return self.at


def loops(n):
    total = 0
    for one in Count(n):
        total += one
    for one in Both(n):
        total += 10 * one
    return total, [one for one in OfList([1, n])], list(Both(n)), sum(Count(n)), max(Both(n + 1))


def steps(n):
    it = Count(n)
    first = next(it, -1)
    rest = list(it)
    again = iter(Both(n))
    return first, rest, next(it, -2), next(again, -3), it.at


def left_early(n):
    it = Count(10)
    for one in it:
        if one > n:
            break
    return [one for one in it]


def raises(n):
    it = Count(n)
    total = 0
    while True:
        try:
            total += next(it)
        except StopIteration:
            return total


@pytest.mark.parametrize("program", [loops, steps, left_early, raises], ids=lambda one: one.__name__)
def test_programs(program):
    compiled = njit(program)
    for n in range(4):
        assert compiled(n) == program(n)


def test_jitclasses():
    def program(n):
        it = Compiled(n)
        return next(it), list(it), sum(Compiled(n)), next(it, -1)

    assert njit(program)(3) == (1, [2, 3], 6, -1)


def test_what_gives_no_iterator_is_refused():
    def program(n):
        for _ in Endless(n):
            pass

    with pytest.raises(TypingError, match="non-iterator"):
        njit(program)(3)
