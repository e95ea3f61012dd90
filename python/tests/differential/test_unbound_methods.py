"""Methods of containers that are called by their class, and of so many sets as there are at run time."""

import pytest

from pyopt import errors, njit


def of_sets(a, b):
    return set.union(a, b), set.intersection(a, b), set.copy(a), set.issubset(a, b), set.difference(a, b)


def of_others(items, entries):
    other = list.copy(items)
    list.append(other, 5)
    list.sort(other)
    return (
        other,
        list.count(items, 1),
        dict.get(entries, 1),
        dict.get(entries, 9, 7),
        list(dict.keys(entries)),
    )


def test_methods_by_their_class():
    assert njit(of_sets)({1, 2}, {2, 3}) == of_sets({1, 2}, {2, 3})
    assert njit(of_others)([3, 1], {1: 2}) == of_others([3, 1], {1: 2})
    assert njit(lambda rows: list(map(list.copy, rows)))([[1], [2, 3]]) == [[1], [2, 3]]
    assert njit(lambda rows: list(map(tuple, rows)))([[1], [2, 3]]) == [(1,), (2, 3)]


def of_many_sets(sets):
    found = {9}
    found.update(*sets)
    return (
        set.union(*sets),
        set.intersection(*sets),
        {1, 2, 9}.difference(*sets),
        set().union(*sets),
        found,
        sets[0].intersection(*sets[1:]),
        len(sets[0]),
    )


@pytest.mark.parametrize("sets", [[{1, 2}, {2, 3}], [{1}], [{1, 2, 3}, {1, 2}, {2, 5}]])
def test_so_many_sets(sets):
    assert njit(of_many_sets)(sets) == of_many_sets(sets)


def test_no_sets():
    def program(sets):
        return set.union(*sets[:0])

    with pytest.raises(TypeError, match=r"unbound method set.union\(\) needs an argument"):
        njit(program)([{1}])


def test_what_is_refused():
    with pytest.raises(
        errors.TypingError, match="descriptor 'union' for 'set' objects doesn't apply to a 'list"
    ):
        njit(lambda a: set.union(a))([1])
    with pytest.raises(errors.TypingError, match=r"unbound method set.copy\(\) needs an argument"):
        njit(lambda: set.copy())()


def test_the_base_by_its_name():
    assert njit(lambda text: int(text, base=2))("101") == 5
    assert njit(lambda text, base: int(text, base=base))("ff", 16) == 255
    with pytest.raises(ValueError, match="invalid literal"):
        njit(lambda text: int(text, base=2))("12")
