"""Iterators that compiled functions return, to Python and to other compiled functions."""

from collections import deque

import pytest

from pyopt import errors, njit

# What gives an iterator, over the arguments.
ITERATORS = (
    "iter(items)",
    "reversed(items)",
    "enumerate(items)",
    "enumerate(items, 3)",
    "zip(items, items)",
    "zip(items, reversed(items))",
    "enumerate(reversed(items))",
    "enumerate(zip(items, items))",
    "map(str, items)",
    "filter(None, items)",
)
LISTS = ([], [1, 2, 3], ["a", "bc"], [1.5], [(1, "a"), (2, "b")])


def function_of(text, parameter="items"):
    """Give the function that returns an iterator."""
    space = {}
    exec(f"def made({parameter}):\n    return {text}", space)
    return space["made"]


@pytest.mark.parametrize("text", ITERATORS)
def test_over_lists(text):
    made = function_of(text)
    compiled = njit(made)

    @njit
    def gone_through(items):
        # Only its generator says what it gives: a function of compiled code returns that too.
        return [item for item in compiled(items)]

    for items in LISTS:
        if not items and text == "map(str, items)":
            continue
        found = compiled(items)
        assert list(found) == list(made(items)) and next(found, None) is None
        assert gone_through(items) == list(made(items))


@pytest.mark.parametrize(
    "text", ["iter(items)", "reversed(items)", "enumerate(items)", "enumerate(reversed(items))"]
)
@pytest.mark.parametrize(
    "items", [(), (1, 2), "abc", "", {1: 2, 3: 4}, {}, deque([1, 2]), deque(), range(3)], ids=repr
)
def test_over_others(text, items):
    if isinstance(items, range):
        made = function_of(text.replace("items", "range(5, count, -2)"), "count")
        assert list(njit(made)(-4)) == list(made(-4))
        return
    made = function_of(text)
    assert list(njit(made)(items)) == list(made(items))


@pytest.mark.parametrize("items", [{1, 2}, frozenset([3, 4]), b"ab"], ids=repr)
def test_iter_gives_an_iterator(items):
    found = njit(lambda items: iter(items))(items)
    assert not isinstance(found, (list, set, frozenset)) and sorted(found) == sorted(items)


def test_an_iterator_of_several_paths_is_refused():
    def chosen(items, back):
        found = zip(items, items)
        if back:
            found = zip(items, items)
        return found

    with pytest.raises(
        errors.TypingError, match="made on one of several paths can't be passed on or returned"
    ):
        njit(chosen)([1], True)


def test_next_of_what_iter_gives():
    @njit
    def first_two(items):
        going = iter(items)
        return next(going), next(going), next(going, None)

    assert first_two(deque([4, 5])) == (4, 5, None)
    assert first_two([4, 5]) == (4, 5, None)
    with pytest.raises(StopIteration):
        first_two(deque([1]))
