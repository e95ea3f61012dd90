"""``match`` and starred targets in compiled code, beside CPython."""

from collections import namedtuple

import numpy as np
import pytest

from pyopt import errors, njit

Point = namedtuple("Point", "x y")


def literals(x):
    match x:
        case 1 | 2:
            return 10
        case -3:
            return 20
        case None:
            return 30
        case y if y > 100:
            return y
        case _:
            return 40


def sequences(x):
    match x:
        case []:
            return 0
        case [y]:
            return y
        case (0, y) | (y, 0):
            return y
        case (y, z):
            return y * z
        case [first, *_, last]:
            return first - last
        case _:
            return -1


def nested(x):
    match x:
        case (y, (1, z)):
            return y + z
        case (y, (n, m)):
            return y * n * m
        case (_, z):
            return z


def classes(x):
    match x:
        case bool(b):
            return 1.0 if b else 2.0
        case int(i):
            return i + 0.5
        case float():
            return x * 2
        case Point(x=0, y=y):
            return y * 1.5
        case Point(a, b):
            return a + b + 0.25
        case tuple(t):
            return len(t) + 0.0
        case list(items):
            return sum(items) + 0.125
        case _:
            return -1.0


def rest(x):
    match x:
        case [first, *others]:
            return first, others
        case _:
            return 0, [-1]


def starred(x):
    first, *middle, last = x
    return first, middle, last


def starts(x):
    first, second, *others = x
    return first + second, others


def ends(x):
    *others, last = x
    others.append(7)
    return others, last


VALUES = [1, -3, 200, 7, 2.5, True, None]
TUPLES = [(), (5,), (0, 3), (4, 0), (4, 3), (9, 8, 7, 6)]
RECURSIVE = [(3, (1, 2)), (3, 4), (1, (2, 3))]
LISTS = [[5], [0, 3], [4, 0], [4, 3], [9, 8, 7, 6]]


@pytest.mark.parametrize(
    "function, value",
    [
        *((literals, value) for value in VALUES),
        *((sequences, value) for value in TUPLES + LISTS + [3, 2.5]),
        *((nested, value) for value in RECURSIVE),
        *((classes, value) for value in VALUES[:-1] + TUPLES + LISTS + [Point(0, 2), Point(3, 4)]),
        *((rest, value) for value in LISTS + TUPLES[1:]),
    ],
)
def test_patterns(function, value):
    assert njit(function)(value) == function(value)


@pytest.mark.parametrize("function", [starred, starts, ends])
@pytest.mark.parametrize(
    "value",
    [
        (1, 2),
        (1, 2, 3, 4),
        [1, 2],
        [1, 2, 3, 4],
        (1,),
        [1],
        (1.5, 2.5, 3.5),
    ],
)
def test_starred_targets(function, value):
    try:
        expected = function(value)
    except ValueError as error:
        with pytest.raises(ValueError, match=f"^{str(error).replace('(', '.').replace(')', '.')}$"):
            njit(function)(value)
    else:
        assert njit(function)(value) == expected


def test_starred_targets_take_items_of_ranges():
    def taken(count):
        first, *others, last = range(count)
        return first, others, last

    assert njit(taken)(2) == taken(2)
    assert njit(taken)(6) == taken(6)
    with pytest.raises(ValueError, match="expected at least 2, got 1"):
        njit(taken)(1)


def test_starred_targets_take_elements():
    array = np.arange(5.0)
    assert njit(starred)(array) == starred(array)
    assert njit(starred)(array[::-2]) == starred(array[::-2])
    with pytest.raises(ValueError, match="expected at least 2, got 1"):
        njit(starred)(array[:1])


def test_arrays_are_no_sequences():
    assert njit(sequences)(np.arange(2)) == -1


def test_a_list_of_the_rest_is_a_new_one():
    def changed(x):
        _, *others = x
        others.append(9)
        others[0] = 8
        return x, others

    assert njit(changed)([1, 2, 3]) == ([1, 2, 3], [8, 3, 9])


def test_fields_beyond_the_last():
    def three(p):
        match p:
            case Point(a, b, c):
                return a + b + c
        return 0

    with pytest.raises(errors.TypingError, match="has 2 positional sub-patterns, not 3"):
        njit(three)(Point(1, 2))


def named(d):
    match d:
        case {"op": "add", "x": x, "y": y}:
            return "add " + x + y
        case {"op": "neg" | "not" as op, "x": x}:
            return op + x
        case {"op": op, **rest} if len(rest) == 1:
            return op + str(len(rest)) + str("x" in rest)
        case {"op": _, **rest}:
            return str(sorted(rest.items()))
        case {}:
            return "nothing"
    return "no mapping"


def numbered(d):
    match d:
        case {1: 2.5 as x, 3: y}:
            return x + y
        case {1: x, **others}:
            return x * 10 + sum(others.values())
        case {7: [first, _]} if False:
            return first
        case _:
            return -1.0


@pytest.mark.parametrize(
    "d",
    [
        {"op": "add", "x": "1", "y": "2"},
        {"op": "neg", "x": "1"},
        {"op": "not", "x": "1", "z": "3"},
        {"op": "abs", "x": "1"},
        {"op": "abs", "z": "1"},
        {"op": "abs"},
        {"op": "add", "y": "1", "z": "2"},
        {"other": "add"},
        {},
    ],
)
def test_patterns_of_mappings(d):
    d = dict(d)
    before = dict(d)
    if d:
        assert njit(named)(d) == named(d)
        assert d == before

    @njit
    def inside(op, x):
        made = {"op": op}
        if x:
            made["x"] = x
        return named_in(made)

    named_in = njit(named)
    for op in ("add", "neg", "abs"):
        assert inside(op, "1") == named({"op": op, "x": "1"})
        assert inside(op, "") == named({"op": op})


@pytest.mark.parametrize(
    "d", [{1: 2.5, 3: 4.0}, {1: 2.0, 3: 4.0}, {1: 1.5}, {2: 1.0}, {1: 1.0, 2: 2.0, 9: 3.0}]
)
def test_patterns_of_mappings_of_numbers(d):
    assert njit(numbered)(d) == numbered(d)


def test_what_is_no_mapping_is_none():
    for subject in (1, "a", (1, 2), [1], {1, 2}, 2.5):
        assert njit(named)(subject) == "no mapping"
