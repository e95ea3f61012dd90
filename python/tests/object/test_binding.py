"""Calls of compiled functions by the interpreter: every way to give arguments, right and wrong."""

import gc
import random
import sys
import types

import pytest

from pyopt import jit

PARAMETERS = [
    "",
    "a",
    "a, b",
    "a, b, c",
    "a, b, c, d",
    "a, b, c, d, e",
    "a, b, c, d, e, f",
    "a, /, b",
    "a, b=10",
    "a=10, b=20, c=30",
    "a, *, b",
    "a, *, b=20",
    "a, *rest",
    "a, **others",
    "*rest, **others",
]


def function(parameters):
    """A function that returns its locals' values, with one local more than parameters."""
    names = parameters.replace("/, ", "").replace("*, ", "").replace("*", "").split(", ")
    values = "".join(f"{name.split('=')[0]}, " for name in names if name)
    space = {}
    exec(f"def made({parameters}):\n    local = ({values})\n    return local", space)
    return space["made"]


def outcome(called, arguments, named):
    """The result of a call, or its error."""
    try:
        return called(*arguments, **named)
    except TypeError as error:
        return str(error)


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_arguments(parameters):
    """As the interpreter binds them, errors included."""
    plain = function(parameters)
    compiled = jit(forceobj=True)(plain)
    choose = random.Random(parameters)
    for _ in range(300):
        arguments = range(choose.randrange(8))
        names = choose.sample("abcdefz", choose.choice([0, 0, 0, 1, 2]))
        named = {name: name.upper() for name in names}
        assert outcome(compiled, arguments, named) == outcome(plain, arguments, named)


def test_replaced_parts():
    """Code, defaults and keyword defaults that change between the calls."""
    choose = random.Random(11)
    plain = function("a, b")
    compiled = jit(forceobj=True)(function("a, b"))
    codes = [function(parameters).__code__ for parameters in PARAMETERS]
    for _ in range(3000):
        match choose.randrange(6):
            case 0:
                plain.__code__ = compiled.__code__ = choose.choice(codes)
            case 1:
                defaults = choose.choice([None, (), (1,), (1, 2), tuple(range(9))])
                plain.__defaults__ = compiled.__defaults__ = defaults
            case 2:
                defaults = choose.choice([None, {"b": 5}])
                plain.__kwdefaults__ = compiled.__kwdefaults__ = defaults
        arguments = range(choose.randrange(5))
        named = choose.choice([{}, {}, {"b": 7}, {"a": 1, "c": 2}])
        assert outcome(compiled, arguments, named) == outcome(plain, arguments, named)


def test_references():
    """Arguments, defaults and the function have the references they had."""
    default, argument = object(), object()
    compiled = jit(forceobj=True)(types.FunctionType(function("a, b, c").__code__, {}))
    compiled.__defaults__ = (default,)
    calls = [((argument, argument), {}), ((argument,) * 3, {}), ((argument,), {"b": argument})]
    calls += [((argument,), {}), ((argument,) * 4, {}), ((), {"z": argument})]
    for arguments, named in calls:
        outcome(compiled, arguments, named)
    gc.collect()
    held = [sys.getrefcount(item) for item in (default, argument, compiled, compiled.__code__)]
    for _ in range(100):
        for arguments, named in calls:
            outcome(compiled, arguments, named)
    gc.collect()
    now = [sys.getrefcount(item) for item in (default, argument, compiled, compiled.__code__)]
    assert now == held


def test_too_deep():
    """A frame that can't be entered is given back with what it holds."""
    space = {}
    exec("def deep(n, last=0):\n    return deep(n + 1, last)", space)
    space["deep"] = compiled = jit(forceobj=True)(space["deep"])
    marker = object()
    held = sys.getrefcount(marker), sys.getrefcount(compiled)
    for _ in range(20):
        for call in (lambda: compiled(0, marker), lambda: compiled(0, last=marker)):
            with pytest.raises(RecursionError):
                call()
    gc.collect()
    assert (sys.getrefcount(marker), sys.getrefcount(compiled)) == held
