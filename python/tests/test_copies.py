"""``copy.copy`` and ``copy.deepcopy`` in compiled code."""

import copy
from collections import namedtuple
from copy import deepcopy

import numpy as np
import pytest

from pyopt import errors, njit

TABLE = {"a": [1, 2], "b": [3]}

VALUES = [
    1,
    2.5,
    True,
    1j,
    "text",
    b"bytes",
    (1, "a", (2.5,)),
    [1, 2, 3],
    ["a", "b"],
    [(1, "a"), (2, "b")],
    {1: "a", 2: "b"},
    {1, 2, 3},
    [[1, 2], [], [3]],
    [[["a"], ["b", "c"]], [[]]],
    {"a": [1, 2], "b": []},
    {"a": {"b": [1.5]}, "c": {}},
    [{1: [2]}, {3: [4, 5]}],
    ([1, 2], "a", [[3]]),
    [([1], "a"), ([2, 3], "b")],
    [{1, 2}, {3}],
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_copies_are_equal(value):
    for function in (lambda x: copy.deepcopy(x), lambda x: copy.copy(x)):
        found = njit(function)(value)
        assert type(found) is type(value)
        assert found == value


def changed_copy(rows):
    made = deepcopy(rows)
    made[0].append(9)
    made.append([7])
    return rows, made


def changed_shallow_copy(rows):
    made = copy.copy(rows)
    made[0].append(9)
    made.append([7])
    return rows, made


def shared_rows(n):
    row = [0] * n
    rows = [row, [1], row]
    made = deepcopy(rows)
    made[0].append(5)
    return rows, made, made[0] is made[2], made[0] is rows[0]


def shared_at_depth(n):
    leaf = [n]
    cube = [[leaf, [1]], [[2], leaf]]
    made = deepcopy(cube)
    made[0][0].append(5)
    return cube, made


def shared_in_tuples(n):
    row = [n]
    pairs = [(row, 1), ([4], 2), (row, 3)]
    made = deepcopy(pairs)
    made[0][0].append(5)
    return pairs, made


def shared_values(n):
    row = [n]
    table = {"a": row, "b": [1], "c": row}
    made = deepcopy(table)
    made["a"].append(5)
    return table, made


def of_displays(n):
    row = [n]
    made = deepcopy([[row, row], [[1], row]])
    made[0][0].append(5)
    return made


def of_display(n):
    made = deepcopy([[n, 1], [2, 3]])
    made[0][0] = 7
    return made


@pytest.mark.parametrize(
    "function",
    [shared_rows, shared_at_depth, shared_in_tuples, shared_values, of_display, of_displays],
    ids=lambda one: one.__name__,
)
def test_what_is_held_twice_is_copied_once(function):
    assert njit(function)(3) == function(3)


@pytest.mark.parametrize("function", [changed_copy, changed_shallow_copy])
def test_which_lists_change(function):
    assert njit(function)([[1], [2]]) == function([[1], [2]])


def test_global_containers():
    @njit
    def f():
        made = deepcopy(TABLE)
        made["a"].append(3)
        return made, len(TABLE["a"])

    assert f() == ({"a": [1, 2, 3], "b": [3]}, 2)


def test_arrays():
    @njit
    def f(a):
        made, other = deepcopy(a), copy.copy(a)
        made[0] = 9
        other[1] = 8
        return a.sum(), made, other

    total, made, other = f(np.arange(3))
    assert total == 3
    assert made.tolist() == [9, 1, 2]
    assert other.tolist() == [0, 8, 2]


Pair = namedtuple("Pair", "a b")


def test_named_tuples():
    f = njit(lambda x: deepcopy(x))
    assert f(Pair(1, 2)) == Pair(1, 2)
    assert type(f(Pair(1, 2))) is Pair
    with pytest.raises(errors.TypingError, match="compiled code makes no deep copies of what Pair"):
        f(Pair([1], 2))


def test_what_is_not_copied():
    with pytest.raises(errors.TypingError, match="compiled code makes no deep copies of array"):
        njit(lambda a: deepcopy([a, a]))(np.zeros(2))
    with pytest.raises(errors.TypingError, match=r"deepcopy\(\) takes no memo"):
        njit(lambda a: deepcopy(a, {1: 2}))([1])
