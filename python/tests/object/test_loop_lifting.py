"""Loop lifting: loops of object-mode functions on machine types, or as they were."""

import inspect
import traceback

import numpy as np
import pytest

from pyopt import errors, jit

lifting = jit(forceobj=True, looplift=True)


def lifted_types(function):
    """For each loop the signatures that it was compiled for."""
    return [list(map(str, loop.dispatcher.overloads)) for loop in function.lifted]


def sums(n):
    total = 0
    for i in range(n):
        for j in range(i):
            total += i * j
    return f"{total}"


def filtered(a):
    total = 0.0
    for v in a:
        if v > 3:
            continue
        if v < 0:
            break
        total += v
    steps = 0
    while total > 1:
        total -= 0.75
        steps += 1
    return [float(total), steps]


def mixed(words, n):
    lengths = []
    for word in words:
        lengths.append(len(word))
    total = 0
    for i in range(n):
        total += i
    return lengths, total


def with_else(n):
    total = 0
    for i in range(n):
        if i == 5:
            break
        total += i
    else:
        total *= 2
    return total


def first_above(a, limit):
    i = 0
    while True:
        if a[i] > limit:
            break
        i += 1
    return i


def writes(a):
    for i in range(len(a)):
        a[i] = a[i] * 2 + i
    return a


def keeps(n, last=-1):
    for i in range(n):
        last = i
    return last


def inner_try(n):
    total = 0
    for i in range(n):
        try:
            total += 10 // (2 - i)
        except ZeroDivisionError:
            total -= 1
    return total


def prefix(n):
    total = 0
    for i in range(n):
        total += i
    yield total
    for j in range(total):
        yield -j


CASES = [
    (sums, [(0,), (10,), (100,)]),
    (filtered, [(np.arange(6.0),), (np.array([1.0, -1, 2]),), ([1, 2, 3],), ((),), (np.arange(9)[::-2],)]),
    (mixed, [(["a", "bcd"], 5), ([], 0)]),
    (with_else, [(0,), (4,), (5,), (9,)]),
    (first_above, [(np.arange(5), 2), ([1, 5, 2], 1), ((1.5, 2.5), 2)]),
    (writes, [(np.arange(4.0),), ([1, 2],), (np.zeros(0, "i4"),)]),
    (keeps, [(0,), (3,), (0, "none"), (2, "none")]),
    (inner_try, [(0,), (5,)]),
]


@pytest.mark.parametrize(("function", "calls"), CASES, ids=lambda value: getattr(value, "__name__", None))
def test_results_are_those_of_python(function, calls):
    compiled = lifting(function)
    for args in calls:
        copies = [
            np.copy(one) if isinstance(one, np.ndarray) else list(one) if isinstance(one, list) else one
            for one in args
        ]
        expected = function(*args)
        for _ in range(2):
            fresh = [
                np.copy(one) if isinstance(one, np.ndarray) else list(one) if isinstance(one, list) else one
                for one in copies
            ]
            np.testing.assert_equal(compiled(*fresh), expected)


def test_loops_with_machine_types_are_compiled_for_them():
    compiled = lifting(mixed)
    compiled(["a"], 5)
    # The list that is empty before the first loop is one of what that puts in.
    assert lifted_types(compiled) == [["(List(unicode_type), List(int64))"], ["(int64, int64)"]]
    compiled(["b", "c"], 6)
    assert [len(loop.refused) for loop in compiled.lifted] == [0, 0]
    # A list of several types is none.
    compiled(["b", 2.5][:1] + [b"c", "d"], 6)
    assert [len(loop.refused) for loop in compiled.lifted] == [1, 0]


def test_the_loops_of_a_generator():
    assert list(lifting(prefix)(4)) == list(prefix(4))


def test_an_int_beyond_64_bits_runs_the_loop_itself():
    compiled = lifting(keeps)
    assert compiled(2, 2**80) == 1
    assert compiled(0, 2**80) == 2**80


def fails(a, i):
    total = 0
    for v in a:
        total += i // v
    return total


def test_errors_of_a_loop_are_raised_once_at_its_line():
    compiled = lifting(fails)
    assert compiled(np.array([1, 2]), 4) == 6
    with pytest.raises(ZeroDivisionError) as raised:
        compiled(np.array([1, 0]), 4)
    lines = [entry.lineno for entry in traceback.extract_tb(raised.tb) if entry.name == "fails"]
    first = fails.__code__.co_firstlineno
    assert lines == [first + 2, first + 3]
    with pytest.raises(TypeError):
        compiled(["a"], 4)


def test_a_function_without_loops_is_only_object_mode():
    compiled = lifting(lambda x: x + 1)
    assert compiled(1) == 2
    assert not hasattr(compiled, "lifted")


def test_what_a_function_has_stays():
    def documented(a: int, /, b=2, *args, c: float = 3.0, **rest):
        """Say it."""
        for i in range(a):
            b += i
        return b, args, c, rest

    documented.mark = 1
    compiled = lifting(documented)
    assert compiled(3) == documented(3)
    assert compiled(3, 4, 5, c=1, d=2) == documented(3, 4, 5, c=1, d=2)
    assert compiled.mark == 1
    assert compiled.__doc__ == "Say it."
    assert inspect.signature(compiled) == inspect.signature(documented)


def test_globals_and_free_variables_are_seen():
    step = 3

    def steps(n):
        total = 0
        for i in range(n):
            total += step * i
        return total, __name__

    compiled = lifting(steps)
    assert compiled(4) == steps(4)
    assert lifted_types(compiled) != [[]]


def test_the_option_is_for_object_mode():
    assert jit(looplift=True)(lambda x: x + 1)(2) == 3
    for options in ({}, {"forceobj": True}):
        with pytest.raises(errors.OptionError, match="expected True or False"):
            jit(looplift=3, **options)(sums)
