"""Sets that are made of many items or few, of which some are the same, against CPython."""

import random

import numpy as np
import pytest
from differential.memory import growth

from pyopt import njit

MADE = random.Random(5)


def made(items):
    return sorted(set(items)), len(set(items))


def algebra(a, b):
    first, second = set(a), set(b)
    return (
        sorted(first | second),
        sorted(first & second),
        sorted(first - second),
        sorted(second - first),
        sorted(first ^ second),
        first.isdisjoint(second),
        (first & second).issubset(first),
    )


def results_grow_on(a, b):
    first, second = set(a), set(b)
    both = first & second
    for item in range(len(a)):
        both.add(item)
        second.discard(item)
    both -= second
    both.update(first)
    rest = first - second
    for item in b:
        rest.add(item)
        rest.discard(item + 1)
    return sorted(both), sorted(rest), sorted(set(rest)), len(both)


def cases():
    for size in (1, 7, 8, 9, 16, 17, 63, 64, 65, 1000, 5000):
        for limit in (1, 3, size, 1 << 40):
            yield [MADE.randrange(limit) for _item in range(size)]


def test_sets_of_lists_and_arrays():
    compiled = njit(made)
    for items in cases():
        expected = made(items)
        assert compiled(items) == expected
        assert compiled(np.array(items)) == expected
        assert compiled(tuple(items[:3])) == made(items[:3])
        assert compiled(set(items)) == expected
        assert compiled(dict.fromkeys(items, 1)) == expected


@pytest.mark.parametrize("function", [algebra, results_grow_on], ids=lambda one: one.__name__)
def test_operators(function):
    compiled = njit(function)
    before = None
    for items in cases():
        others = [item + MADE.randrange(2) for item in items]
        assert compiled(items, others) == function(items, others)
        before = items, others
    assert growth(lambda: compiled(*before)) == 0


def test_nan_and_zeros():
    @njit
    def run(x):
        numbers = set(x)
        return len(numbers), len(numbers - {1.0}), len(numbers & {0.0, np.nan}), len(numbers ^ {np.nan})

    nan = float("nan")
    # Values have no identity: NaN equals nothing, also not itself.
    assert run(np.array([0.0, -0.0, nan, nan, 1.0])) == (4, 3, 1, 5)


def test_many_repetitions_of_texts_and_tuples():
    def run(words):
        pairs = {(word, len(word)) for word in words}
        return sorted(set(words)), sorted(pairs & {("a", 1), ("b", 2)}), len(pairs - {("a", 1)})

    words = MADE.choices(["a", "b", "ab", "Ж", ""], k=3000)
    compiled = njit(run)
    assert compiled(words) == run(words)
    assert growth(lambda: compiled(words)) == 0
