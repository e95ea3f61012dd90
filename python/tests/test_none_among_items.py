"""None among the items of lists and the values of dicts that are passed: these are optionals."""

import numpy as np
import pytest

from pyopt import njit
from pyopt.errors import TypingError


def compare(function, make):
    """Call a function in CPython and compiled, twice: results and arguments are the same."""
    compiled = njit(function)
    for _ in range(2):
        expected, found = make(), make()
        assert repr((compiled(found), found)) == repr((function(expected), expected))
    return compiled


def total(items):
    result = 0
    for item in items:
        if item is None:
            result += 100
        else:
            result += item
    return result


@pytest.mark.parametrize(
    "items", [[1, None, 2], [None, 1], [1, None], [None, None, 2.5], [None, 1, 2.5], [True, None]]
)
def test_items_are_told_from_none(items):
    compare(total, lambda: list(items))


def test_lists_of_ints_keep_their_code():
    compiled = njit(total)
    assert compiled([1, 2]) == 3
    assert compiled([1, None]) == 101
    assert compiled([4]) == 4
    assert len(compiled.signatures) == 2


def change(items):
    items.append(None)
    items.append(5)
    items[0] = None
    items[1] = 7
    return items


def test_changes_are_written_back():
    compare(change, lambda: [1, None, 2])

    def identity(items):
        return change(items) is items

    compare(identity, lambda: [None, 1])


def test_texts_arrays_and_tuples():
    def texts(items):
        items.append("x")
        return [item if item is not None else "none" for item in items]

    compare(texts, lambda: ["a", None])

    def arrays(items):
        found = 0.0
        for item in items:
            if item is not None:
                found += float(item.sum())
                item[0] = 9.0
        return found

    compare(arrays, lambda: [None, np.ones(3), None, np.zeros(2)])

    def pairs(items):
        found = 0
        for item in items:
            if item is not None:
                found += item[0]
        items.append((8, "z"))
        return found

    compare(pairs, lambda: [None, (1, "a"), None])


def test_values_of_dicts():
    def change_values(table):
        found = 0.0
        for key in table:
            value = table[key]
            if value is not None:
                found += value
        table["c"] = None
        table["a"] = 2.5
        return found, table.get("b"), table.get("z")

    compare(change_values, lambda: {"a": None, "b": 1.5})
    compare(change_values, lambda: {"a": 1, "d": None, "b": 1.5})


def test_lists_in_lists():
    def nested(rows):
        rows[0].append(None)
        rows[-1].append(3)
        rows.append([4])
        return rows[0][0] is None, rows[-2]

    for make in (
        lambda: [[1, None], [None, 2]],
        lambda: [[1, None], [2]],
        lambda: [[1], [2], [None, 3]],
        lambda: [[None], [2]],
        lambda: [[], [None, 2]],
    ):
        if make()[0]:
            compare(nested, make)

    def first(rows):
        rows[0].append(None)
        return rows

    compare(first, lambda: [[], [None, 2]])


def test_dicts_in_dicts():
    def change_inner(tables):
        tables[1]["a"] = 7
        tables[2]["a"] = None
        return tables[1]["a"]

    compare(change_inner, lambda: {1: {"a": None}, 2: {"a": 3}})
    compare(change_inner, lambda: {1: {"a": 4, "b": None}, 2: {"a": 3}})


def test_lists_or_none():
    def fill(rows):
        count = 0
        for row in rows:
            if row is not None:
                row.append(4)
                count += row[0]
        return count

    compare(fill, lambda: [[1], None])
    compare(fill, lambda: [None, [1], [], None])
    shared = [1]

    def same(rows):
        rows[0].append(2)
        return rows[2], rows[0] is rows[2]

    compiled = njit(same)
    assert compiled([shared, None, shared]) == ([1, 2], True)
    assert shared == [1, 2]


def test_a_list_that_is_in_itself_is_refused():
    items = [None]
    items.append(items)
    with pytest.raises((TypingError, RecursionError)):
        njit(total)(items)


def test_what_has_no_type_in_common_is_still_refused():
    with pytest.raises(TypingError, match="several types"):
        njit(total)([1, None, "a"])
    with pytest.raises(TypingError, match="several types"):
        njit(lambda items: len(items))([(1, None), (2, 3)])


def test_without_a_leak():
    import sys

    text = "abc" * 9

    def fill(items):
        items.append(None)
        items[1] = None
        return len(items)

    compiled = njit(fill)
    before = sys.getrefcount(text)
    for _ in range(50):
        compiled([None, text, text])
    assert sys.getrefcount(text) == before
