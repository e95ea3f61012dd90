"""Operators of views of dicts, next() of iterators that are made for it, names of classes of exceptions."""

import pytest
from plain_checks import same

from pyopt import errors, njit


class OwnError(ValueError):
    pass


A, B = {1: 2, 5: 6, 7: 8}, {3: 4, 5: 7, 7: 8}


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: (sorted(a.keys() | b), sorted(a.keys() & b), sorted(a.keys() - b), sorted(a.keys() ^ b)),
        lambda a, b: (sorted(a | b.keys()), sorted(a & b.keys()), sorted(a - b.keys()), sorted(a ^ b.keys())),
        lambda a, b: (sorted(a.keys() | b.keys()), sorted(a.keys() & b.keys())),
        lambda a, b: (sorted(a.keys() | [9, 5]), sorted(a.keys() & [9, 5]), sorted([9, 5] - a.keys())),
        lambda a, b: (sorted(a.keys() & (1, 3)), sorted(a.keys() - range(4)), sorted(range(4) - a.keys())),
        lambda a, b: sorted(a.keys() - (key for key in b)),
        lambda a, b: sorted(a.keys() | b.values()),
        lambda a, b: (
            sorted(a.items() & b.items()),
            sorted(a.items() - [(1, 2)]),
            len(a.items() | b.items()),
        ),
        lambda a, b: (sorted({5} | a.keys()), sorted({5, 9} - a.keys())),
        lambda a, b: sorted(a.keys() & []),
    ],
)
def test_operators_of_views(function):
    for a, b in [(A, B), (B, A), (A, A)]:
        try:
            expected = function(a, b)
        except TypeError:
            with pytest.raises((errors.TypingError, TypeError)):
                njit(function)(a, b)
        else:
            assert njit(function)(a, b) == expected


@pytest.mark.parametrize(
    "function",
    [lambda a: {5} & [5], lambda a: {5} | a, lambda a: a.values() & {5}, lambda a: a.keys() + a.keys()],
)
def test_what_no_operator_takes(function):
    with pytest.raises(TypeError):
        function(A)
    with pytest.raises(errors.TypingError, match="no implementation of"):
        njit(function)(A)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (lambda items: next(reversed(items)), [([1, 2],)]),
        (lambda items: next(reversed(items), -1), [([1, 2],)]),
        (lambda items: next(reversed(items[2:]), -1), [([1, 2],)]),
        (lambda items: next(reversed(items[2:])), [([1, 2],)]),
        (lambda text, n: (next(reversed(text)), next(reversed(range(n)))), [("abc", 4)]),
        (lambda items: (next(zip(items, items)), next(enumerate(items, 3))), [([1, 2],)]),
        (lambda items: next(iter(reversed(items))), [([1, 2],)]),
        (
            lambda d: (next(reversed(d)), next(reversed(d.items())), next(reversed(d.values()))),
            [({1: 2, 3: 4},)],
        ),
        (lambda d: (next(iter(d)), next(iter(d.values())), next(iter(d.items()))), [({1: 2, 3: 4},)]),
    ],
)
def test_next(function, arguments):
    for one in arguments:
        same(function, *one)


def advanced(items):
    iterator = iter(reversed(items))
    first = next(iterator)
    second = next(iterator)
    return first, second, list(iterator)


def refused(items):
    iterator = reversed(items)
    first = next(iterator)
    return first, next(iterator)


def test_iterators_that_go_on():
    same(advanced, [1, 2, 3, 4])
    with pytest.raises(errors.TypingError, match=r"call next\(\) on a generator or on iter"):
        njit(refused)([1, 2, 3])


def named(k, table):
    try:
        if k == 0:
            raise ValueError("a")
        if k == 1:
            return str(table[k])
        if k == 2:
            raise OwnError("b")
        return str(1 // (k - 3))
    except Exception as error:
        return type(error).__name__ + ": " + str(error)


def by_attribute(k):
    try:
        if k:
            raise OwnError
        raise KeyError("x")
    except (OwnError, KeyError) as error:
        return f"{error.__class__.__name__} {type(error).__qualname__}"


def test_names_of_classes_of_exceptions():
    for k in range(5):
        same(named, k, {5: 6})
    same(by_attribute, 0)
    same(by_attribute, 1)


@pytest.mark.parametrize(
    "asked", ["type(error) is ValueError", "type(error) == KeyError", "str(type(error))"]
)
def test_what_else_a_class_is_asked_for(asked):
    scope = {}
    exec(
        "def f(k):\n    try:\n        raise ValueError('a')\n    except Exception as error:\n"
        f"        return {asked}\n",
        scope,
    )
    with pytest.raises(errors.TypingError):
        njit(scope["f"])(1)


def in_enumerate():
    """Change the lists of a display that is enumerated."""
    found = []
    for i, items in enumerate([[3], [4, 5]]):
        items.append(i)
        found.append(items)
    return found


def in_zip(first):
    """Change lists that are gone through beside others, and see that in the list that holds them."""
    lists = [[first], [4]]
    for k, items, more in zip([1, 2], lists, ([5], [6])):
        items.append(k)
        more.append(k)
        items.extend(more)
    return lists


def in_both():
    """Keep lists of a display that is enumerated beside texts."""
    kept = {"k": ["z"]}
    for i, (key, items) in enumerate(zip(["a", "b"], [["u"], ["y"]])):
        items.append(key * i)
        kept[key] = items
    for items in reversed([["p"], ["q"]]):
        items.append("r")
        kept["k"] = items
    return kept


def test_lists_of_displays_are_changed_in_loops_over_several():
    assert njit(in_enumerate)() == in_enumerate()
    assert njit(in_zip)(3) == in_zip(3)
    assert njit(in_both)() == in_both()
