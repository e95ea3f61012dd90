"""Lists as arguments: their items are copied, and what compiled code changes is seen by the caller."""

import copy

import numpy as np
import pytest
from compare import compile_once
from memory import growth

from pyopt import njit


def same_effect(function, *args):
    """Compare results, and what has become of the arguments."""
    given, compiled_with = copy.deepcopy(args), copy.deepcopy(args)
    expected = function(*given)
    assert compile_once(function)(*compiled_with) == expected
    assert compiled_with == given


def appended(items, item):
    items.append(item)
    items[0] = item
    return len(items)


def rearranged(items):
    items.reverse()
    del items[0]
    items.extend(items)
    items.sort()


def read(items):
    last = items[0]
    for item in items:
        last = item
    return last, len(items)


def nested(rows):
    rows[0].append(rows[1][0])
    rows.append([7])
    rows[1].clear()


def in_tuple(pair):
    pair[0].append(pair[1])


LISTS = ([1, 2, 3], [2.5, -1.0], [True, False], [1j, 2j + 1], [np.int8(3), np.int8(4)], [2**63, 2**63 + 5])


@pytest.mark.parametrize("items", LISTS, ids=str)
def test_numbers(items):
    same_effect(read, items)
    same_effect(appended, items, items[1])


def test_order_and_length():
    for items in ([3], [2, 1], [5, 1, 4, 2], [0.5, -1.5, 3.0]):
        same_effect(rearranged, items)


def test_texts_and_tuples():
    same_effect(appended, ["a", "ßx"], "c")
    same_effect(appended, [(1, 2.5), (3, 0.5)], (7, 1.5))
    same_effect(rearranged, [(3, 2.5), (3, 0.5), (1, 1.0)])


def test_lists_in_lists_and_tuples():
    same_effect(nested, [[1, 2], [3]])
    same_effect(in_tuple, ([1, 2], 3))


def test_a_list_that_is_not_changed_keeps_its_items():
    items = [1000.5, 2000.5]
    before = [id(item) for item in items]
    compile_once(read)(items)
    assert [id(item) for item in items] == before


def returned(items):
    items.append(4)
    return items


def returned_in_tuple(items):
    return items, items[1:]


def test_a_list_that_is_returned_is_the_same():
    items = [1, 2]
    assert compile_once(returned)(items) is items
    assert items == [1, 2, 4]
    same, part = compile_once(returned_in_tuple)(items)
    assert same is items
    assert part == [2, 4]


def raises_late(items):
    items.append(5)
    return items[100]


def test_changes_before_an_exception_are_seen():
    items = [1, 2]
    with pytest.raises(IndexError):
        compile_once(raises_late)(items)
    assert items == [1, 2, 5]


def swapped(arrays):
    arrays[0], arrays[1] = arrays[1], arrays[0]
    arrays[0][0] = 50
    arrays.append(arrays[0] * 2)
    return arrays[1]


def test_arrays_in_lists_are_those_of_the_caller():
    first, second = np.arange(3.0), np.ones(3)
    arrays = [first, second]
    assert compile_once(swapped)(arrays) is first
    assert arrays[0] is second
    assert arrays[1] is first
    np.testing.assert_array_equal(second, [50, 1, 1])
    np.testing.assert_array_equal(arrays[2], [100, 2, 2])
    del arrays[2:]
    assert growth(lambda: compile_once(swapped)([first, second])) == 0


def test_one_specialisation_for_all_lengths():
    compiled = njit(read)
    for items in ([1], [1, 2], [1, 2, 3]):
        compiled(items)
    assert len(compiled.signatures) == 1


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([1, "a"], "cannot pass a list of items of several types"),
        ([1, True], "cannot pass a list of items of several types"),
        ([[1], ["a"]], "cannot pass a list of items of several types"),
        ([0.5, 2**53 + 1], "cannot pass ints among floats of which no float equals one"),
        ([object()], "cannot pass an object of type 'object'"),
    ],
)
def test_what_is_refused(items, message):
    with pytest.raises(TypeError, match=f"argument 'items': {message}"):
        compile_once(read)(items)


def test_ints_among_floats():
    """They are floats in compiled code, and in what it changes."""

    @njit
    def doubled(items):
        total = sum(items)
        items.append(total)
        return total

    for items in ([1, 2.5], [2.5, 1, -3], [np.float64(0.5), 4]):
        expected = [*map(float, items), float(sum(items))]
        assert doubled(items) == expected[-1]
        assert items == expected
    assert compile_once(lambda table: sum(table.values()))({"a": 1, "b": 0.25}) == 1.25
    assert compile_once(lambda items: len(items))({1, 2.5}) == 2


def test_lists_without_items():
    def lengths(lists):
        return [len(one) for one in lists]

    def filled(lists):
        for one in lists:
            one.append(7)
        return lists

    for lists in ([[1], []], [[], [1, 2]], [[], [], [3]]):
        assert njit(lengths)(lists) == lengths(lists)
        given = [one[:] for one in lists]
        assert njit(filled)(given) == filled(lists) == given
    table = {"a": [], "b": [1.5], "c": []}
    assert njit(lambda table: [len(one) for one in table.values()])(table) == [0, 1, 0]
    assert njit(lambda items: (len(items), [x for x in items]))([]) == (0, [])
    items = []
    njit(lambda items: items.append(1))(items)
    assert items == [1]
    assert growth(lambda: compile_once(filled)([[], [1]])) == 0


def test_nothing_leaks():
    for function, make in (
        (nested, lambda: [[1, 2], [3]]),
        (returned, lambda: [1, 2]),
        (returned_in_tuple, lambda: [1, 2]),
        (rearranged, lambda: [3, 1, 2]),
    ):
        compiled = compile_once(function)
        assert growth(lambda compiled=compiled, make=make: compiled(make())) == 0


def test_lists_in_exceptions():
    """A list of the caller's stays that one; others are made; nothing is left of those that are caught."""

    @njit
    def of_caller(a):
        raise ValueError(a, 3)

    @njit
    def of_own(n):
        xs = [0.5]
        for k in range(n):
            xs.append(k * 2.5)
        try:
            raise KeyError(xs, n)
        except ValueError:
            return 1

    @njit
    def caught(n):
        xs = [(n, 1.0)]
        xs.append((1, 2.0))
        try:
            raise KeyError(xs)
        except KeyError:
            return n

    def run():
        given = [1, 2]
        with pytest.raises(ValueError, match="3") as raised:
            of_caller(given)
        assert raised.value.args == ([1, 2], 3)
        assert raised.value.args[0] is given
        with pytest.raises(KeyError) as raised:
            of_own(2)
        assert raised.value.args == ([0.5, 0.0, 2.5], 2)
        assert caught(4) == 4

    assert growth(run) == 0
