"""``map``, ``filter``, ``iter``, ``next``, generator expressions, ``yield from``, ``key`` and ``default``."""

import re
from types import FunctionType

import numpy as np
import pytest
from memory import growth

from pyopt import errors, njit


@njit
def double(x):
    return x * 2


@njit
def is_large(x):
    return x > 1


@njit
def count_to(n):
    for i in range(n):  # noqa: UP028
        yield i


@njit
def total(items):
    result = 0
    for item in items:
        result += item
    return result


@njit
def make(n):
    return count_to(n)


def mapped(a):
    result = []
    for x in map(double, a):
        result.append(x)
    for x in map(lambda x, y: x * y, a, a[1:]):
        result.append(x)
    for x in map(lambda x, y, z: x + y * z, a, range(9), count_to(3)):
        result.append(x)
    return result, sum(map(double, a)), list(map(abs, a))


def filtered(a):
    return list(filter(is_large, a)), list(filter(None, a)), sum(filter(lambda x: x < 3, map(double, a)))


def stepped(a):
    one = iter(a)
    first = next(one)
    rest = 0
    for x in one:
        rest = rest * 3 + x
    other = iter(range(len(a)))
    return first, rest, next(one, -1), next(other) + next(other)


def broken_off(a):
    items = iter(a)
    before = 0
    for x in items:
        before += x
        if x > 0:
            break
    after = 0
    for x in items:
        after += x
    return before, after


def expressions(a):
    k = len(a)
    return (
        sum(x * k for x in a if x > 0),
        any(x > 2 for x in a),
        all(x > -5 for x in a),
        min(x * x for x in a),
        max(x + k for x in a),
        sorted(-x for x in a),
        list(x * y for x in a for y in a if x < y),
        sum(sum(x * y for y in a) for x in a),
    )


def expression_in_loop(a):
    result = 0
    for x in (y * 2 for y in a):
        for z in (x + y for y in a):
            result = result * 3 % 1001 + z
    return result


def delegating(a):
    def inner(n):
        yield from range(n)
        yield from a

    result = []
    for x in inner(3):
        result.append(x)
    return result


@njit
def delegates(a):
    yield from a
    yield 100
    yield from count_to(2)
    yield from (x + 1 for x in a)
    yield from (7, 8)


def zipped(a):
    result = []
    for x, y in zip(a, count_to(4)):
        result.append((x, y))
    for x, y in zip(count_to(2), a):
        result.append((y, x))
    for i, x in enumerate(count_to(3), 5):
        result.append((x, i))
    for x, y, z in zip(count_to(5), a, map(double, a)):
        result.append((y + z, x))
    return result


def zip_takes(a):
    """The first iterable is asked first: its item is lost where the second one has none."""
    first, second = count_to(5), count_to(2)
    pairs = 0
    for x, y in zip(first, second):
        pairs += x * y + 1
    return pairs, next(first)


def arguments(a):
    return total(count_to(4)) + total(map(double, a)) + total(make(3)) + total(iter(a))


def by_key(a):
    items = list(a)
    items.sort(key=lambda x: (x - 1) * (x - 1))
    other = list(a)
    other.sort(key=abs, reverse=True)
    return (
        items,
        other,
        sorted(a, key=lambda x: -x),
        sorted(a, key=abs),
        sorted(a, key=abs, reverse=True),
        min(a, key=lambda x: -x),
        max(a, key=abs),
        min(a, key=abs, default=77),
        max(3, 1, -5, key=abs),
    )


PROGRAMS = [
    mapped,
    filtered,
    stepped,
    broken_off,
    expressions,
    expression_in_loop,
    delegating,
    zipped,
    zip_takes,
    arguments,
    by_key,
]

VALUES = [[1, 2, 3], [3, -1, 2, -3, 1, 2, 0], [5, 5], list(range(-20, 40, 3))]


def interpreted(program):
    """Rebuild a program whose compiled callees are Python functions."""
    names = dict(globals())
    for name in ("double", "is_large", "count_to", "total", "make"):
        function = names[name].py_func
        names[name] = FunctionType(function.__code__, names, name)
    return FunctionType(program.__code__, names, program.__name__)


def plain(value):
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    return value.item() if isinstance(value, np.generic) else value


@pytest.mark.parametrize("kind", ["array", "list", "float array"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs(program, kind):
    compiled = njit(program)
    for values in VALUES:
        made = list(values) if kind == "list" else np.array(values, float if kind == "float array" else int)
        assert plain(compiled(made)) == plain(interpreted(program)(made))


def test_delegation_from_python():
    for values in VALUES:
        a = np.array(values)
        assert plain(list(delegates(a))) == plain(list(interpreted(delegates.py_func)(a)))


def test_tuples_and_ranges():
    def program(n):
        t = (n, n + 1, -n)
        return (
            sum(map(double, t)),
            list(filter(is_large, range(n))),
            next(iter(t)),
            sum(x for x in t),
            max(t, key=abs),
            [x for x in map(lambda x, y: x - y, t, range(10))],
        )

    for n in (-3, 0, 4):
        assert njit(program)(n) == interpreted(program)(n)


def test_stop():
    @njit
    def first(a):
        return next(iter(a))

    assert first(np.array([4])) == 4
    with pytest.raises(StopIteration):
        first(np.empty(0, int))


def test_empty():
    @njit
    def least(a):
        return min(x for x in a)

    @njit
    def greatest(a):
        return max(a, default=-1), min(a, key=abs, default=-2)

    assert least(np.array([3, 2])) == 2
    with pytest.raises(ValueError) as said:
        least.py_func(np.empty(0, int))
    with pytest.raises(ValueError, match=re.escape(str(said.value))):
        least(np.empty(0, int))
    assert greatest(np.empty(0, int)) == (-1, -2)
    assert greatest(np.array([3, 2])) == (3, 2)


def test_exceptions():
    @njit
    def program(a, n):
        return sum(n // x for x in a)

    a = np.array([1, 2, 0])
    with pytest.raises(ZeroDivisionError):
        program(a, 5)
    assert program(a[:2], 5) == 7


def test_nothing_leaks():
    @njit
    def program(a, n):
        total = 0.0
        for row in map(lambda x: np.full(3, x), a):
            total += row.sum()
        items = sorted((x * 2 for x in a), key=lambda x: -x)
        for x, y in zip(iter(a), (np.ones(2) * z for z in a)):
            total += y[0] // n
            if x > 1:
                break
        return total + items[0] + max(a, key=lambda x: np.full(2, x).sum())

    def run():
        a = np.array([0.5, 1.5, 2.5])
        program(a, 1)
        with pytest.raises(ZeroDivisionError):
            program(a, 0)

    assert growth(run) == 0


def test_refused():
    def raw(a):
        pairs = zip(a, a)
        return next(pairs), next(pairs)

    def used(a):
        x = yield from a
        yield x

    def arity(a):
        return list(map(lambda x: x, a, a))

    for program, message in [
        (raw, "no implementation of next for"),
        (used, "'yield from' with a value is not supported"),
        (arity, "takes 1 positional argument but 2 were given"),
    ]:
        with pytest.raises(errors.PyoptError, match=message):
            njit(program)(np.arange(3))
