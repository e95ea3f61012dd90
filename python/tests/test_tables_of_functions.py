"""Tables of functions: global dicts, lists and tuples of functions of which one is chosen at run time."""

import enum
import math
import operator
import os
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from plain_checks import same

from pyopt import errors, njit


def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b, c=2):
    return a * b * c


@njit
def half(x):
    return x * 0.5


def shout(x):
    raise ValueError("no")


class Colour(enum.Enum):
    RED = "r"
    BLUE = "b"


OPERATORS = {"+": add, "-": sub}
ONE = [add]
REPEATED = {"+": sub, "a": add, "-": sub, "z": add}
# In the opposite order of their names.
ORDERED = [sub, add, sub]
ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
ELEMENTARY = {"sin": math.sin, "exp": math.exp, "sqrt": math.sqrt}
REDUCTIONS = {"sum": np.sum, "max": np.max, "mean": np.mean}
PRIORITIES = {"+": (operator.add, 1), "-": (operator.sub, 1), "*": (operator.mul, 2)}
NESTED = {"x": {"+": add, "-": sub}, "y": {"-": sub}}
STEPS = {"both": [add, sub], "one": [sub]}
NAMED = [("double", lambda x: x * 2), ("negate", lambda x: -x)]
COLOURED = {Colour.RED: lambda x: x + 1, Colour.BLUE: lambda x: x - 1}
PARTIAL = {1: partial(add, 1), 2: partial(add, 2)}
MIXED = {"half": half, "sqrt": math.sqrt, "shout": shout}
STATES = [lambda c: 1 if c == "a" else 0, lambda c: 2 if c == "b" else 0, lambda c: 2]
DEFAULTS = [add, mul]
OF_PAIRS = {(1, "a"): math.floor, (2, "b"): math.ceil}
BRANCHES = {"even": lambda n: True if n == 0 else BRANCHES["odd"](n - 1), "odd": None}
BRANCHES["odd"] = lambda n: False if n == 0 else BRANCHES["even"](n - 1)


def evaluated(text):
    stack, total = [], 0
    for token in text.split():
        if token in PRIORITIES:
            function, priority = PRIORITIES[token]
            b = stack.pop()
            stack.append(function(stack.pop(), b))
            total += priority
        else:
            stack.append(int(token))
    return stack, total


def folded(names, x):
    for name in names:
        x = ARITHMETIC[name](x, 3.0)
    return x


def walked(text):
    state = 0
    for character in text:
        state = STATES[state](character)
    return state


def looked_up(name):
    if name not in OPERATORS:
        return -1
    function = OPERATORS[name]
    return function(5, 3)


def applied(table, name, a, b):
    return table[name](a, b)


def raised(name, x):
    try:
        return MIXED[name](x)
    except ValueError:
        return -1.0
    except KeyError:
        return -2.0


def grown(name):
    table = dict(OPERATORS)
    table["max"] = sub
    merged = {**OPERATORS, "*": add}
    return table[name](7, 2), len(table), len(OPERATORS), len(merged), merged["*"](1, 1)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (lambda name, a, b: OPERATORS[name](a, b), [("+", 1, 2), ("-", 1, 2), ("-", 1.5, 2), ("?", 1, 2)]),
        (lambda at: ONE[at](1, 2), [(0,), (-1,), (1,)]),
        (lambda name: REPEATED[name](1, 2), [("+",), ("a",), ("-",), ("z",)]),
        (lambda at: (ORDERED[at](1, 2), [one(5, 1) for one in ORDERED]), [(0,), (1,), (-1,), (3,)]),
        (lambda name: ELEMENTARY[name](0.5), [("sin",), ("exp",), ("sqrt",)]),
        (folded, [("+-*", 1.0), ("/", 1.0), ("", 1.0)]),
        (lambda name: float(REDUCTIONS[name](np.arange(5.0))), [("sum",), ("max",), ("mean",)]),
        (evaluated, [("1 2 + 4 * 5 -",), ("1",)]),
        (lambda outer, inner: NESTED[outer][inner](1, 2), [("x", "+"), ("y", "-"), ("y", "+")]),
        (lambda name: [step(1, 2) for step in STEPS[name]], [("both",), ("one",)]),
        (lambda x: [(name, one(x)) for name, one in NAMED], [(2,), (2.5,)]),
        (lambda x: [COLOURED[colour](x) for colour in COLOURED], [(2,)]),
        (lambda key: PARTIAL[key](10), [(1,), (2,), (3,)]),
        (raised, [("half", 4.0), ("sqrt", 4.0), ("shout", 4.0), ("else", 4.0)]),
        (walked, [("xaab",), ("",)]),
        (lambda at: DEFAULTS[at](2, 3), [(0,), (1,)]),
        (lambda key, name: OF_PAIRS[key, name](2.5), [(1, "a"), (2, "b"), (1, "b")]),
        (looked_up, [("+",), ("?",)]),
        (lambda name: OPERATORS.get(name, add)(5, 3), [("-",), ("?",)]),
        (lambda name: applied(OPERATORS, name, 1, 2), [("+",), ("-",)]),
        (grown, [("+",), ("max",)]),
        (lambda a, b: [(name, one(a, b)) for name, one in OPERATORS.items()], [(1, 2)]),
        (lambda a, b: [one(a, b) for one in OPERATORS.values()], [(1, 2)]),
        (lambda n: [BRANCHES[name](n) for name in ("even", "odd")], [(4,), (7,)]),
        (lambda at, items: sorted(items, key=NAMED[at][1]), [(0, [3, 1]), (1, [1, 3])]),
        (lambda name: OPERATORS[name], [("+",), ("-",)]),
        (lambda name: (OPERATORS[name] is add, OPERATORS[name] == sub), [("+",), ("-",)]),
        (lambda: (len(OPERATORS), "+" in OPERATORS, list(OPERATORS), bool(ONE)), [()]),
    ],
)
def test_functions_of_global_tables(function, arguments):
    for one in arguments:
        same(function, *one)


def in_local_tables(name, x):
    table = {"sin": math.sin, "double": lambda x: x * 2, "half": half}
    listed = [math.cos, lambda x: x + 1]
    table["cos"] = math.cos
    return table[name](x), listed[len(name) % 2](x)


@pytest.mark.parametrize("name", ["sin", "double", "half", "cos", "?"])
def test_functions_of_local_tables(name):
    same(in_local_tables, name, 1.5)


def test_functions_of_one_name():
    """Another function of the name is another one, in whatever order programs are compiled."""

    def made(factor):
        def scaled(x):
            return x * factor

        table = [scaled]
        return njit(lambda at, x: table[at](x))

    functions = [made(factor) for factor in range(3)]
    assert [function(0, 5) for function in functions] == [0, 5, 10]


def test_the_first_function_may_come_last():
    tables = [[add, sub], [sub, add]]
    results = []
    for table in tables:
        results.append([njit(lambda at, t=tuple(table): t[at](3, 1))(at) for at in range(2)])
        results.append([njit(lambda at: table[at](3, 1))(at) for at in range(2)])  # noqa: B023
    assert results == [[4, 2], [4, 2], [2, 4], [2, 4]]


TEXT_OR_NUMBER = {"text": lambda x: "a", "number": lambda x: 1}
COUNTS = {"one": lambda x: x, "two": lambda x, y: x}
OF_NONE_TOO = {"+": add, "callable": 3}
SET = {add}
MANY = [eval(f"lambda x: x + {at}") for at in range(300)]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda name: TEXT_OR_NUMBER[name](1), "can't unify the return types"),
        (lambda name: COUNTS[name](1), r"missing 1 required positional argument: 'y'"),
        (lambda name: OF_NONE_TOO[name](1, 2), "a global dict of values of several types: function and int"),
        (lambda name: len(SET), "can't hold Function"),
        (lambda name: MANY[len(name)](1), "a global list of more than 256 functions"),
        (lambda name: OPERATORS, "a global dict of functions can't be returned to Python"),
        (lambda name: OPERATORS.clear(), "a global dict is a constant of compiled code"),
        (lambda name: ONE.append(add), "a global list is a constant of compiled code"),
    ],
)
def test_what_is_refused(function, message):
    with pytest.raises(errors.TypingError, match=message):
        njit(function)("text")


PROGRAM = """
from pyopt import njit

def one(x):
    return x + ADDED

def two(x):
    return x * 2

TABLE = {"one": one, "two": two}

@njit(cache=True)
def f(name, x):
    return TABLE[name](x)

print(f("one", 5), f("two", 5), dict(f.stats.cache_hits) != {})
"""


def test_on_disk(tmp_path):
    program = tmp_path / "program.py"

    def run(added):
        program.write_text(PROGRAM.replace("ADDED", added))
        environment = {**os.environ, "PYOPT_CACHE_DIR": str(tmp_path / "cache")}
        done = subprocess.run(
            [sys.executable, program], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    assert run("1") == ["6", "10", "False"]
    assert run("1") == ["6", "10", "True"]
    # What the functions do is part of the key.
    assert run("2") == ["7", "10", "False"]
