"""Sorting lists of a few and of many items, with keys and without, against CPython."""

import dataclasses
import enum
import random

import numpy as np
import pytest

from pyopt import njit

MADE = random.Random(3)
SIZES = [0, 1, 2, 15, 16, 17, 33, 257, 1000]
LIMITS = [(0, 2), (-3, 3), (-200, 70000), (-(1 << 63), (1 << 63) - 1), (1 << 62, (1 << 62) + 9)]


def plain(items):
    found = sorted(items)
    items.sort()
    return found, items


def backwards(items):
    found = sorted(items, reverse=True)
    items.sort(reverse=True)
    return found, items


def by_remainder(items):
    return sorted(items, key=lambda item: item % 7), sorted(items, key=lambda item: -item, reverse=True)


@pytest.mark.parametrize("function", [plain, backwards, by_remainder], ids=lambda one: one.__name__)
def test_ints(function):
    compiled = njit(function)
    for size in SIZES:
        for low, high in LIMITS:
            items = [MADE.randint(low + 1, high) for _item in range(size)]
            for case in [items, sorted(items), sorted(items, reverse=True)]:
                if case:
                    assert compiled(case.copy()) == function(case.copy())


@pytest.mark.parametrize("kind", ["i1", "u1", "i2", "u4", "i8", "u8", "?", "f4", "f8"])
def test_items_of_arrays(kind):
    @njit
    def run(a):
        items = [one for one in a]
        order = sorted(range(len(items)), key=lambda at: items[at])
        items.sort()
        return np.array(items), np.array(order)

    for size in SIZES[1:]:
        raw = np.frombuffer(MADE.randbytes(8 * size), "u8")
        # Bytes of floats may be NaN, and those of bools neither 0 nor 1.
        a = {"?": raw % 2 == 0, "f": raw.astype("f8")}.get(kind[0], raw)
        a = a.astype(kind) if kind[0] in "f?" else a.view(kind)[:size].copy()
        items, order = run(a)
        assert items.tolist() == sorted(a.tolist())
        assert order.tolist() == sorted(range(len(a)), key=a.tolist().__getitem__)


def texts(items):
    return sorted(items), sorted(items, key=len), sorted(items, key=lambda one: (len(one), one), reverse=True)


def test_texts_and_tuples():
    compiled = njit(texts)
    for size in SIZES[1:]:
        items = ["".join(MADE.choices("abäЖ", k=MADE.randint(0, 4))) for _item in range(size)]
        assert compiled(items) == texts(items)
        pairs = [(MADE.randint(0, 3), MADE.random()) for _item in range(size)]
        assert njit(plain)(pairs.copy()) == plain(pairs.copy())


def test_equal_keys_keep_the_order():
    @njit
    def run(pairs):
        return sorted(pairs, key=lambda pair: pair[0])

    for size in SIZES[1:]:
        pairs = [(MADE.randint(-4, 4), at) for at in range(size)]
        assert run(pairs) == sorted(pairs, key=lambda pair: pair[0])


class Level(enum.IntEnum):
    """Members whose values aren't in order."""

    HIGH = 7
    LOW = -2
    MIDDLE = 3


def test_members_of_enumerations():
    @njit
    def run(count):
        levels = [Level.HIGH]
        for at in range(1, count):
            levels.append(Level.LOW if at % 3 == 1 else Level.MIDDLE if at % 3 == 2 else Level.HIGH)
        levels.sort()
        return [int(one) for one in levels]

    for size in (3, 17, 100):
        kinds = [Level.HIGH, Level.LOW, Level.MIDDLE]
        assert run(size) == sorted(int(kinds[at % 3]) for at in range(size))


def test_a_key_that_raises_leaves_the_items():
    def run(items):
        try:
            items.sort(key=lambda item: 1 // item)
        except ZeroDivisionError:
            return items[::-1]
        return items

    items = [*range(1, 30), 0, 5]
    assert njit(run, error_model="python")(items.copy()) == run(items.copy())


@dataclasses.dataclass
class Picky:
    """What can't be compared with everything."""

    value: int

    def __lt__(self, other):
        if other.value == 13:
            raise ValueError("no order")
        return self.value < other.value


def test_a_comparison_that_raises_leaves_the_items():
    @njit
    def run(values):
        items = [Picky(value) for value in values]
        raised = False
        try:
            items.sort()
        except ValueError:
            raised = True
        return [one.value for one in items], raised

    for size in (2, 14, 16, 17, 40, 100):
        for _ in range(5):
            values = [13, *range(20 - size, 19)][:size]
            MADE.shuffle(values)
            left, raised = run(values)
            assert sorted(left) == sorted(values)
            assert raised or left == sorted(values)
