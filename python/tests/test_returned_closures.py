"""Functions that compiled functions return, and variables and containers that they change, as in CPython."""

import pytest
from differential.memory import growth

from pyopt import njit


def counter(start):
    n = start

    def count(by=1):
        nonlocal n
        n += by
        return n

    return count


def average():
    total = 0.0
    n = 0

    def push(x):
        nonlocal total, n
        total += x
        n += 1
        return total / n

    return push


def collector():
    items = []

    def add(x):
        items.append(x)
        return ",".join(items)

    return add


def memo():
    seen = {}

    def square(x):
        if x not in seen:
            seen[x] = x * x
        return seen[x] + len(seen)

    return square


def cell(value):
    def get():
        return value

    def put(x):
        nonlocal value
        value = x

    return get, put


def use_counter(make):
    one, other = make[0](5), make[0](50)
    one()
    other(2)
    return one(3), other(), [one(i) for i in range(3)]


def use_average(make):
    one, other = make[1](), make[1]()
    one(1.0)
    other(10.0)
    return one(2.0), other(30.0)


def use_collector(make):
    one, other = make[2](), make[2]()
    one("a")
    other("z")
    return one("€"), other("y")


def use_memo(make):
    square = make[3]()
    return square(3), square(3), square(4)


def use_cell(make):
    get, put = make[4](1)
    before = get()
    put(4)
    return before, get()


MAKERS = (counter, average, collector, memo, cell)
COMPILED = tuple(njit(maker) for maker in MAKERS)


def of(program, makers):
    """Give a program that calls these makers, which it knows as a global tuple."""

    def called():
        return program(makers)

    return called


@pytest.mark.parametrize(
    "program",
    [use_counter, use_average, use_collector, use_memo, use_cell],
    ids=lambda program: program.__name__,
)
def test_programs(program):
    compiled = njit(of(njit(program), COMPILED))
    assert repr(compiled()) == repr(of(program, MAKERS)())
    assert growth(compiled) == 0


def test_a_closure_goes_through_functions():
    make = njit(counter)

    @njit
    def passed(count, times):
        for _ in range(times):
            count()
        return count

    @njit
    def use():
        count = passed(make(1), 3)
        again = passed(count, 2)
        return count(), again()

    assert use() == (7, 8)
