"""Attributes of the program's own modules and classes in compiled code."""

import enum
import os
import subprocess
import sys
import traceback
from collections import namedtuple
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from pyopt import errors, njit, objmode, types


def module(name, **attributes):
    made = ModuleType(name)
    made.__dict__.update(attributes)
    return made


def increment(x):
    return x + settings.STEP


inner = module("outer.inner", TABLE=np.arange(3.0), twice=njit(lambda x: 2 * x))
settings = module("settings", STEP=3, increment=increment, inner=inner, types=types, objmode=objmode)
other = module("other", STEP=30)


class Colour(enum.Enum):
    RED = 5


class Names:
    SIZE = 4

    @staticmethod
    def half(x):
        return x / 2

    class Nested:
        DEEP = (1, 2.5)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: settings.STEP + x, 5),
        (lambda x: settings.increment(x), 5),
        (lambda x: settings.inner.twice(x) + settings.inner.TABLE[x], 6.0),
        (lambda x: settings.types.int16(x + 300), 302),
        (lambda x: Names.half(x) + Names.SIZE + Names.Nested.DEEP[1], 7.5),
        (lambda x: Colour.RED.value + x, 7),
        # Compilers copy an end that is short into both branches, where each names the attribute.
        (lambda x: (settings if x > 1 else settings).STEP + x * x - x, None),
        (lambda x: np.linalg.norm(np.ones(x + 2)) + settings.inner.TABLE.sum(), 5.0),
        (lambda x: sum([settings.STEP * i for i in range(x)]), 3),
    ],
)
def test_attributes_are_known_when_the_function_is_compiled(function, expected):
    if expected is None:
        # What is in a condition isn't a name: the module can't be chosen at run time.
        with pytest.raises(errors.TypingError):
            njit(function)(2)
    else:
        assert njit(function)(2) == function(2) == expected


def test_free_variables_and_functions_inside():
    space = module("space", K=7, f=lambda x: x - 1)

    def function(x):
        def add(y):
            return y + settings.STEP

        return add(x) + space.f(x) + space.K

    assert njit(function)(2) == function(2) == 13


def test_more_names_than_an_instruction_holds():
    source = "".join(f"    s += settings.STEP + s{index}\n" for index in range(200))
    scope = {"settings": settings} | {f"s{index}": index for index in range(200)}
    exec(f"def function(s):\n{source}    return s + settings.inner.TABLE[1]\n", scope)
    assert njit(scope["function"])(0) == scope["function"](0)


def test_the_next_compilation_sees_a_change():
    def function(x):
        return other.STEP + x

    compiled = njit(function)
    assert compiled(1) == 31
    other.STEP = 31
    assert compiled(1) == 31 and compiled(1.0) == 32.0
    compiled.recompile()
    assert compiled(1) == 32
    other.STEP = 30


def test_errors_keep_their_place():
    def function(x):
        if settings.STEP > x:
            raise ValueError(settings.STEP)
        return x

    with pytest.raises(ValueError, match="3") as caught:
        njit(function)(2)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].line == "raise ValueError(settings.STEP)"


def test_an_attribute_that_a_module_lacks_is_named():
    def misspelt(x):
        return settings.STEPS + x

    def with_more(x):
        return settings.nothing.at.all + x

    with pytest.raises(errors.TypingError, match="module 'settings' has no attribute 'STEPS'") as one:
        njit(misspelt)(1)
    assert one.value.hint == "write 'STEP'"
    with pytest.raises(errors.TypingError, match="has no attribute 'nothing'") as other:
        njit(with_more)(1)
    assert other.value.hint == "use a name that the module has"
    # Code that isn't reached may name what isn't there.
    assert njit(lambda x: x if x is not None else settings.STEPS)(1) == 1


def test_blocks_of_python_are_left_as_they_are():
    def function(x):
        with objmode(y="int64"):
            y = x + settings.STEP
        return y

    assert njit(function)(2) == 5

    def opened(x):
        with settings.objmode(y="int64"):
            y = x + settings.STEP
        return y

    assert njit(opened)(2) == 5


def test_instances_are_no_namespaces():
    space = SimpleNamespace(K=1)
    with pytest.raises(errors.TypingError, match="SimpleNamespace can't be compiled"):
        njit(lambda: space.K)()
    with pytest.raises(errors.TypingError, match="settings"):
        njit(lambda: settings.missing)()


def test_functions_with_blocks():
    def function(x):
        y = settings.STEP * x + Names.Nested.DEEP[1]
        with objmode(z="float64", k=settings.types.int64):
            z = y * settings.STEP + Names.half(x)
            k = settings.inner.twice(x)
        return settings.increment(z) + Names.SIZE + k, Colour.RED.value

    assert njit(function)(2) == function(2)
    other_name = module("renamed", inner=settings)

    def free(x):
        with other_name.inner.objmode(y="int64"):
            y = x + other_name.inner.STEP
        return y * other_name.inner.STEP

    assert njit(free)(2) == 15


def test_a_change_is_seen_by_the_next_compilation_with_blocks():
    def function(x):
        y = other.STEP
        with objmode(z="int64"):
            z = other.STEP
        return x + y, z

    compiled = njit(function)
    assert compiled(1) == (31, 30)
    other.STEP = 31
    assert compiled(1) == (31, 31) and compiled(1.0) == (32.0, 31)
    other.STEP = 30


def test_names_in_functions_inside_are_their_own():
    space = module("space", K=7)

    def function(x):
        def inside(space):
            return space.real + x

        return inside(2.5) + space.K

    assert njit(function)(1.0) == function(1.0) == 10.5


def test_a_namespace_is_no_value():
    def function(x):
        chosen = Names
        return chosen.SIZE + x

    with pytest.raises(errors.TypingError):
        njit(function)(1)


Point = namedtuple("Point", "x y")
TABLE = (
    Point(1, 2.5),
    3,
    np.float32,
    np.arange(3.0),
    njit(increment),
    np.dtype("i2"),
    "s",
    (1, Point(7, "t")),
)
ORIGIN = Point(4, (1, 2))


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 10


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: TABLE[0].x + TABLE[0].y * x, 6.0),
        (lambda x: TABLE[4](x) + TABLE[1], 8),
        (lambda x: TABLE[3][x], 2.0),
        (lambda x: TABLE[7][1].x + len(TABLE[7][1].y), 8),
        (lambda x: ORIGIN.x + ORIGIN.y[1] + ORIGIN[0], 10),
        (lambda x: Level.HIGH + x, 12),
        (lambda x: Level.LOW < x < Level.HIGH, True),
        (lambda x: Level.HIGH.value * x, 20),
    ],
)
def test_global_tuples_and_enumerations(function, expected):
    assert njit(function)(2) == function(2) == expected


def test_types_in_global_tuples():
    def function(n):
        return np.ones(n, TABLE[2]), np.ones(n, dtype=TABLE[5])

    first, second = njit(function)(3)
    assert first.dtype == np.float32 and second.dtype == np.int16


def test_named_tuples_are_returned_as_such():
    assert njit(lambda: ORIGIN)() == ORIGIN
    assert type(njit(lambda: TABLE[0])()) is Point


def test_a_named_tuple_is_part_of_the_key(tmp_path):
    program = """
import sys
from collections import namedtuple
from pyopt import njit

Point = namedtuple("Point", "x y")
ORIGIN = Point(int(sys.argv[1]), 2)


class settings:
    STEP = int(sys.argv[2])


@njit(cache=True)
def function(x):
    return ORIGIN.x * x + settings.STEP


print(function(10), sum(function.stats.cache_hits.values()))
"""
    path = tmp_path / "program.py"
    path.write_text(program)

    def run(*args):
        command = [sys.executable, str(path), *map(str, args)]
        environment = os.environ | {"PYOPT_CACHE_DIR": str(tmp_path / "cache")}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.split()

    assert run(1, 5) == ["15", "0"]
    assert run(1, 5) == ["15", "1"]
    assert run(2, 5) == ["25", "0"]
    assert run(2, 6) == ["26", "0"]
    assert run(1, 5) == ["15", "1"]


@njit
def plus(a, b):
    return a + b


@njit
def times(a, b):
    return a * b


def minus(a, b):
    return a - b


OPERATIONS = {"plus": plus, "times": times, "minus": minus, "sin": np.sin, 3: plus}
NUMBERS = {"half": 0.5, -1: 7, "array": np.arange(4)}


def test_items_of_dicts_by_constant_keys():
    @njit
    def f(a, b):
        total = OPERATIONS["plus"](a, b) + OPERATIONS["times"](a, b) + OPERATIONS["minus"](a, b)
        return total + OPERATIONS[3](a, b), OPERATIONS["sin"](0.0) + NUMBERS["half"], NUMBERS["array"].sum()

    assert f(3, 4) == (7 + 12 - 1 + 7, 0.5, 6)


def test_items_of_dicts_around_a_function():
    local = {"f": plus, "n": 2}

    @njit
    def f(a):
        return local["f"](a, local["n"])

    assert f(3) == 5
    local["n"] = 10
    assert f(3) == 5
    f.recompile()
    assert f(3) == 13


def test_keys_that_are_not_constant_are_of_dicts_of_one_type():
    f = njit(lambda key: NUMBERS[key])
    with pytest.raises(errors.TypingError, match="a global dict of values of several types: int and str"):
        f("half")
    with pytest.raises(errors.TypingError, match="a global dict of values of several types: int and str"):
        njit(lambda: NUMBERS["nothing"])()


class Scale:
    FACTOR = 5

    @classmethod
    def scaled(cls, x, by=2):
        return x * cls.FACTOR * by + cls.shift(x)

    @classmethod
    def shift(cls, x):
        return x - cls.FACTOR


class Finer(Scale):
    FACTOR = 7


def test_class_methods_know_their_class():
    def use(x):
        return Scale.scaled(x), Finer.scaled(x, by=3), Finer.shift(x)

    assert njit(use)(3) == use(3)


@njit
def asked_in_branches(x):
    if hasattr(settings, "NONE"):
        return x + settings.NONE
    return x + getattr(settings, "STEP")  # noqa: B009


ASKED = {
    "constant": lambda: getattr(settings, "STEP"),  # noqa: B009
    "function": lambda: getattr(settings, "increment")(4),  # noqa: B009
    "nested": lambda: getattr(settings.inner, "TABLE")[1],  # noqa: B009
    "found": lambda: getattr(settings, "STEP", None),
    "default": lambda: getattr(settings, "NONE", 7),
    "none": lambda: getattr(settings, "NONE", None),
    "class": lambda: getattr(Names, "SIZE") + getattr(Names, "NONE", 2),  # noqa: B009
    "method": lambda: getattr(Names, "half")(5),  # noqa: B009
    "has": lambda: (hasattr(settings, "STEP"), hasattr(settings, "NONE"), hasattr(settings.inner, "TABLE")),
    "class_has": lambda: (hasattr(Names, "SIZE"), hasattr(Names, "NONE"), hasattr(Names, "half")),
    "pruned": lambda: settings.NONE + 1 if hasattr(settings, "NONE") else settings.STEP,
    "numpy": lambda: getattr(np, "pi") + getattr(np, "no_such", 1.5),  # noqa: B009
    "numpy_has": lambda: (hasattr(np, "pi"), hasattr(np, "no_such"), hasattr(np.random, "rand")),
}


@pytest.mark.parametrize("name", ASKED)
def test_attributes_that_are_asked_for(name):
    assert njit(ASKED[name])() == ASKED[name]()


def test_what_is_asked_for_may_come_later(monkeypatch):
    assert asked_in_branches(1) == 4
    monkeypatch.setattr(settings, "NONE", 100, raising=False)
    assert asked_in_branches(1) == 4
    assert asked_in_branches(1.0) == 101.0
    asked_in_branches.recompile()
    assert asked_in_branches(1) == 101


def test_what_is_asked_for_in_a_free_variable():
    space = module("space", K=2)
    assert njit(lambda: (getattr(space, "K", 0), getattr(space, "L", 0), hasattr(space, "K")))() == (
        2,
        0,
        True,
    )


def test_asking_without_a_default_for_what_is_not_there():
    with pytest.raises(errors.TypingError, match="module 'settings' has no attribute 'STEPS'"):
        njit(lambda: getattr(settings, "STEPS"))()  # noqa: B009


def test_functions_of_the_program_named_getattr():
    def getattr(space, name):
        return name

    assert njit(lambda: getattr(3, "STEP"))() == "STEP"
