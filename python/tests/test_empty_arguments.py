"""Lists, dicts and sets that are passed without items: what a function puts in says what they hold."""

import numpy as np
import pytest

from pyopt import njit
from pyopt.errors import TypingError


def test_what_is_put_in_is_written_back():
    @njit
    def fill(numbers, counts, seen, text):
        for word in text.split():
            numbers.append(len(word))
            counts[word] = counts.get(word, 0) + 1
            seen.add((word[0], len(word)))
        return len(seen)

    for _ in range(2):
        numbers, counts, seen = [], {}, set()
        assert fill(numbers, counts, seen, "the cat the") == 2
        assert (numbers, counts, seen) == ([3, 3, 3], {"the": 2, "cat": 1}, {("t", 3), ("c", 3)})
    assert fill(numbers, {}, seen, "a") == 3
    assert numbers == [3, 3, 3, 1]


def test_one_that_is_empty_shares_the_code_of_one_that_is_not():
    @njit
    def push(items):
        items.append(1.5)

    filled, empty = [0.5], []
    push(filled)
    push(empty)
    push(empty)
    assert empty == [1.5, 1.5]
    assert len(push.signatures) == 1


def test_types_are_joined_over_all_that_is_put_in():
    @njit
    def push(items, several):
        items.append(1)
        if several:
            items.append(2.5)
        return items[0]

    items = []
    assert push(items, True) == 1.0
    assert items == [1.0, 2.5]


def test_methods_and_operators_say_it():
    @njit
    def change(items, table, things):
        items.extend([1, 2])
        items.insert(0, 7)
        items += [8]
        items.sort()
        table.update({"a": 1})
        table |= {"b": 2}
        things.update([1, 2])
        things ^= {1, 5}

    items, table, things = [], {}, set()
    change(items, table, things)
    assert (items, table, things) == ([1, 2, 7, 8], {"a": 1, "b": 2}, {2, 5})


@njit
def put(items, item):
    items.append(item)


def test_callees_say_it():
    import heapq

    @njit
    def outer(items, heap):
        put(items, "a")
        heapq.heappush(heap, 3)
        heapq.heappush(heap, 1)
        return heap[0]

    items, heap = [], []
    assert outer(items, heap) == 1
    assert (items, heap) == (["a"], [1, 3])


@pytest.mark.parametrize(
    ("argument", "after"),
    [
        ([[], []], [[1.5], []]),
        ([[], [0.5]], [[1.5], [0.5]]),
        ([[0.5], []], [[0.5, 1.5], []]),
    ],
)
def test_empty_ones_in_lists(argument, after):
    @njit
    def change(lists):
        lists[0].append(1.5)

    change(argument)
    assert argument == after


def test_empty_ones_in_dicts_and_tuples():
    @njit
    def change(groups, pair, nested):
        groups["a"].append(1)
        groups.setdefault("b", []).append(2)
        pair[0].append("x")
        nested[1]["k"] = {2.5}

    groups, pair, nested = {"a": []}, ([], 1), {1: {}}
    change(groups, pair, nested)
    assert (groups, pair, nested) == ({"a": [1], "b": [2]}, (["x"], 1), {1: {"k": {2.5}}})


def test_empty_dicts_and_sets_beside_others():
    @njit
    def change(tables, sets):
        tables[2]["z"] = {2.5: 1}
        tables[1]["a"][7.0] = 3
        for key in sets:
            sets[key].add(key)

    tables, sets = {1: {"a": {1.5: 2}}, 2: {}}, {1: {2}, 3: set()}
    change(tables, sets)
    assert tables == {1: {"a": {1.5: 2, 7.0: 3}}, 2: {"z": {2.5: 1}}}
    assert sets == {1: {1, 2}, 3: {3}}


def test_arrays_and_containers_are_put_in():
    @njit
    def change(arrays, rows, array):
        arrays.append(array)
        arrays[0][0] = 9
        rows.append([1])
        rows.append([])
        rows[1].append(2)

    arrays, rows, array = [], [], np.zeros(2)
    change(arrays, rows, array)
    assert np.shares_memory(arrays[0], array)
    assert array[0] == 9
    assert rows == [[1], [2]]


def test_changes_before_an_exception_are_seen():
    @njit
    def fails(items):
        items.append(1)
        raise ValueError("late")

    items = []
    with pytest.raises(ValueError, match="late"):
        fails(items)
    assert items == [1]


def test_the_argument_itself_is_returned():
    @njit
    def same(items):
        items.append(1)
        return items

    items = []
    assert same(items) is items


def test_one_that_is_passed_twice_is_one():
    @njit
    def both(first, second):
        first.append(1)
        second.append(2)
        return len(first)

    @njit
    def differently(first, second):
        first.append(1)
        second.append(2.5)

    @njit
    def once(first, second):
        first.append(1)
        return len(second)

    items = []
    assert both(items, items) == 2
    assert items == [1, 2]
    for function in (differently, once):
        with pytest.raises(TypingError, match="passed twice"):
            function(*[[]] * 2)
    assert once([], []) == 0


def test_what_stays_empty_is_asked():
    @njit
    def ask(items, table, things):
        return list(items), sorted(table), len(things), 1 in things, items == []

    assert ask([], {}, set()) == ([], [], 0, False, True)


def test_generators_put_in():
    @njit
    def numbers(items):
        for i in range(3):
            items.append(i)
            yield len(items)

    assert list(numbers([])) == [1, 2, 3]


def test_items_of_what_stays_empty_are_not_there():
    @njit
    def first(items):
        if len(items) == 0:
            return -1.0
        return items[0]

    @njit
    def last(items):
        return items[-1]

    @njit
    def made(items):
        return items[::-1], items * 2, items + items, items.copy(), sorted(items), items[1:]

    assert first([]) == -1.0
    assert first([2.5]) == 2.5
    assert made([]) == ([],) * 6
    with pytest.raises(IndexError, match="list index out of range"):
        last([])


def test_what_loops_put_in():
    @njit
    def change(lists, pair, groups, named):
        for one in lists:
            one.append(1)
        for one in pair:
            one.append(2.5)
        for group in groups.values():
            group.append("a")
        for name, group in named.items():
            group.add(name)

    lists, pair, groups, named = [[], []], ([], []), {1: []}, {"k": set()}
    change(lists, pair, groups, named)
    assert (lists, pair, groups, named) == ([[1], [1]], ([2.5], [2.5]), {1: ["a"]}, {"k": {"k"}})


def test_values_of_dicts_that_are_made_in_the_function():
    def groups():
        made = {1: [], 2: []}
        for key, group in made.items():
            group.append(key * 0.5)
        for group in made.values():
            group.append(2.0)
        return made

    assert njit(groups)() == groups()
