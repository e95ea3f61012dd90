"""A StopIteration that leaves a generator: a RuntimeError, as its callers would take it for the end."""

import pytest

from pyopt import njit


def raised(way):
    """End in some way."""
    yield 1
    if way == 1:
        raise StopIteration
    if way == 2:
        yield next(iter([5][:0]))
    if way == 3:
        raise StopIteration("text")
    if way == 4:
        try:
            raise StopIteration("text")
        except StopIteration:
            yield 7
    if way == 5:
        try:
            yield next(iter([5][:0]))
        except StopIteration:
            yield 8
    if way == 6:
        return
    if way == 7:
        raise ValueError("other")
    yield 2


def outcome(function, *arguments):
    """Give what a call returns, or the error."""
    try:
        return function(*arguments)
    except (RuntimeError, StopIteration, ValueError) as error:
        return type(error), str(error)


@pytest.mark.parametrize("way", range(8))
def test_generators(way):
    compiled = njit(raised)

    @njit
    def total(way):
        count = 0
        for item in compiled(way):
            count += item
        return count

    expected = outcome(lambda: list(raised(way)))
    assert outcome(lambda: list(compiled(way))) == expected
    assert outcome(total, way) == (sum(expected) if isinstance(expected, list) else expected)


def test_a_callees_is_one_for_python():
    @njit
    def first(items):
        return next(iter(items))

    @njit
    def firsts(lists):
        for one in lists:
            yield first(one)

    assert list(firsts([[1], [2, 3]])) == [1, 2]
    with pytest.raises(RuntimeError, match="generator raised StopIteration") as error:
        list(firsts([[1], [2][:0]]))
    assert isinstance(error.value.__cause__, StopIteration)


def test_other_functions_raise_it():
    with pytest.raises(StopIteration):
        njit(lambda items: next(iter(items)))([1][:0])
