"""Operators of deques, going through them, and methods where nothing is put in."""

from collections import Counter, OrderedDict, deque

import pytest

from pyopt import errors, njit


def outcome(function, *arguments):
    """Give what a call returns, as CPython shows it, or the error."""
    try:
        return repr(function(*arguments))
    except (IndexError, KeyError, ValueError, RuntimeError, TypeError) as error:
        return type(error), str(error)


def added(items):
    left = deque(items, maxlen=3)
    left.popleft()
    return left + deque(items), (left + deque(items)).maxlen, left, left + deque()


def repeated(items):
    left = deque(items)
    left.popleft()
    given = left
    given *= 2
    return left * 0, left * 3, 2 * left, -1 * left, deque(items, 2) * 2, given, left


def emptied(items):
    left = deque(items)
    left *= 0
    left.append(items[0])
    left.appendleft(items[1])
    return left


def copied(items):
    left = deque(items, maxlen=2)
    right = left.copy()
    right.append(items[0])
    return left, right, right.maxlen


def backwards(items):
    left = deque(items)
    left.popleft()
    return list(reversed(left)), [item for item in reversed(deque(items))], sum(1 for _ in reversed(left))


def extended_by_itself(items):
    left = deque(items)
    left.popleft()
    left.extend(left)
    left.extendleft(left)
    left += left
    right = deque(items, maxlen=3)
    right.extend(right)
    return left, right


@pytest.mark.parametrize("function", [added, repeated, emptied, copied, backwards, extended_by_itself])
@pytest.mark.parametrize("items", [[1, 2, 3], ["a", "bc"], [1.5, -0.0, 2.5, 3.5], [(1, "x"), (2, "y")]])
def test_operators(function, items):
    assert outcome(njit(function), items) == outcome(function, items)


@pytest.mark.parametrize("start", [-9, -2, 0, 1, 3, 9])
@pytest.mark.parametrize("stop", [-9, -1, 0, 2, 4, 9])
def test_index_in_a_part(start, stop):
    def place(items, wanted, start, stop):
        items.popleft()
        return items.index(wanted, start, stop)

    for wanted in (1, 2, 5):
        given = [deque([1, 2, 1, 2, 3]) for _ in range(2)]
        expected = outcome(place, given[0], wanted, start, stop)
        assert outcome(njit(place), given[1], wanted, start, stop) == expected


def changing(way, count):
    """Change a deque while a loop goes through it."""
    items = deque(range(count))
    seen = 0
    for item in items:
        seen += item
        if way == 0:
            items.append(item)
        elif way == 1:
            items.popleft()
        elif way == 2:
            items.appendleft(item)
        elif way == 3:
            items.clear()
        elif way == 4 and item == count - 1:
            items.pop()
        elif way == 5:
            items[0] = item
        elif way == 6:
            items.append(item)
            break
    return seen, items


@pytest.mark.parametrize("way", range(8))
@pytest.mark.parametrize("count", [0, 1, 4])
def test_changes_during_a_loop(way, count):
    assert outcome(njit(changing), way, count) == outcome(changing, way, count)


def test_changes_during_a_reversed_loop():
    def reverse(way):
        items = deque([1, 2, 3])
        for _ in reversed(items):
            if way:
                items.append(4)
        return items

    for way in (False, True):
        assert outcome(njit(reverse), way) == outcome(reverse, way)


def test_removing_what_is_not_there():
    def removed(items, item):
        items.remove(item)

    for item in (1, 9):
        found, expected = deque([1, 2]), deque([1, 2])
        assert outcome(njit(removed), found, item) == outcome(removed, expected, item)
        assert found == expected


NOTHING = (
    "deque().pop()",
    "deque().popleft()",
    "deque().count(1)",
    "deque().index('a')",
    "deque().remove(2)",
    "deque().reverse()",
    "deque().rotate(3)",
    "Counter().most_common()",
    "Counter().total()",
    "list(Counter().elements())",
    "OrderedDict().popitem()",
    "Counter().popitem()",
    "list(OrderedDict().keys())",
    "list(OrderedDict().values())",
    "list(OrderedDict().items())",
    "list(iter(deque()))",
    "list(reversed(deque()))",
)


@pytest.mark.parametrize("text", NOTHING)
def test_methods_where_nothing_is_put_in(text):
    space = {"Counter": Counter, "OrderedDict": OrderedDict, "deque": deque}
    exec(f"def asked():\n    return {text}", space)
    assert outcome(njit(space["asked"])) == outcome(space["asked"])


def test_a_deque_that_is_emptied_before_it_is_filled():
    def filled(count):
        items, taken = deque(), 0
        for at in range(count):
            if len(items) > 2:
                taken += items.popleft()
            items.append(at)
        return taken, items

    for count in range(6):
        assert outcome(njit(filled), count) == outcome(filled, count)


def test_other_operands_are_refused():
    with pytest.raises(errors.TypingError, match=r"no implementation of \+ for \(deque\[int64\], list"):
        njit(lambda: deque([1]) + [2])()
    with pytest.raises(errors.TypingError, match=r"no implementation of \* for"):
        njit(lambda: deque([1]) * 1.5)()
