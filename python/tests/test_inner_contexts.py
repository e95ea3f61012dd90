"""Inner functions that are context managers, with variables of the function around them, against CPython."""

import contextlib
from contextlib import contextmanager

import pytest
from differential.memory import growth

from pyopt import njit
from pyopt.errors import TypingError


def parameters(n):
    out = []

    @contextmanager
    def entered(x, y=5, *, z=1):
        out.append(x + y + z)
        try:
            yield x + 1
        except ValueError:
            out.append(-1)
        finally:
            out.append(-x)

    with entered(3) as y:
        out.append(y)
    with entered(4, z=8) as y:
        if n > 2:
            raise ValueError("caught")
        out.append(100)
    with entered(5, 6) as a, entered(y=7, x=n) as b:
        out.append(a * b)
    return out


def assigned_variables(n):
    total = 0

    @contextlib.contextmanager
    def added(k):
        nonlocal total
        total += k
        yield
        total -= 1

    for i in range(n):
        with added(i):
            if i == 3:
                continue
            if i == 6:
                break
            total *= 2
    return total


def nested(n):
    depth = 0
    log = []

    @contextmanager
    def tag(name):
        nonlocal depth
        log.append("  " * depth + name)
        depth += 1
        try:
            yield name + "!"
        finally:
            depth -= 1
            log.append("  " * depth + "/" + name)

    other = tag
    with tag("a") as a:
        with other(f"b{n}") as b:
            log.append(a + b)
            if n == 3:
                raise KeyError(n)
    return log


def unused(n):
    @contextmanager
    def entered():
        yield n

    return n


@pytest.mark.parametrize(
    "program", [parameters, assigned_variables, nested, unused], ids=lambda program: program.__name__
)
@pytest.mark.parametrize("n", [0, 2, 3, 9])
def test_programs(program, n):
    def outcome(function):
        try:
            return repr(function(n))
        except KeyError as error:
            return repr(error)

    compiled = njit(program)
    assert outcome(compiled) == outcome(program)
    assert growth(lambda: outcome(compiled)) == 0


def refused(program, *args):
    with pytest.raises(TypingError) as raised:
        njit(program)(*args)
    return str(raised.value)


def test_refusals():
    def elsewhere():
        @contextmanager
        def entered():
            yield 1

        def use():
            with entered() as x:
                return x

        return use()

    assert "is entered by 'with' alone, in the function that makes it" in refused(elsewhere)

    def chosen(flag):
        @contextmanager
        def one():
            yield 1

        @contextmanager
        def other():
            yield 2

        with (one if flag else other)() as x:
            return x

    assert "is entered by 'with' alone, in the function that makes it" in refused(chosen, True)

    def several():
        @contextmanager
        def entered():
            yield 1
            yield 2

        with entered() as x:
            return x

    assert "a context manager in compiled code has one 'yield'" in refused(several)
