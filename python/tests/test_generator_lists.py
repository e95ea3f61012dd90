"""Lists, dicts and sets that generators are passed and change: Python's get what is changed."""

import gc

import pytest

from pyopt import errors, njit


def grow(items):
    items.append(len(items))
    yield len(items)
    items.append(-1)
    items[0] = 100
    yield sum(items)
    items.clear()


def only_read(items):
    for item in items:  # noqa: UP028
        yield item


def nested(rows):
    rows[0].append(7)
    yield len(rows[0])
    rows.append([1])
    yield len(rows)
    rows[-1].append(2)


def count(counts, word):
    counts[word] = counts.get(word, 0) + 1
    yield counts[word]
    del counts[word]
    yield len(counts)


def add(found):
    found.add(5)
    yield len(found)
    found.discard(1)


def two(a, b):
    a.append(1)
    yield len(b)
    b.append(2)
    yield len(a)


def itself(items):
    items.append(4)
    yield items
    items.append(5)


def fails(items):
    items.append(9)
    yield 1
    items.append(10)
    raise ValueError("end")


def buffered(n):
    buffer = []
    for i in range(n):
        buffer.append(i)
        if len(buffer) == 2:
            yield buffer
            buffer.clear()
    yield buffer


def inner(n):
    row = [n]
    table = {1: row}
    yield table
    row.append(n)
    yield table
    table[2] = row
    yield table


def fresh(n):
    for i in range(n):
        yield [i, [i]]


CASES = [
    (buffered, lambda: [5]),
    (inner, lambda: [3]),
    (fresh, lambda: [3]),
    (grow, lambda: [[5, 6]]),
    (grow, lambda: [[5]]),
    (only_read, lambda: [[1.5, 2.5]]),
    (nested, lambda: [[[1], [2, 3]]]),
    (count, lambda: [{"a": 1}, "b"]),
    (count, lambda: [{"a": 1}, "a"]),
    (add, lambda: [{1, 2}]),
    (two, lambda: [[1], [2]]),
    (itself, lambda: [[1, 2]]),
    (fails, lambda: [[1]]),
]


def steps(function, arguments):
    """Give what a generator gives, and what its arguments are meanwhile."""
    found = [repr(arguments)]
    generator = function(*arguments)
    found.append(repr(arguments))
    while True:
        try:
            item = next(generator)
        except (StopIteration, ValueError) as error:
            return [*found, repr(error), repr(arguments)]
        found += [repr(item), repr(arguments)]


@pytest.mark.parametrize(("function", "make"), CASES)
def test_changes_are_written_back(function, make):
    assert steps(njit(function), make()) == steps(function, make())


def test_the_objects_are_the_same():
    rows = [[1], [2, 3]]
    first = rows[0]
    assert list(njit(nested)(rows)) == [2, 3]
    assert rows[0] is first and rows == [[1, 7], [2, 3], [1, 2]]
    items = [1, 2]
    assert next(njit(itself)(items)) is items and items == [1, 2, 4]


def test_one_list_by_two_names():
    items, expected = [0], [0]
    assert list(njit(two)(items, items)) == list(two(expected, expected))
    assert items == expected


def test_a_list_that_both_change_is_refused():
    items = [5, 6]
    generator = njit(grow)(items)
    assert next(generator) == 3
    items.append(50)
    with pytest.raises(RuntimeError, match="changed by the generator that has it and by other code"):
        next(generator)
    assert items == [5, 6, 2, 50]


def test_what_is_read_alone_may_be_changed_outside():
    items = [1, 2]
    generator = njit(only_read)(items)
    assert next(generator) == 1
    items.append(3)
    assert list(generator) == [2]


def test_generators_that_are_given_up():
    items = [1]
    generator = njit(grow)(items)
    assert next(generator) == 2
    del generator
    gc.collect()
    assert items == [1, 1]
    generator = njit(grow)(items)
    generator.close()
    assert list(generator) == [] and items == [1, 1]


def test_lists_that_generators_give_are_the_same():
    generator = njit(inner)(3)
    first = next(generator)
    row = first[1]
    assert next(generator) is first and row == [3, 3]
    assert next(generator) is first and first[1] is row and first[2] is row
    assert list(njit(buffered)(5)) == list(buffered(5))
    items = list(njit(fresh)(3))
    assert items == list(fresh(3)) and len(set(map(id, items))) == 3


def test_a_list_that_was_given_and_changed_by_both():
    generator = njit(buffered)(5)
    next(generator).append(1)
    with pytest.raises(RuntimeError, match="a list was changed by the generator that has it"):
        next(generator)


def test_send():
    generator = njit(only_read)([1, 2])
    assert generator.send(None) == 1 and next(generator) == 2
    with pytest.raises(StopIteration):
        generator.send(None)
    with pytest.raises(TypeError, match="can't be sent a value: what 'yield' gives there is None"):
        njit(only_read)([1]).send(3)


def test_what_generators_have_not_in_compiled_code():
    for use in (
        lambda items: only_read(items).close(),
        lambda items: only_read(items).send(None),
        lambda items: only_read(items).throw(ValueError),
    ):
        with pytest.raises(errors.TypingError, match="of a generator: compiled code goes on"):
            njit(use)([1])
