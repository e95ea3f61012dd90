"""Known functions where one of a signature alone is asked for: in containers, classes and results."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pyopt
from pyopt import cfunc, errors, njit, objmode, types
from pyopt.experimental import jitclass
from pyopt.typed import Dict, List

SIGNATURE = types.float64(types.float64)
KIND = types.FunctionType(SIGNATURE)


@njit(SIGNATURE)
def plus(x):
    return x + 1


@njit
def twice(x):
    return x * 2


def plain(x):
    return x * 3


def test_in_lists_and_dicts_that_compiled_code_makes():
    @njit
    def listed():
        made = List.empty_list(KIND)
        made.append(plus)
        made.append(twice)
        made.append(plain)
        return made

    @njit
    def keyed(key):
        table = Dict.empty(types.int64, KIND)
        table[0] = plus
        table[1] = twice
        return table[key](3)

    functions = listed()
    assert [function(2.0) for function in functions] == [3.0, 4.0, 6.0]
    assert functions[0] is plus and functions[1] is twice and functions[2] is plain
    assert [keyed(0), keyed(1)] == [4.0, 6.0]
    assert type(keyed(1)) is float


def test_into_containers_that_are_passed():
    @njit
    def put(table, listed):
        table["twice"] = twice
        listed.append(np.sqrt)
        return table["twice"](2.5) + listed[0](4.0)

    table, listed = Dict.empty(types.unicode_type, KIND), List.empty_list(KIND)
    assert put(table, listed) == 7.0
    assert table["twice"] is twice


def test_results_of_a_declared_type():
    @njit(KIND(types.boolean))
    def pick(first):
        return plus if first else twice

    assert pick(True) is plus and pick(False) is twice

    @njit
    def use(first, x):
        return pick(first)(x)

    assert [use(True, 2), use(False, 2)] == [3.0, 4.0]


def test_fields_of_classes():
    @jitclass([("function", KIND), ("factor", types.float64)])
    class Scaled:
        def __init__(self, function, factor):
            self.function = function
            self.factor = factor

        def run(self, x):
            return self.function(x) * self.factor

    @njit
    def make(x):
        return Scaled(twice, x).run(1.0)

    c = cfunc(SIGNATURE)(lambda x: x - 1)
    assert [Scaled(one, 2.0).run(3.0) for one in (plus, twice, plain, c)] == [8.0, 12.0, 18.0, 4.0]
    assert make(2.0) == 4.0


def test_functions_are_objects_in_objmode_blocks():
    seen = []

    @njit
    def show(function, first):
        chosen = function if first else plus
        with objmode(value="float64"):
            seen.append((function, chosen))
            value = chosen.py_func(1)
        return value

    assert show(twice, True) == 2.0 and show(twice, False) == 2.0
    assert seen == [(twice, twice), (twice, plus)]


def test_what_does_not_fit_the_signature_is_an_error():
    @njit
    def keep(function):
        made = List.empty_list(KIND)
        made.append(function)
        return made[0](1.0)

    with pytest.raises(TypeError):
        keep(njit(lambda x, y: x))
    with pytest.raises(errors.TypingError):
        keep(3)

    @njit
    def local(x):
        made = List.empty_list(KIND)
        made.append(lambda y: y + x)
        return made[0](1.0)

    with pytest.raises(errors.TypingError):
        local(1.0)


def test_code_from_the_disk_finds_the_functions(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("""
from pyopt import njit, types
from pyopt.typed import List
KIND = types.FunctionType(types.float64(types.float64))
@njit
def plus(x):
    return x + 1
@njit(cache=True)
def kept():
    made = List.empty_list(KIND)
    made.append(plus)
    return made
print(kept()[0] is plus, kept()[0](1.0), sum(kept.stats.cache_hits.values()))
""")
    environment = os.environ | {
        "PYTHONPATH": str(Path(pyopt.__file__).parents[1]),
        "PYOPT_CACHE_DIR": str(tmp_path / "cache"),
    }
    printed = [
        subprocess.run([sys.executable, program], capture_output=True, text=True, check=True, env=environment)
        for _ in range(2)
    ]
    assert [one.stdout for one in printed] == ["True 2.0 0\n", "True 2.0 1\n"]


def test_c_functions_live_as_long_as_they_can_be_called():
    def made(added):
        return cfunc(SIGNATURE)(lambda x: x + added)

    listed = List.empty_list(KIND)
    for added in range(3):
        listed.append(made(added))
    gc.collect()
    assert [function(1.0) for function in listed] == [1.0, 2.0, 3.0]
    assert njit(lambda items: items[2](1.0))(listed) == 3.0

    @njit(KIND(KIND))
    def give(function):
        return function

    function = give(made(5))
    gc.collect()
    assert function(1.0) == 6.0


def test_coroutines_that_are_arguments_are_refused():
    async def answer():
        return 3

    with pytest.raises(errors.TypingError, match="coroutines are not supported"):
        njit(lambda function: function())(answer)
