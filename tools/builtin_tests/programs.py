"""Programs that are tried: compiled for what they find, and compared with CPython."""

from __future__ import annotations

import builtins
import collections
import copy
import sys
import time
import types
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from builtin_tests.modules import NAMED

# Values that are passed to compiled code; all others are left to CPython.
_DATA = (
    (bool, int, float, complex, str, bytes, bytearray, memoryview, range, type(None))
    + (list, tuple, dict, set, frozenset, slice)
    + (collections.deque, collections.Counter, collections.defaultdict, collections.OrderedDict)
)
# How many calls of one program are compared with CPython, for how many kinds of arguments it is
# compiled, and how many seconds it may take over all: tests go through loops of any length.
_COMPARED = 300
_KINDS = 60
_SECONDS = 4.0
# The longest tuple that is passed: compiled code has a variable for each of its items.
_WIDEST = 100


@dataclass
class Program:
    """An expression or statement of a test, whose parameters are `v0`, `v1`, …"""

    module: str
    line: int
    text: str
    is_statement: bool
    compiled: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    compared: int = 0
    seconds: float = 0.0
    functions: dict = field(default_factory=dict)
    hopeless: set = field(default_factory=set)

    def function(self, named: dict[str, object], count: int) -> types.FunctionType:
        """The program as a function, in which some parameters are globals instead."""
        parameters = ", ".join(f"v{at}" for at in range(count) if f"v{at}" not in named)
        body = self.text if self.is_statement else f"return {self.text}"
        space = dict(named)
        exec(f"def program({parameters}):\n    {body}", space)
        return space["program"]


@dataclass
class Difference:
    """Where compiled code and CPython disagree."""

    module: str
    line: int
    text: str
    given: str
    expected: str
    found: str


class Trials:
    """Tries the programs of a process."""

    def __init__(self):
        """Begin without programs."""
        self.programs: list[Program] = []
        self.differences: list[Difference] = []
        # Runs of compiled programs in the test that is running.
        self.in_test = 0
        self._inside = False

    def __call__(self, at: int, values: Callable, plain: Callable | None):
        """Run a program compiled if that is possible, else as it is."""
        program = self.programs[at]
        if self._inside:
            return plain() if plain else True
        try:
            held = values()
        except Exception:
            return plain() if plain else True
        if program.seconds > _SECONDS:
            return plain() if plain else True
        self._inside = True
        begin = time.perf_counter()
        try:
            outcome = self._compiled(program, held)
        finally:
            self._inside = False
            program.seconds += time.perf_counter() - begin
        if outcome is None:
            return plain() if plain else True
        kind, value = outcome
        if kind == "raised":
            raise value
        return None if program.is_statement else value

    def _compiled(self, program: Program, held: tuple) -> tuple[str, object] | None:
        """What compiled code returned or raised; None where it isn't compiled."""
        from pyopt import errors, njit

        named, given = {}, []
        for place, value in enumerate(held):
            if (name := named_value(value)) is not None:
                named[f"v{place}"] = name
            elif _is_data(value) or isinstance(value, types.FunctionType):
                given.append(value)
            else:
                return self._refuse(program, f"a value of type {type(value).__name__}")
        key = tuple((name, id(value)) for name, value in named.items())
        kinds = (key, tuple(_kind(value) for value in given))
        if kinds in program.hopeless or len(program.hopeless) > _KINDS:
            return self._refuse(program, "as before")
        if key not in program.functions:
            plain = program.function(named, len(held))
            program.functions[key] = (plain, njit(plain))
        plain, compiled = program.functions[key]
        if builtins.id in named.values():
            return self._refuse(program, "addresses of objects")
        copies = _copies(given) if program.compared < _COMPARED else None
        try:
            outcome = ("returned", compiled(*given))
        except errors.NumbaError as error:
            program.hopeless.add(kinds)
            return self._refuse(program, str(error).strip().splitlines()[0])
        except RecursionError:
            return self._refuse(program, "recursion")
        except Exception as error:
            if isinstance(error, TypeError) and str(error).startswith("cannot convert native"):
                program.hopeless.add(kinds)
                return self._refuse(program, str(error))
            outcome = ("raised", error)
        if type(outcome[1]).__name__ == "Generator":
            return self._refuse(program, "an iterator, which is another class in compiled code")
        program.compiled += 1
        self.in_test += 1
        if copies is not None and not any(
            getattr(one, "__name__", "") == "random" for one in named.values()
        ):
            program.compared += 1
            self._compare(program, plain, named, copies, given, outcome)
        return outcome

    def _refuse(self, program: Program, reason: str) -> None:
        if reason != "as before":
            program.refused[reason] = program.refused.get(reason, 0) + 1

    def _compare(
        self,
        program: Program,
        plain: Callable,
        named: dict,
        copies: list,
        given: list,
        outcome: tuple,
    ) -> None:
        shown = _shown(copies)
        names = ", ".join(f"{place} is {one.__name__}" for place, one in named.items())
        try:
            expected = ("returned", plain(*copies))
        except Exception as error:
            expected = ("raised", error)
        try:
            agree, left_alike = same(expected, outcome), same(copies, given)
        except RecursionError:
            return
        if _is_wide(expected[1]):
            return
        if not agree:
            found, wanted = _shown(outcome), _shown(expected)
        elif not left_alike:
            found, wanted = "left " + _shown(given), "left " + _shown(copies)
        else:
            return
        text = f"{program.text} where {names}" if names else program.text
        self.differences.append(
            Difference(program.module, program.line, text, shown, wanted, found)
        )


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) < 300 else text[:300] + " …"


def named_value(value: object) -> object | None:
    """The module, class or function that a program names; None for values that it takes.

    Tests import some modules twice, with and without their parts in C: the one that programs import
    stands for both.
    """
    if isinstance(value, types.ModuleType):
        return sys.modules.get(value.__name__) if value.__name__ in NAMED else None
    if isinstance(value, (type, types.BuiltinFunctionType, types.FunctionType)):
        module = getattr(value, "__module__", None)
        if module in NAMED and module in sys.modules:
            return getattr(sys.modules[module], value.__name__, None)
    return None


def _is_data(value: object, depth: int = 4) -> bool:
    """Whether a value and its items are of CPython's own types, none of a subclass."""
    if type(value) not in _DATA or _is_wide(value):
        return False
    if not depth or not isinstance(value, (list, tuple, set, frozenset, dict, collections.deque)):
        return True
    if isinstance(value, tuple) and len(value) > _WIDEST:
        return False
    items = [*value.keys(), *value.values()] if isinstance(value, dict) else value
    return all(_is_data(item, depth - 1) for item in items)


def _kind(value: object, depth: int = 3) -> object:
    """What compiled code may depend on: classes of a value and of the items that it begins with."""
    if isinstance(value, str):
        return (str, len(value) == 1)
    if isinstance(value, dict) and depth:
        some = next(iter(value.items()), None)
        return (type(value), some is not None, _kind(some, depth - 1))
    if isinstance(value, (list, set, frozenset, collections.deque)) and depth:
        return (type(value), frozenset(_kind(item, depth - 1) for item in list(value)[:50]))
    if isinstance(value, tuple) and depth:
        return (type(value), tuple(_kind(item, depth - 1) for item in value[:20]))
    if isinstance(value, int):
        return (type(value), -(2**63) <= value < 2**63)
    return id(value) if isinstance(value, types.FunctionType) else type(value)


def _is_wide(value: object) -> bool:
    """Whether a value is or holds an int of more than 64 bits, which compiled code hasn't."""
    if isinstance(value, (list, tuple)):
        return any(_is_wide(item) for item in value)
    return isinstance(value, int) and not -(2**63) <= value < 2**63


def _copies(given: list) -> list | None:
    try:
        return copy.deepcopy(given)
    except Exception:
        return None


def same(left: object, right: object) -> bool:
    """Whether two values are the same in class and contents, sets in any order.

    Floats have the same bits. Items are floats where one of them is: lists have items of one type.
    """
    if isinstance(left, MemoryError) and isinstance(right, MemoryError):
        return True
    if isinstance(left, BaseException) and isinstance(right, BaseException):
        return type(left) is type(right) and str(left) == str(right)
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return np.float64(left).tobytes() == np.float64(right).tobytes() or (
            left != left and right != right
        )
    if isinstance(left, complex):
        return same(left.real, right.real) and same(left.imag, right.imag)
    if isinstance(left, (list, tuple, collections.deque)):
        return len(left) == len(right) and all(
            same(float(a), float(b)) if {type(a), type(b)} == {int, float} else same(a, b)
            for a, b in zip(left, right, strict=True)
        )
    if isinstance(left, dict):
        return same(list(left.items()), list(right.items()))
    if isinstance(left, types.FunctionType):
        return left is right
    return left == right
