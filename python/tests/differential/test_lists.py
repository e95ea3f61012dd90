"""Lists that change: methods, operators, slices, aliases, items that own memory, results."""

# ruff: noqa: B909 -- lists change while they are gone through

import numpy as np
import pytest
from compare import check, compile_once
from memory import growth

from pyopt import errors, njit


def grown(n):
    made = []
    for i in range(n):
        made.append(i * 2)
    return made


def grown_backwards(n):
    made = []
    for i in range(n):
        made.insert(0, i)
    return made


def from_display(n):
    made = [1, 2]
    made.append(n)
    return made, len(made)


def two_names(n):
    made = [n]
    other = made
    other.append(n + 1)
    made += [7]
    made *= 2
    return made, len(other)


def put(items, item):
    items.append(item)


def through_call(n):
    made = []
    put(made, n)
    put(made, n + 1)
    return made


def through_call_of_display(n):
    made = [0]
    put(made, n)
    return made


def same(items):
    return items


def through_result(n):
    made = [n]
    other = same(made)
    other.append(2)
    return made


def on_two_paths(n):
    if n > 2:
        made = [1.5, 2.5]
    else:
        made = []
    made.append(n * 0.5)
    return made


def of_other_lengths(n):
    if n > 2:
        made = [1, 2, 3]
    else:
        made = [4]
    return made[n % 2 - 1]


def returned_lengths(n):
    if n > 2:
        return [1, 2, 3]
    return [n]


def rebound(n):
    made = [0]
    for i in range(n):
        made = made + [i]
    return made


def joined(n):
    ints, floats = [n], [n + 0.5]
    first, second = ints + floats, floats + ints
    ints.append(3)
    floats.append(4.0)
    return ints, floats, [one * 2 for one in first], second, ints + floats


def empty_ones(n):
    made = list(range(n))
    nothing = []
    return (
        (made == [], [] != made, made < [], [] < made, made >= [], [] <= made, made == nothing, [] == []),
        ([] * n, n * nothing, made + [] * 2),
    )


def of_lists(n):
    made = []
    for i in range(n):
        row = []
        for j in range(i):
            row.append(j)
        made.append(row)
    if n > 1:
        made[0].append(99)
        made[1][0] = -1
    return made


def list_in_display(n):
    made = [[1], [2, 3]]
    first = made[0]
    first.append(n)
    for row in made:
        row.append(0)
    return made


def list_in_tuple(n):
    pair = ([n], 3)
    pair[0].append(4)
    items, more = pair
    items.append(more)
    return pair[0]


def of_tuples(n):
    made = [(0, 0.5)]
    for i in range(n):
        made.append((n - i, i * 0.5))
    made.sort()
    return made


def of_texts(n):
    made = []
    for word in ("b", "ä", "aa"):
        made.append(word)
    made.sort()
    return made, made[n % 3]


def of_bools(n):
    return [i % 3 == 0 for i in range(n)]


def of_complex(n):
    return [complex(i, n) for i in range(n)]


def comprehension(n):
    return [i * 0.5 for i in range(n) if i % 3 != 1]


def nested_comprehension(n):
    return [[i * j for j in range(i)] for i in range(n)]


def converted(n):
    made = list(range(n))
    made.extend(range(3))
    made.extend((1.5, 2.5))
    return made


def of_array(n):
    return list(np.arange(n) * 2.5)


def widened(n):
    made = [1, 2]
    made.append(n + 0.5)
    return made


def counting(n):
    made = [i % 3 for i in range(n + 3)]
    return made.count(1), made.index(2), made.index(2, 3) if n > 4 else -1, 2 in made, 7 not in made


def popping(n):
    made = list(range(n + 4))
    return made.pop(), made.pop(0), made.pop(-2), made


def deleting(n):
    made = list(range(n + 6))
    del made[0]
    del made[-1]
    del made[1:3]
    del made[::-2]
    return made


def slicing(n):
    made = list(range(n + 4))
    return made[1:3], made[::-1], made[-2:], made[n:1:-2], made[5:2]


def slice_assignment(n):
    made = list(range(n + 4))
    made[1:3] = [7, 8, 9, 10]
    made[::2] = [0] * len(made[::2])
    made[3:1] = made
    return made


def sorting(n):
    made = [(i * 7919) % 101 * 0.25 for i in range(n * 9)]
    other = made.copy()
    made.sort()
    other.sort(reverse=True)
    other.reverse()
    return made, other, sorted(made, reverse=True)


def comparing(n):
    a = list(range(n))
    b = a.copy()
    equal = a == b
    b.append(1)
    return equal, a == b, a < b, b <= a, a != b, a > [5], [0, 1] == a, bool(a)


def repeated(n):
    return [n, 1] * n, n * [0.5], [0] * 3


def summed(n):
    made = [i * 0.5 for i in range(n + 1)]
    return sum(made), sum(made, 10), min(made), max(made), any(made), all(made)


def gone_through(n):
    made = list(range(n))
    total = 0
    for i, item in enumerate(made):
        total += i * item
    for item, other in zip(made, made[1:]):
        total += item * other
    for item in reversed(made):
        total = total * 2 + item
    return total


def grows_in_loop(n):
    made = [n]
    for item in made:
        if item > 0:
            made.append(item - 1)
    return made


def shrinks_in_loop(n):
    made = list(range(n + 2))
    seen = []
    for item in made:
        seen.append(item)
        if item % 2 == 0:
            made.pop()
    return seen


def left_early(n):
    for item in [i * i for i in range(10)]:
        if item > n:
            return item
    return -1


def unpacked(n):
    made = [n]
    made.append(2)
    a, b = made
    return a - b


def cleared(n):
    made = list(range(n))
    made.clear()
    made.append(3)
    return made


FUNCTIONS = [
    grown, grown_backwards, from_display, two_names, through_call, through_call_of_display, through_result,
    on_two_paths, of_other_lengths, returned_lengths, rebound, joined, empty_ones, of_lists,
    list_in_display, list_in_tuple, of_tuples, of_texts, of_bools, of_complex, comprehension,
    nested_comprehension, of_array, counting, popping, deleting, slicing, slice_assignment,
    sorting, comparing, repeated, summed, gone_through, grows_in_loop, shrinks_in_loop, left_early,
    unpacked, cleared,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_lists_are_those_of_python(function):
    for n in (0, 1, 2, 3, 5, 12):
        check(function, n)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_lists_are_released(function):
    compiled = compile_once(function)
    assert growth(lambda: compiled(5)) == 0


@pytest.mark.parametrize("function", [converted, widened], ids=lambda function: function.__name__)
def test_items_are_of_the_type_that_holds_all(function):
    found = compile_once(function)(3)
    assert found == function(3)
    assert {type(item) for item in found} == {float}


# Arrays in lists


def of_arrays(n):
    made = [np.zeros(3)]
    for i in range(n):
        made.append(np.ones(3) * i)
    made[0][1] = 7
    made[-1] = made[0]
    made.pop(0)
    return made


def sum_of_arrays(n):
    rows = [np.arange(4.0) + i for i in range(n)]
    total = np.zeros(4)
    for row in rows:
        total += row
    return total


def array_out_of_list(n):
    rows = [np.arange(4.0) + i for i in range(n + 1)]
    return rows.pop()


def fails_with_arrays(n):
    rows = [np.arange(4.0) + i for i in range(n)]
    return rows[n]


def caught_with_arrays(n):
    rows = [np.zeros(2)]
    try:
        for i in range(n):
            rows.append(np.arange(4.0) + i)
        return rows[n + 1]
    except IndexError:
        return np.zeros(1)


@pytest.mark.parametrize("function", [of_arrays, sum_of_arrays, array_out_of_list, caught_with_arrays])
def test_arrays_are_items(function):
    compiled = compile_once(function)
    for n in (0, 1, 4):
        for expected, found in zip(np.atleast_1d(function(n)), np.atleast_1d(compiled(n)), strict=True):
            np.testing.assert_array_equal(expected, found)
    assert growth(lambda: compiled(3)) == 0


def test_arrays_in_a_list_are_released_when_an_exception_leaves():
    compiled = compile_once(fails_with_arrays)

    def call():
        with pytest.raises(IndexError, match="^list index out of range$"):
            compiled(3)

    assert growth(call) == 0


# Errors


@pytest.mark.parametrize(
    "function",
    [
        lambda items: items[5],
        lambda items: items.pop(9),
        lambda items: items.remove(77),
        lambda items: items.index(2, 2),
        lambda items: items[1:1].pop(),
        lambda items: max(items[:0]),
    ],
)
def test_errors_are_those_of_python(function):
    compiled = compile_once(function)
    for call in (function, compiled):
        with pytest.raises((IndexError, ValueError)) as raised:
            call([1, 2, 3])
        if call is function:
            expected = type(raised.value)
    assert type(raised.value) is expected


def assigned_outside(items):
    items[3] = 1


def deleted_outside(items):
    del items[-4]


def unpacked_wrongly(items):
    a, b = items
    return a + b


@pytest.mark.parametrize("function", [assigned_outside, deleted_outside, unpacked_wrongly])
def test_checks_of_positions(function):
    check(function, [1, 2, 3])


def list_and_number(n):
    return [n], n


def changes_out_of_result(n):
    items = list_and_number(n)
    items[0].append(1)
    return items[0]


@pytest.mark.parametrize(
    ("function", "args", "message"),
    [
        (changes_out_of_result, (1,), "this list can't be changed: it isn't known here where it is made"),
        (lambda items: items.append(2.5), ([1],), r"float64 can't be put into list\(int64\)"),
        (lambda items: items.append("a"), ([1],), r"unicode_type can't be put into list\(int64\)"),
        (lambda items: items.sort(key=3), ([1],), "int64 can't be called"),
        (lambda items: items["a"], ([1],), "a list can't be indexed by unicode_type"),
        (lambda items: items - items, ([1],), r"no implementation of - for \(list\(int64\), list\(int64\)\)"),
    ],
)
def test_what_is_refused(function, args, message):
    with pytest.raises(errors.TypingError, match=message):
        compile_once(function)(*args)


def reversed_while_it_changes(n, pops, appends, writes):
    """Go through a list from its end, and change it in each iteration."""
    xs = [k * 10 for k in range(n)]
    found = []
    for number, x in enumerate(reversed(xs)):
        found.append(x)
        for _ in range(pops):
            if len(xs) > 0:
                xs.pop()
        for _ in range(appends):
            xs.append(number)
        if writes and len(xs) > 1:
            xs[1] = -number
    return found


def reversed_before_it_changes(n):
    """The iterator begins where the list ended when it was made."""
    xs = [k for k in range(n)]
    backwards = reversed(xs)
    xs.append(7)
    found = [0]
    for x in backwards:
        found.append(x)
    return found


def test_a_list_that_changes_while_it_is_reversed():
    compiled = njit(reversed_while_it_changes)
    for n in range(7):
        for pops in range(3):
            for appends in range(3):
                for writes in (False, True):
                    arguments = n, pops, appends, writes
                    assert compiled(*arguments) == reversed_while_it_changes(*arguments), arguments
        assert njit(reversed_before_it_changes)(n) == reversed_before_it_changes(n)


def reversed_words(words):
    # What is sorted has no type yet when it is reversed first.
    found = sorted({word[:1] for word in words})
    found.reverse()
    return found, sorted({1: 2}), sorted({(1, 2)})


def test_a_wish_that_is_older_than_the_items():
    words = ["b", "ac", "cd", "a"]
    assert njit(reversed_words)(words) == reversed_words(words)
