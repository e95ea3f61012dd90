"""Typed containers that compiled code makes without types, and what these have beside methods."""

import heapq
from collections import Counter, OrderedDict, deque

import numpy as np
import pytest
from differential.memory import growth

from pyopt import errors, njit, typed, typeof, types
from pyopt.typed import Dict, List, Set

FLOATS = types.float64[:]


def appended(n):
    made = List()
    for i in range(n):
        made.append(i * 0.5)
    return made


def on_some_path(n):
    made = List()
    if n > 3:
        made.append(n)
    return len(made), made


def in_a_function(n):
    def fill(items):
        for i in range(n):
            items.append(str(i))

    made = List()
    fill(made)
    return made


def extended(n):
    made = List()
    made.extend([1, 2])
    made += (3, n)
    other = typed.List()
    other.insert(0, "a")
    return made, other


def tables(n):
    made = Dict()
    for i in range(n):
        made[i % 3] = made.get(i % 3, 0.0) + i
    return made


def texts(n):
    made = typed.Dict()
    made.setdefault("a", n)
    made["b"] = 2
    other = Set()
    other.add((1, "x"))
    return made, other, "a" in made


def nested(n):
    outer = List()
    for i in range(n):
        inner = List()
        inner.append(i)
        outer.append(inner)
    table = Dict()
    table["x"] = outer
    return table["x"][n - 1][0], len(outer)


def viewed(n):
    made, total = Dict(), 0
    for i in range(n):
        for key in made.keys():
            total += key
        for key, value in made.items():
            total += key * value
        total += len(made.values())
        made[i % 3] = i
    return total, made


def plain(value):
    """Give typed containers as built-in ones."""
    if isinstance(value, List):
        return [plain(one) for one in value]
    if isinstance(value, Dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, Set):
        return set(value)
    return tuple(map(plain, value)) if isinstance(value, tuple) else value


@pytest.mark.parametrize(
    "function",
    [appended, on_some_path, in_a_function, extended, tables, texts, nested, viewed],
    ids=lambda f: f.__name__,
)
def test_types_come_from_what_is_put_in(function):
    for n in (5, 4, 40):
        assert plain(njit(function)(n)) == plain(function(n))


def test_what_nothing_is_put_into():
    @njit
    def empty():
        made = List()
        for _ in made:
            return 1
        return len(made), bool(made), 3 in made

    assert empty() == (0, False, False)

    @njit
    def views():
        made = Dict()
        return len(made.items()), [key for key in made.keys()], made.get(1, 5)

    assert views() == (0, [], 5)

    with pytest.raises(errors.TypingError, match="isn't known"):
        njit(lambda: List().pop())()
    with pytest.raises(errors.TypingError, match="isn't known"):
        njit(lambda: len(List().keys()))()


def test_a_second_type_is_an_error():
    def both():
        made = List()
        made.append(1)
        made.append("a")
        return made

    with pytest.raises(errors.TypingError):
        njit(both)()


def test_types_that_are_no_numbers():
    @njit
    def made():
        words = List.empty_list(types.unicode_type)
        words.append("a")
        table = Dict.empty(types.unicode_type, FLOATS)
        table["x"] = np.arange(3.0)
        return words, table["x"].sum()

    words, total = made()
    assert (list(words), total) == (["a"], 3.0)


def test_lists_in_functions_that_go_through_items():
    def use(items):
        return sum(items), max(items), sorted(items), list(items), [i for i, _ in enumerate(items)]

    def more(items):
        pairs = [a * b for a, b in zip(items, items)]
        return any(items), all(items), min(items), pairs, heapq.nlargest(2, items), np.array(items).sum()

    items = List([3, 1, 2])
    assert njit(use)(items) == use([3, 1, 2])
    assert njit(more)(items) == more([3, 1, 2])


def test_nothing_leaks():
    assert growth(lambda: (njit_nested(6), njit_texts(3))) == 0


njit_nested, njit_texts = njit(nested), njit(texts)


def floats_first():
    made = List()
    made.append(2.5)
    made.append(1)
    return made


def ints_first(second):
    made = Dict()
    made[1] = 321
    made[2] = second
    return made


def test_what_is_put_in_first_decides():
    found = njit(floats_first)()
    assert typeof(found) == types.ListType(types.float64) and list(found) == [2.5, 1.0]
    assert dict(njit(ints_first)(5)) == {1: 321, 2: 5}
    with pytest.raises(errors.TypingError, match="cannot safely cast float64"):
        njit(ints_first)(32.1)


def other_item(flag):
    made = List()
    if flag:
        made.append(1)
    else:
        made.append("a")
    return made


def other_key(flag):
    made = Dict()
    made[1] = 2
    made["a"] = 3
    return made


def other_value(flag):
    made = Dict()
    made[1] = 2
    return made.setdefault(2, "a")


def other_member(flag):
    made = Set()
    made.add(1)
    for _ in range(3):
        made.add("a")
    return made


def other_method(flag):
    made = List()
    made.append(1)
    made.extend(["a"])
    return made


def other_than_made(flag):
    made = List([1, 2])
    made[0] = "a"
    return made


@pytest.mark.parametrize(
    ("function", "first", "later", "note"),
    [
        (other_item, 3, 5, "used as ListType[int64]"),
        (other_key, 2, 3, "used as DictType[int64,int64]"),
        (other_value, 2, 3, "used as DictType[int64,int64]"),
        (other_member, 2, 4, "used as SetType[int64]"),
        (other_method, 2, 3, "used as ListType[int64]"),
        (other_than_made, 1, 2, "made as ListType[int64]"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_errors_show_both_uses(function, first, later, note):
    with pytest.raises(errors.TypingError, match="cannot safely cast unicode_type to int64") as raised:
        njit(function)(True)
    begin = function.__code__.co_firstlineno
    error, _, shown = str(raised.value).partition("note: ")
    assert f"{__file__}:{begin + later}:" in error
    assert shown.startswith(f"the container is {note} here") and f"{__file__}:{begin + first}:" in shown


def of_instances(values):
    lists = Dict.empty(types.int32, List.empty_list(types.int32))
    one = List.empty_list(types.int32)
    one.append(7)
    lists[1] = one
    dicts = List.empty_list(Dict.empty(types.int32, types.float64))
    return lists, dicts, List.empty_list(values), lists[1][0]


def test_instances_stand_for_their_types():
    lists, dicts, arrays, first = njit(of_instances)(np.zeros(3))
    ints = types.ListType(types.int32)
    assert typeof(lists) == types.DictType(types.int32, ints) and first == 7
    assert typeof(dicts) == types.ListType(types.DictType(types.int32, types.float64))
    assert typeof(arrays) == types.ListType(types.float64[::1])


def test_a_second_argument_is_the_type():
    for make in (lambda: Dict(1, 2), lambda: List((1, 2), (3, 4))):
        with pytest.raises(TypeError, match="expected at most 1 argument, got 2"):
            make()


def filled(items):
    queue, counts, ordered, kept = deque(items), Counter(items), OrderedDict(items), typed.List(items)
    queue.append(1)
    counts[2] += 1
    ordered[3] = 4
    kept.append(5)
    return list(queue), dict(counts), dict(ordered), list(kept), tuple(items)


def test_containers_of_a_list_without_items():
    wanted = [1], {2: 1}, {3: 4}, [5], ()
    assert njit(filled)([]) == wanted
    assert njit(lambda: filled([]))() == wanted
