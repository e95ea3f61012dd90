"""Comparisons of deques, Counters, defaultdicts and OrderedDicts, and the classes that ``type`` gives."""

import itertools
from collections import Counter, OrderedDict, defaultdict, deque

import pytest

from pyopt import errors, njit

# Expressions that compiled code evaluates, so that what is made without items has no types.
DEQUES = ("deque([1, 2])", "deque()", "deque([2.0])", "deque([1, 2, 3])", "deque([1, 3], maxlen=2)")
DICTS = (
    "{'a': 2, 'b': 1}",
    "{}",
    "Counter('aab')",
    "Counter()",
    "Counter({'a': 2, 'b': 1, 'c': 0})",
    "Counter({'a': 2, 'b': -1})",
    "OrderedDict([('a', 2), ('b', 1)])",
    "OrderedDict([('b', 1), ('a', 2)])",
    "OrderedDict((('b', 1), ('a', 2)))",
    "OrderedDict()",
    "defaultdict(int)",
    "filled()",
)
OTHERS = ("[1, 2]", "[]", "(1, 2)", "{1, 2}", "'ab'", "None", "3")


def filled():
    """Give a defaultdict with items."""
    made = defaultdict(int)
    made["b"] += 1
    made["a"] += 2
    return made


def function_of(text):
    """Give the function that compares two values."""
    left, symbol, right = text
    space = dict(globals())
    exec(f"def compared():\n    left = {left}\n    right = {right}\n    return left {symbol} right", space)
    return space["compared"]


def compare(left, right, symbols):
    """Compare compiled code with CPython, where that has an answer."""
    for symbol in symbols:
        function = function_of((left, symbol, right))
        assert njit(function)() is function(), (left, symbol, right)


@pytest.mark.parametrize("left", DEQUES)
def test_deques_are_compared_by_their_items(left):
    for right in DEQUES:
        compare(left, right, ("==", "!=", "<", "<=", ">", ">="))
    for right in OTHERS:
        compare(left, right, ("==", "!="))


def test_what_was_taken_out_of_a_deque_is_not_compared():
    def compared():
        left = deque([1, 2, 3])
        left.popleft()
        right = deque([0, 0, 2, 3])
        right.popleft()
        right.popleft()
        left.appendleft(7)
        left.popleft()
        return left == right, left != right, left < right, left <= right, left == deque([2, 3])

    assert njit(compared)() == compared() == (True, False, False, True, True)


@pytest.mark.parametrize("left", DICTS)
def test_dicts_of_all_classes_are_equal_by_their_items(left):
    for right in (*DICTS, *OTHERS):
        if any("(" in one for one in (left, right) if not one.startswith("(")):
            compare(left, right, ("==", "!="))


COUNTERS = [text for text in DICTS if text.startswith("Counter")]


@pytest.mark.parametrize(("left", "right"), list(itertools.product(COUNTERS, repeat=2)))
def test_counters_include_each_other(left, right):
    compare(left, right, ("<", "<=", ">", ">="))


def test_orders_of_other_dicts_are_refused():
    with pytest.raises(errors.TypingError, match="no implementation of < for"):
        njit(lambda: OrderedDict([("a", 1)]) < OrderedDict([("a", 2)]))()
    with pytest.raises(errors.TypingError, match="no implementation of < for"):
        njit(lambda: Counter("a") < {"a": 1})()


def test_an_ordered_dict_is_made_of_pairs():
    def made(pairs):
        return OrderedDict(pairs), OrderedDict(zip("ab", (1.5, 2.5))), OrderedDict(enumerate("xy"))

    pairs = [("b", 1), ("a", 2), ("b", 3)]
    assert repr(njit(made)(pairs)) == repr(made(pairs))
    with pytest.raises(errors.TypingError, match="a OrderedDict is made of a dict or of pairs"):
        njit(lambda: OrderedDict([1, 2]))()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (deque([1]), deque(["a"])),
        (deque([1]), deque()),
        (Counter("a"), Counter()),
        (Counter("a"), {"a": 1}),
        (OrderedDict(a=1), OrderedDict()),
        (OrderedDict(a=1), {"a": 1}),
        (frozenset([1]), {1}),
        (frozenset([1]), frozenset("a")),
    ],
)
def test_type_gives_the_class(one, other):
    def classes(one, other):
        return (
            type(one) is type(other),
            type(one) is deque,
            type(one) is Counter,
            type(one) is OrderedDict,
            type(one) is frozenset,
        )

    assert njit(classes)(one, other) == classes(one, other)
