"""Calls with so many arguments as there are at run time: `f(*items)` of a list."""

import itertools
import math

import pytest

from pyopt import errors, njit


def chained(rows):
    return list(itertools.chain(*rows)), sum(itertools.chain(*rows))


def multiplied(rows):
    return list(itertools.product(*rows)), list(itertools.product(*rows, repeat=2))


def divided(numbers):
    return math.gcd(*numbers), math.lcm(*numbers)


@pytest.mark.parametrize(
    ("program", "args"),
    [
        (chained, ([[1], [2, 3], []],)),
        (chained, ([(1, 2), (3, 4)],)),
        (multiplied, ([[1, 2], [3], [4, 5]],)),
        (multiplied, ([[1, 2], [3]][:1],)),
        (multiplied, ([[1.5], [2.5, 3.5]],)),
        (divided, ([12, 18, 27],)),
        (divided, ([7],)),
        (divided, ([0, -4],)),
    ],
)
def test_functions_of_any_number(program, args):
    assert njit(program)(*args) == program(*args)


def no_rows(rows):
    rows.clear()
    return list(itertools.product(*rows)), list(itertools.chain(*rows)), math.gcd(*[len(one) for one in rows])


def test_no_arguments():
    assert njit(no_rows)([[1]]) == no_rows([[1]])


def printed(items):
    print(*items)
    print(*items, sep=", ", end=".\n")
    print(*[x * 2 for x in items], sep="")
    print(*items[:1])
    print(*items[:0])


@pytest.mark.parametrize("items", [[3, 1, 2], ["a", "bc"], [1.5], [(1, "x"), (2, "y")]])
def test_print(items, capfd):
    njit(printed)(items)
    found = capfd.readouterr().out
    printed(items)
    assert found == capfd.readouterr().out


@njit
def takes_two(a, b):
    return a + b


def test_what_is_refused():
    with pytest.raises(
        errors.TypingError, match=r"the arguments behind '\*' must be a tuple, not list\(int64\)"
    ):
        njit(lambda items: divmod(*items))([1, 2])
    assert njit(lambda items: takes_two(*items))([1, 2]) == 3
