"""Bound methods that are passed to functions, against CPython."""

from collections import Counter

import pytest

from pyopt import errors, njit, typed

TABLE = {"a": 3, "b": 7, "c": 1}


def by_value(d):
    return max(d, key=d.get), min(d, key=d.get), sorted(d, key=d.get), sorted(d, key=d.get, reverse=True)


def of_local_tables(d):
    counts = {}
    for character in "hello world":
        counts[character] = counts.get(character, 0) + 1
    other = Counter("hello world")
    return max(counts, key=counts.get), sorted(counts, key=counts.get)[-3:], max(other, key=other.get)


def mapped(d):
    texts = "abc", "b"
    return list(map(d.get, ["b", "a"])), list(map(texts[0].find, ["b", "z"])), list(map(d.pop, ["a", "c"])), d


def filtered(d):
    return list(filter("abcd".startswith, ["a", "b", "ab"])), list(filter("abcd".endswith, ["d", "b"]))


def apply(function, x):
    return function(x)


def passed_on(d):
    get = d.get
    return apply(get, "a"), apply("abc".index, "b"), apply((1, 2, 1).count, 1), apply("-".join, ("a", "b"))


def of_items(d):
    found = {1, 2}
    best = max(d, key=d.__getitem__)
    kept = list(filter(found.__contains__, [1, 5, 2]))
    return best, kept, (3, 4).__getitem__(1), "abc".__len__(), [7].__contains__(7), range(9).__getitem__(-1)


def put_in(d):
    items, seen = [1], {0}
    items.append(2)
    for _ in map(items.append, (3, 4)):
        pass
    for _ in map(seen.add, (1, 2)):
        pass
    return items, sorted(seen)


@pytest.mark.parametrize(
    "program", [by_value, of_local_tables, mapped, filtered, passed_on, of_items, put_in]
)
def test_methods_as_arguments(program, monkeypatch):
    expected = program(TABLE.copy())
    monkeypatch.setitem(globals(), "apply", njit(apply))
    assert njit(program)(TABLE.copy()) == expected


def test_a_typed_dict():
    table = typed.Dict(TABLE)
    assert njit(lambda d: max(d, key=d.get))(table) == "b"


def test_other_methods_say_so():
    with pytest.raises(errors.TypingError, match="'items' of dict.* can't be kept, passed or returned"):
        njit(lambda d: apply(d.items, 1))(TABLE.copy())
