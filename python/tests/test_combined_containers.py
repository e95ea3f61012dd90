"""Typed containers and those of ``collections`` that are combined with others, and compared with plain ones.

What a program does in compiled code is compared with the same from Python, and typed sets with plain ones.
"""

import subprocess
import sys
from collections import Counter, OrderedDict, defaultdict, deque

import pytest
from memory_checks import holds_its_memory
from plain_checks import same

from pyopt import errors, njit, typed

NUMBERS = [set(), {1, 2}, {2, 3, 9}, {-1}]
TEXTS = [{"a", "♥"}, {"♥", "b"}, {""}]


def binary(left, right):
    return left | right, left & right, left - right, left ^ right


def compared(left, right):
    return left == right, left != right, left <= right, left < right, left >= right, left > right


def asked(left, right):
    return (
        left.union(right),
        left.intersection(right),
        left.difference(right),
        left.symmetric_difference(right),
        left.issubset(right),
        left.issuperset(right),
        left.isdisjoint(right),
    )


def of_several(left, right):
    return (
        left.union(),
        left.union(right, left, right),
        left.intersection(right, left),
        left.difference(right, right),
        left.copy(),
    )


def updated(left, right):
    made = [left.copy() for _ in range(5)]
    made[0].update(right, right)
    made[1].intersection_update(right)
    made[2].difference_update(right)
    made[3].symmetric_difference_update(right)
    return made[0], made[1], made[2], made[3], made[4]


def in_place(left, right):
    a, b, c, d = left.copy(), left.copy(), left.copy(), left.copy()
    kept = a, b, c, d
    a |= right
    b &= right
    c -= right
    d ^= right
    return kept


def with_itself(left, right):
    a, b, c, d = left.copy(), left.copy(), left.copy(), left.copy()
    a.update(a)
    b.intersection_update(b)
    c.difference_update(c)
    d.symmetric_difference_update(d)
    return a, b, c, d


OF_SETS = [binary, compared, asked, of_several, updated, in_place, with_itself]


def plain(value):
    if isinstance(value, typed.Set):
        return set(value)
    return [plain(one) for one in value] if isinstance(value, (tuple, list)) else value


@pytest.mark.parametrize("is_compiled", [False, True], ids=["python", "compiled"])
@pytest.mark.parametrize("function", OF_SETS)
@pytest.mark.parametrize("sets", [NUMBERS, TEXTS], ids=["numbers", "texts"])
def test_typed_sets_are_sets(function, sets, is_compiled):
    called = njit(function) if is_compiled else function
    for left in filter(None, sets):
        for right in filter(None, sets):
            expected = plain(function(left, right))
            made = called(typed.Set(left), typed.Set(right))
            assert plain(made) == expected
            assert plain(called(typed.Set(left), right)) == expected
            if function in (binary, compared):
                assert plain(called(left, typed.Set(right))) == expected
            assert all(isinstance(one, typed.Set) for one in made if not isinstance(one, bool))


@pytest.mark.parametrize("is_compiled", [False, True], ids=["python", "compiled"])
def test_other_iterables(is_compiled):
    def several(left, items):
        return left.union(items, (7,)), left.intersection(items), left.difference(items), left.issubset(items)

    called = njit(several) if is_compiled else several
    found = called(typed.Set([1, 2]), [2, 5])
    assert plain(found) == [{1, 2, 5, 7}, {2}, {1}, False]


def test_an_empty_result_keeps_its_type():
    for one in (typed.Set([1]) & {2}, typed.Set([1]) - {1}, {2} & typed.Set([1])):
        assert repr(one) == "SetType[int64]({})" and str(one) == "set()"
    assert str(typed.Set([1])) == "{1}"


def test_sets_alone_are_operands():
    with pytest.raises(TypeError, match="unsupported operand"):
        typed.Set([1]) | [2]
    with pytest.raises(errors.TypingError, match=r"\| for \(SetType\[int64\], list"):
        njit(lambda s: s | [2])(typed.Set([1]))


def fill_open(n):
    a, b, c, d = typed.Set(), typed.Set(), typed.Dict(), typed.Dict()
    a.update([1.5], [n])
    b |= {"x"}
    c |= {n: "y"}
    d.update([("z", n)])
    return a, b, c, d


def test_open_containers_are_filled_by_operators():
    found = njit(fill_open)(3)
    assert repr(found) == repr(fill_open(3))
    assert repr(found[1]) == "SetType[unicode_type]({'x'})"


def equal(items, table, numbers):
    return (
        items == [3, 1, 2],
        [3, 1] == items,
        items != [3, 1, 2],
        items < [9],
        [1] <= items,
        table == {"ab": 1, "cd": 2},
        {"ab": 1} == table,
        table != {"ab": 1, "cd": 2},
        numbers == {1, 2},
        {1} == numbers,
        numbers == frozenset([1, 2]),
        frozenset([1]) < numbers,
        (items, 1) == ([3, 1, 2], 1),
        table == [1],
    )


def test_plain_containers_of_the_same_items_are_equal():
    same(equal, typed.List([3, 1, 2]), typed.Dict({"ab": 1, "cd": 2}), typed.Set([1, 2]))


def joined(items, table):
    made = items + [4], items + items, items * 2, 3 * items, items * 0, items * -1
    tables = table | {"q": 1}, {"q": 1, "ab": 5} | table, table | table
    kept, kept_table = items, table
    items += [7]
    items *= 2
    table |= {"r": 3}
    table |= [("s", 4)]
    return made, tables, items, table, kept is items, kept_table is table


def test_typed_lists_and_dicts_are_joined():
    arguments = [(typed.List([3, 1]), typed.Dict({"ab": 1})) for _ in range(2)]
    assert repr(njit(joined)(*arguments[0])) == repr(joined(*arguments[1]))
    assert repr(arguments[0]) == repr(arguments[1])


def test_methods_of_dicts_from_python():
    table = typed.Dict.fromkeys("ab", 1)
    assert dict(table) == {"a": 1, "b": 1} and list(reversed(table)) == ["b", "a"]
    with pytest.raises(TypeError, match="unsupported operand"):
        table | [("c", 1)]
    with pytest.raises(TypeError, match="unsupported operand"):
        typed.List([1]) + (2,)
    with pytest.raises(TypeError, match="can't multiply sequence"):
        typed.List([1]) * 1.5
    with pytest.raises(TypeError, match="can only concatenate list"):
        [1] + typed.List([1])
    with pytest.raises(errors.TypingError, match=r"\+ for \(list"):
        njit(lambda items: [1] + items)(typed.List([1]))


def displayed(table, ordered, items):
    made = {**table, "x": 0}
    kept = made
    made.update(table)
    made |= table
    texts = ["z"]
    same_texts = texts
    texts += items
    return {**table}, made, kept is made, {**ordered, **table}, dict(table), texts, same_texts


def test_typed_containers_in_plain_ones():
    # Keys of two characters were unpacked as keys and values.
    same(displayed, typed.Dict({"ab": 1, "cd": 2}), OrderedDict(zz=3), typed.List(["a"]))


MADE = """
import sys
from pyopt import njit, typed

@njit
def made(table):
    return dict(table)

assert made(typed.Dict({"item": 1, "ab": 2})) == {"item": 1, "ab": 2}
assert "pyopt.collection_types" not in sys.modules
"""


def test_a_typed_dict_becomes_a_plain_one_in_any_program():
    subprocess.run([sys.executable, "-c", MADE], check=True)


def ordered_and_default(o, d, p):
    made = o | p, p | o, d | p, p | d
    o |= p
    d |= {"h": 5}
    return made, o, d


def test_dicts_of_collections_are_joined():
    arguments = [(OrderedDict([("b", 1), ("a", 2)]), defaultdict(int, {"x": 1}), {"z": 0}) for _ in range(2)]
    assert repr(njit(ordered_and_default)(*arguments[0])) == repr(ordered_and_default(*arguments[1]))
    assert repr(arguments[0]) == repr(arguments[1])


def counters():
    c = Counter(a=3, b=-1, c=0)
    return +c, -c, c, Counter(x=2) + Counter(cls=1), OrderedDict(b=1, a=2), -Counter({"a": -2})


def test_counters_have_signs_and_keywords():
    same(counters)


def test_counts_are_ints():
    def updated(x):
        c = Counter("a")
        c.update({"a": x})
        return c

    with pytest.raises(errors.TypingError, match="counts by ints"):
        njit(lambda: Counter(a=2, b=None))()
    # The counter had nothing.
    with pytest.raises(errors.TypingError, match="counts by ints in compiled code, not by float64"):
        njit(lambda x: Counter({"a": x}))(1.5)
    with pytest.raises(errors.TypingError):
        njit(updated)(1.5)
    same(updated, 2)


def assigned_lists():
    given = [1]
    d = defaultdict(list)
    d["x"] = [1, 2]
    d["x"].append(3)
    x = d["x"]
    x.append(9)
    d["y"] = d["x"] + [4]
    d["z"] = [v for v in x if v > 1]
    d["s"] = sorted(x)
    d["x"] = []
    d["x"].append(7)
    d["g"] = given
    given.append(5)
    d["g"].append(6)
    d["y"] *= 2
    for i in range(6):
        d[str(i % 2)] = d[str(i % 2)] + [i]
        d[str(i % 3)] += [i]
    return d, x, given


def assigned_sets():
    d = defaultdict(set)
    d["x"].add(1)
    d["y"] = d["x"] | {2}
    d["y"] = d["y"] - {1}
    s = {8}
    d["z"] = s
    s.add(7)
    d["z"].discard(8)
    d["q"] = set()
    d["q"].update([4], (4,))
    d["r"] |= {7}
    t = d["r"]
    d["r"] |= {8}
    return d, s, sorted(t), d["q"].union([3]) == {3, 4}, d["x"].issubset({1, 2})


def assigned_dicts():
    d = defaultdict(dict)
    d[0] = {1: 1.5}
    d[0][2] = 2.5
    e = {}
    d[1] = e
    e[3] = 0.5
    d[1] |= {4: 4.5}
    return d, e


def test_a_defaultdict_takes_containers_of_numbers():
    same(assigned_lists)
    same(assigned_sets)
    same(assigned_dicts)
    for function in (assigned_lists, assigned_sets, assigned_dicts):
        assert holds_its_memory(njit(function))


def put_in(d, items):
    d["x"] = items
    items.append(5)
    d["x"].append(6)
    return d


def test_a_defaultdict_takes_lists_that_are_passed():
    arguments = [(defaultdict(list), [1]) for _ in range(2)]
    with pytest.raises(errors.TypingError):
        njit(put_in)(*arguments[0])
    arguments = [(defaultdict(list, {"y": [2]}), [1]) for _ in range(2)]
    assert repr(njit(put_in)(*arguments[0])) == repr(put_in(*arguments[1]))
    assert repr(arguments[0]) == repr(arguments[1])


def test_a_defaultdict_takes_no_list_of_texts():
    def assign():
        d = defaultdict(list)
        d[0].append("a")
        d[0] = ["b"]
        return d

    with pytest.raises(errors.TypingError, match="but for those of numbers: put an empty one in"):
        njit(assign)()


def deques_of_keys(words):
    d = defaultdict(deque)
    for word in words:
        d[len(word)].append(word)
    d[1].appendleft("€")
    d[5]
    out = []
    while d[2]:
        out.append(d[2].popleft())
    d[3] = deque(["q"])
    return d, out, [len(one) for one in d.values()], "a" in d[1]


def test_a_defaultdict_of_deques():
    arguments = ["a", "bb", "b", "cc"]
    assert repr(njit(deques_of_keys)(arguments)) == repr(deques_of_keys(arguments))
    assert holds_its_memory(njit(deques_of_keys), arguments)

    def bounded():
        d = defaultdict(lambda: deque(maxlen=2))
        d[0].append(1)
        return d[0]

    with pytest.raises(errors.TypingError, match="the values of a defaultdict are"):
        njit(bounded)()


def test_a_defaultdict_that_begins_with_something_else():
    def assign():
        d = defaultdict(int)
        d[0] = [1]
        return d[1]

    with pytest.raises(errors.TypingError):
        njit(assign)()


def test_memory_is_given_back():
    numbers, items, table = typed.Set([1, 2]), typed.List(["a"]), typed.Dict({"b": 1})

    def combine(numbers, items, table):
        return numbers | {3}, {4} - numbers, items + ["x"], items * 3, table | {"y": 2}, {**table}

    assert holds_its_memory(njit(combine), numbers, items, table)


def test_deques_are_extended_in_place():
    def f(items):
        queue = deque([1, 2])
        other = queue
        other += items
        return list(queue)

    assert njit(f)([3, 4]) == f([3, 4]) == [1, 2, 3, 4]
