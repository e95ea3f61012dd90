"""Random programs that hand functions on while variables of theirs change, and how they are compared."""

import functools
import heapq
import random

from pyopt import TypingError, njit

ARGUMENTS = (0, 1, 5)


@njit
def given(value):
    return value


@njit
def called(function):
    return function(1)


@njit
def kept(into, function):
    into.append(function)
    return into


@njit
def total(items):
    found = 0
    for item in items:
        found += item
    return found


# What programs name; in CPython the functions themselves.
PLAIN = {function.__name__: function.py_func for function in (given, called, kept, total)}
COMPILED = {function.__name__: function for function in (given, called, kept, total)}
MODULES = {"functools": functools, "heapq": heapq}

# What a call of one function gives, each with `{}` for that function.
HANDED = [
    "{}",
    "list(({},))[0]",
    "tuple([{}])[0]",
    "[{}][0]",
    "({}, 3)[0]",
    "{{1: {}}}[1]",
    "sorted([{}], key=lambda g: 1)[0]",
    "max([{}], key=lambda g: g(1))",
    "given({})",
    "given([{}])[0]",
    "kept([], {})[0]",
    "next(iter([{}]))",
    "[g for g in ({},)][0]",
    "list(map(given, [{}]))[0]",
    "([{}] * 2)[1]",
    "(lambda g: g)({})",
    "(lambda g: lambda x: g(x) + 1)({})",
]

# Expressions that leave nothing behind, with `{}` for what is computed of `x`.
CONSUMED = [
    "sum({} for x in range(3))",
    "len(''.join(str({}) for x in range(2)))",
    "len(set({} for x in range(4)))",
    "next({} for x in range(1, 3))",
    "total({} for x in range(3))",
    "called(lambda x: {})",
    "heapq.nlargest(1, range(4), key=lambda x: {} % 5)[0]",
    "functools.reduce(lambda a, x: a + {}, range(3))",
    "sum(map(lambda x: {}, range(3)))",
    "max(list(filter(lambda x: {} >= 0, range(3))), default=0)",
]


class Writer:
    """Writes one program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = ["def program(n):", "    v = n", "    w = n + 1", "    found = 0", "    out = []"]
        self.count = 0
        self.functions = []

    def put(self, indent, text):
        self.lines.append("    " * indent + text)

    def value(self):
        """Write what a function computes of its parameter."""
        return self.random.choice(["x * v", "x + w", "v + w * x", "v - x", "x + v * v"])

    def statement(self, indent, loops):
        kind = self.random.choice(["make", "make", "assign", "call", "call", "consume", "loop", "keep"])
        if kind == "make":
            name, self.count = f"f{self.count}", self.count + 1
            made = f"(lambda x: {self.value()})"
            self.put(indent, f"{name} = {self.random.choice(HANDED).format(made)}")
            self.functions.append(name)
        elif kind == "assign":
            target, by = self.random.choice("vw"), self.random.randint(1, 3)
            self.put(indent, f"{target} {self.random.choice(['=', '+='])} {by}")
        elif kind == "call" and self.functions:
            self.put(indent, f"found += {self.random.choice(self.functions)}({self.random.randint(0, 3)})")
        elif kind == "keep" and loops == 0:
            made = f"lambda x: {self.value()}"
            self.put(indent, self.random.choice(["out.append({})", "kept(out, {})"]).format(made))
            self.put(indent, f"{self.random.choice('vw')} += 1")
            self.put(indent, "found += out[-1](2)")
            self.put(indent, "out = []")
        elif kind == "loop" and loops < 2:
            self.put(indent, f"for {self.random.choice('vwk')} in range({self.random.randint(1, 3)}):")
            # What a loop may not make isn't known behind it.
            known = list(self.functions)
            for _ in range(self.random.randint(1, 3)):
                self.statement(indent + 1, loops + 1)
            self.functions = known
        else:
            self.put(indent, f"found += {self.random.choice(CONSUMED).format(self.value())}")

    def program(self):
        """Write the function."""
        for _ in range(self.random.randint(3, 8)):
            self.statement(1, 0)
        self.put(1, "return found, v, w")
        return "\n".join(self.lines)


def compare(seed):
    """Say what a program does otherwise in compiled code; None if nothing, False if it is refused."""
    source = Writer(seed).program()
    plain, compiled = dict(PLAIN | MODULES), dict(COMPILED | MODULES)
    exec(source, plain)
    exec(source, compiled)
    function = njit(compiled["program"])
    try:
        for argument in ARGUMENTS:
            found, expected = function(argument), plain["program"](argument)
            if found != expected:
                return f"seed {seed}: {found} and not {expected} for {argument}\n{source}"
    except TypingError as error:
        # Functions of several turns, or of several places in one list.
        return False if "can't" in str(error) or "in use" in str(error) else f"seed {seed}: {error}\n{source}"
    return None
