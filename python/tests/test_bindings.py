"""What names in a function are bound to."""

import math
import sys
import types
from math import sqrt

import numpy as np

from pyopt import bindings, njit, prange, stencil

LIMIT = 3
PAIR = (1, "two", None)
TABLE = np.arange(6, dtype=np.int32).reshape(2, 3).T
COLUMN = np.arange(6, dtype=np.int32)[::2]
STEP = np.float32(0.5)
HUGE = 2**70
THING = object()


def bound(function):
    functions, attributes = bindings.collect(njit(function))
    return functions[0][2], attributes


def test_constants_modules_and_host_objects():
    def function(x):
        known = (LIMIT, PAIR, np.sin, np.linalg.norm, np.pi, math, sqrt, len, prange, np.float64)
        return known, HUGE, THING, x.LIMIT

    names, attributes = bound(function)
    assert names == {
        "LIMIT": ("int", 3),
        "PAIR": ("tuple", [("int", 1), ("str", "two"), ("none",)]),
        "np": ("module", "numpy"),
        "math": ("module", "math"),
        "sqrt": ("named", "math.sqrt"),
        "len": ("named", "builtins.len"),
        "prange": ("named", "pyopt.prange"),
        "HUGE": ("opaque", "an int beyond 64 bits"),
        "THING": ("opaque", "an object of type object"),
    }
    # Those whose names say what they are aren't listed.
    assert attributes == {"numpy.pi": ("float", math.pi)}


def test_methods_of_hidden_instances_have_their_modules_name():
    rand = np.random.rand

    def function():
        return rand()

    assert bound(function)[0] == {"rand": ("named", "numpy.random.rand")}


def test_arrays_are_frozen_in_their_order():
    def function():
        return TABLE, COLUMN, STEP

    found, _ = bound(function)
    # One in Fortran's order is the transpose of one in C's.
    assert found["TABLE"] == (
        "declared",
        (
            "frozen",
            "!typed.array<2, si32, C, readonly>",
            [2, 3],
            np.array([0, 1, 2, 3, 4, 5], np.int32).tobytes(),
        ),
        "!typed.array<2, si32, F, readonly>",
    )
    assert found["COLUMN"] == (
        "frozen",
        "!typed.array<1, si32, C, readonly>",
        [3],
        np.array([0, 2, 4], np.int32).tobytes(),
    )
    assert found["STEP"] == ("scalar", "f32", ("float", float(STEP)))
    assert TABLE.flags.writeable


CUBE = np.asfortranarray(np.arange(24.0).reshape(2, 3, 4))
RECORDS = np.asfortranarray(np.array([[(1, 2.0), (3, 4.0)], [(5, 6.0), (7, 8.0)]], "i4,f8"))
TIMES = np.asfortranarray(np.array([["2020-01-01", "NaT"], ["2021-05-05", "2022-02-02"]], "M8[D]"))


def test_global_arrays_have_the_layout_that_they_have_outside():
    @njit
    def layouts():
        flags = CUBE.flags.f_contiguous, CUBE.flags.c_contiguous, CUBE.T.flags.c_contiguous
        return flags, CUBE.strides, TABLE.strides, TIMES.flags.f_contiguous

    @njit
    def values(i, j):
        return CUBE[i, j], CUBE[j], TABLE[j, i], TIMES[i, j], RECORDS[i, j]["f1"], CUBE.ravel(), CUBE.copy()

    assert layouts() == layouts.py_func()
    for i in range(2):
        for j in range(2):
            found, expected = values(i, j), values.py_func(i, j)
            assert all(np.array_equal(one, other, equal_nan=True) for one, other in zip(found, expected))


def test_closures_and_nested_functions():
    factor = 2.5

    def function(xs):
        def inner(x):
            return x * factor + LIMIT

        return [inner(x) for x in xs]

    assert bound(function) == ({"factor": ("float", 2.5), "LIMIT": ("int", 3)}, {})


def test_an_unassigned_cell_and_an_unknown_name_are_left_out():
    def function():
        return later, unknown_name  # noqa: F821

    made = bound(function)
    later = 1  # noqa: F841
    assert made == ({}, {})


def helper(x, scale=2):
    return x * scale + LIMIT


@njit(error_model="numpy")
def even(n):
    return n == 0 or odd(n - 1)


@njit
def odd(n):
    return n != 0 and even(n - 1)


@stencil(neighborhood=((-1, 1),), cval=1.5)
def smooth(a):
    return a[-1] + a[1]


def test_callees_are_collected_once():
    def function(x):
        return helper(x) + even(x) + smooth(x) + helper(x)

    functions, _ = bindings.collect(njit(function))
    prefix = __name__
    symbols = [entry[0] for entry in functions]
    assert symbols[1:] == [f"{prefix}.{name}" for name in ("helper", "even", "smooth", "odd")]
    by_name = {entry[0].rpartition(".")[2]: entry for entry in functions}
    assert by_name["helper"][3] == [("scale", ("int", 2))]
    assert by_name["helper"][5] is None
    assert by_name["even"][2] == {"odd": ("function", f"{prefix}.odd")}
    assert by_name["even"][5]["error_model"] == "numpy"
    assert by_name["odd"][2] == {"even": ("function", f"{prefix}.even")}
    assert by_name["smooth"][4] == ("constant", ((-1, 1),), ("float", 1.5), [])


def test_equal_names_get_different_symbols():
    def make(n):
        def inner():
            return n

        return inner

    one, two = make(1), make(2)

    def function():
        return one() + two()

    functions, _ = bindings.collect(njit(function))
    assert len({entry[0] for entry in functions}) == 3
    assert [entry[2] for entry in functions[1:]] == [{"n": ("int", 1)}, {"n": ("int", 2)}]


def test_functions_in_user_modules_are_found_through_the_module():
    module = types.ModuleType("some_user_module")
    module.helper = helper
    sys.modules["some_user_module"] = module
    scope = {"module": module}
    exec("def function(x):\n    return module.helper(x)", scope)
    functions, attributes = bindings.collect(njit(scope["function"]))
    assert functions[0][2] == {"module.helper": ("function", functions[1][0])}
    assert attributes == {}
