"""Context managers that a function imports itself."""

import sys
import types
from contextlib import contextmanager

import pytest

from pyopt import errors, njit

HOME = types.ModuleType("home_of_managers")
sys.modules["home_of_managers"] = HOME


@contextmanager
def scaled(x):
    print("enter", x)
    try:
        yield 2 * x
    finally:
        print("exit", x)


HOME.scaled = scaled


def null(n):
    from contextlib import nullcontext

    with nullcontext(n) as x, nullcontext():
        return x + 1


def null_by_module(n):
    import contextlib

    with contextlib.nullcontext(n) as x:
        return x * 2


def under_another_name(n):
    import contextlib as c
    from contextlib import suppress as without

    with c.suppress(KeyError), without(ValueError, IndexError):
        if n > 1:
            raise ValueError("x")
        return -1
    return n


def in_a_branch(n):
    if n > 1:
        from contextlib import nullcontext

        with nullcontext(n):
            n += 1
    return n


def of_the_program(n):
    from home_of_managers import scaled

    total = 0
    for i in range(n):
        with scaled(i) as x:
            total += x
    return total


def several(n):
    from contextlib import nullcontext, suppress

    with nullcontext(n) as x:
        with suppress(ValueError):
            raise ValueError("x")
        x += 1
    return x


def unused(n):
    from enum import Enum, auto  # noqa: F401

    return n


FUNCTIONS = [unused, null, null_by_module, under_another_name, in_a_branch, of_the_program, several]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("n", [0, 1, 3])
def test_managers_that_are_imported(function, n, capfd):
    found = njit(function)(n)
    printed = capfd.readouterr().out
    assert found == function(n)
    assert printed == capfd.readouterr().out


def test_what_is_imported_and_used_or_is_not_there():
    def used(n):
        from enum import auto

        return auto, n

    def missing(n):
        from enum import nothing_of_this_name  # noqa: F401

        return n

    for function in (used, missing):
        with pytest.raises(errors.TypingError):
            njit(function)(1)
