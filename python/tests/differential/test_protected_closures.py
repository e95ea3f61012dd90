"""Comprehensions and functions defined in functions, called in a ``try``: inlined as elsewhere."""

import numpy as np
import pytest
from compare import check
from memory import growth

from pyopt import njit


class TwelveError(Exception):
    """Raised by the test's own closure."""


@njit(inline="always")
def inverse(x, by=3):
    """Divide, or raise."""
    return 12 // (x - by)


def what_was_assigned(n, k):
    out = [k]
    try:
        quotients = [i // k for i in range(n) if i != 3]
        out = [i + 1 for i in quotients]
        out = [10 // (i - 4) for i in range(n)]
    except ZeroDivisionError:
        return out
    return out + [-1]


def in_every_part(n):
    total = 0.0
    for j in range(n):
        try:
            ratios = [m / (j - 2) for m in range(n)]
            total += sum([int(ratio) for ratio in ratios])
        except ZeroDivisionError:
            total += 1000
            total += len([i * i for i in range(j)])
        else:
            total += sum([i for i in range(j)])
        finally:
            total += sum([i * total for i in range(3)])
    return total


def with_a_try_of_its_own(n):
    def divided(x, by=2):
        if x == 7:
            raise TwelveError("seven")
        try:
            return 100 // (x - by)
        except ZeroDivisionError:
            if n == 2:
                raise ValueError("two", x) from None
            return 5

    try:
        found = divided(n)
    except ValueError:
        return -1
    except TwelveError:
        return -2
    return found + divided(9, 1) + divided(2)


def of_comprehensions(n):
    k = 3
    try:
        k = 4
        rows = [[i * j + k for j in range(i)] for i in range(n)]
        if n == 5:
            raise ValueError
        k = 5
        rows = rows + [[k // (n - 6)]]
    except ValueError:
        rows = [[k]]
    except ZeroDivisionError:
        rows = [[k, k]]
    return rows


def in_nested_ranges(n):
    try:
        try:
            divide = lambda x: [x // i for i in range(n, -1, -1)]  # noqa: E731
            return sum(divide(12))
        except ValueError:
            return 1
        finally:
            n += 1
    except ZeroDivisionError:
        return n


def written_between(a, b, c):
    """The handler sees what the closure's variable was when the exception came."""
    state = 0

    def over(x):
        return state + 10 // x

    try:
        state = over(a)
        state = over(b)
        state = over(c)
    except ZeroDivisionError:
        return -state
    return state


def written_by_the_closure(n):
    count = 0

    def step(x):
        nonlocal count
        count += 1
        if x == 3:
            raise ValueError(count)
        count += 10

    try:
        for i in range(n):
            step(i)
    except ValueError:
        return -count
    return count


def always_inlined(a, b):
    total = 0
    for i in range(a):
        try:
            total += inverse(i) + inverse(i, by=b)
        except ZeroDivisionError:
            total += 1000
    return total


def raised_through(n):
    try:
        return [12 // (i - 3) for i in range(n)]
    finally:
        n += 1


def checked(a, n):
    try:
        return sum([a[i] for i in range(n)])
    except IndexError:
        return -1.0


@pytest.mark.parametrize("n", range(7))
def test_comprehensions(n):
    check(in_every_part, n)
    check(of_comprehensions, n)
    check(in_nested_ranges, n)
    check(raised_through, n)
    for k in range(3):
        check(what_was_assigned, n, k)


@pytest.mark.parametrize("n", range(12))
def test_functions(n):
    check(with_a_try_of_its_own, n)
    check(written_by_the_closure, n)
    for k in range(4):
        check(always_inlined, n, k)


@pytest.mark.parametrize("a", range(3))
@pytest.mark.parametrize("b", range(3))
@pytest.mark.parametrize("c", range(3))
def test_handlers_see_the_last_write(a, b, c):
    check(written_between, a, b, c)


@pytest.mark.parametrize("n", range(1, 5))
def test_index_errors_are_caught(n):
    check(checked, np.arange(3.0), n, boundscheck=True)


def test_what_a_comprehension_made_is_released_when_it_raises():
    def caught(n):
        try:
            return len([np.ones(1000) / (1 // (i - 50)) for i in range(n)])
        except ZeroDivisionError:
            return -1

    compiled = njit(caught)
    assert compiled(60) == -1 == caught(60)
    assert growth(lambda: compiled(60)) == 0
