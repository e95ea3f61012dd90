"""Loops on threads that read dicts, sets and typed containers; those that change one run in order."""

import copy
import warnings

import numpy as np
import pytest

from pyopt import njit, prange, typed
from pyopt.errors import ParallelSafetyWarning


def typed_copy(table):
    made = typed.Dict()
    for key, value in table.items():
        made[key] = value
    return made


def items(d, n):
    total = 0
    for i in prange(n):
        total += d[i % 2]
    return total


def text_keys(d, n):
    total = 0
    for i in prange(n):
        total += d["abc"[i % 3]]
    return total


def questions(s, n):
    total = 0
    for i in prange(n):
        if (i, i) in s:
            total += 1
    return total


def defaults(d, n):
    total = 0
    for i in prange(n):
        total += d.get(i, 3)
    return total


def entries(d, n):
    sums = np.zeros(n)
    for i in prange(n):
        for key, value in d.items():
            sums[i] += key * value
        sums[i] += len(d)
    return sums.sum()


def arrays(d, n):
    sums = np.zeros(n)
    for i in prange(n):
        sums[i] = d[i % 2].sum()
    return sums.sum()


@njit
def looked_up(d, i):
    return d[i % 2]


def in_functions(d, n):
    total = 0
    for i in prange(n):
        total += looked_up(d, i)
    return total


def made_here(d, n):
    other = {key + 1: value for key, value in d.items()}
    total = 0
    for i in prange(n):
        total += other[1 + i % 2]
    return total


def list_items(values, n):
    total = 0
    for i in prange(n):
        total += values[i % len(values)]
    return total


NUMBERS, TEXTS = {0: 1, 1: 5}, {"a": 1, "b": 2, "c": 3}
ARRAYS = {0: np.arange(3.0), 1: np.ones(2)}
READING = [
    (items, NUMBERS),
    (items, typed_copy(NUMBERS)),
    (text_keys, TEXTS),
    (text_keys, typed_copy(TEXTS)),
    (questions, {(0, 0), (3, 3)}),
    (questions, set()),
    (defaults, NUMBERS),
    (defaults, {}),
    (entries, NUMBERS),
    (entries, typed_copy(NUMBERS)),
    (arrays, ARRAYS),
    (arrays, typed_copy(ARRAYS)),
    (in_functions, NUMBERS),
    (in_functions, typed_copy(NUMBERS)),
    (made_here, NUMBERS),
    (list_items, typed.List([1, 2, 3])),
]


@pytest.mark.parametrize(
    ("function", "given"), READING, ids=lambda one: getattr(one, "__name__", type(one).__name__)
)
def test_reads_run_on_threads(function, given):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled = njit(parallel=True)(function)
        for n in (0, 1, 50_000):
            assert compiled(given, n) == function(given, n)


def test_two_tables():
    @njit(parallel=True)
    def of_both(d, s, n):
        total = 0
        for i in prange(n):
            total += d[i % 2] if i in s else 1
        return total

    assert of_both(NUMBERS, {1, 2, 7}, 1000) == of_both.py_func(NUMBERS, {1, 2, 7}, 1000)


def test_a_missing_key():
    @njit(parallel=True)
    def late(d, n):
        total = 0
        for i in prange(n):
            total += d[i // 900 * 7]
        return total

    assert late({0: 1}, 900) == 900
    with pytest.raises(KeyError, match="7"):
        late({0: 1}, 1000)


def put(d, n):
    for i in prange(n):
        d[i] = i
    return len(d)


def take_out(d, n):
    taken = 0
    for i in prange(n):
        if d.pop(i, None) is not None:
            taken += 1
    return taken, len(d)


@njit
def put_one(d, i):
    d[i] = 1


def put_in_functions(d, n):
    for i in prange(n):
        put_one(d, i)
    return len(d)


def by_another_name(d, n):
    other = d
    for i in prange(n):
        other.setdefault(i, 2)
    return len(d)


def append(values, n):
    for i in prange(n):
        values.append(i)
    return len(values)


CHANGING = [
    *(
        (function, make(NUMBERS))
        for function in (put, take_out, put_in_functions, by_another_name)
        for make in (dict, typed_copy)
    ),
    (append, typed.List([1, 2])),
]


@pytest.mark.parametrize(
    ("function", "given"), CHANGING, ids=lambda one: getattr(one, "__name__", type(one).__name__)
)
def test_changes_run_in_order(function, given):
    expected = copy.copy(given)
    kind = "dict or set" if isinstance(given, dict) else "typed container"
    with pytest.warns(ParallelSafetyWarning, match=f"iterations change the same {kind}"):
        assert njit(parallel=True)(function)(given, 300) == function(expected, 300)
    assert given == expected


def test_tables_in_other_containers():
    @njit(parallel=True)
    def of_rows(rows, n):
        total = 0
        for i in prange(n):
            total += rows[i % 2][0]
        return total

    with pytest.warns(ParallelSafetyWarning, match="look keys up in dicts or sets that something else holds"):
        assert of_rows([{0: 1}, {0: 2}], 300) == 450
