"""Generators that don't outlive the function that makes them, and some that do."""

import numpy as np
import pytest
from memory import live

from pyopt import _core, njit


def summed(a, n):
    return sum(x * x + n for x in a)


def any_and_all(a, n):
    return any(x > n for x in a), all(x < n for x in a)


def extremes(a, n):
    return max(x * n for x in a), min(x - n for x in a)


def made_in_a_loop(a, n):
    total = 0.0
    for i in range(n):
        total += sum(x * i for x in a[i:])
        for x in (y + i for y in a):
            if x > 3:
                break
            total += x
    return total


def nested(a, n):
    return sum(sum(x * y for x in a) for y in a)


def pairs(a, n):
    for x in a:
        for i in range(n):
            yield x, i


compiled_pairs = njit(pairs)


def unpacked(a, n):
    total = 0.0
    for x, i in compiled_pairs(a, n):
        total += x * i
    return total


def taken_up_again(a, n):
    generator = (x + n for x in a)
    total = 0.0
    for x in generator:
        total += x
        if x > 2:
            break
    for x in generator:
        total += 10 * x
    for x in generator:
        total += 100 * x
    return total


def of_a_temporary(a, n):
    return sum(x * 2 for x in a + n)


def divided(a, n):
    return sum(1 / (int(x) - n) for x in a)


def raising_consumer(a, n):
    total = 0.0
    for x in (y * 2 for y in a + 0):
        if x == 2 * n:
            raise ValueError("found", n)
        total += x
    return total


def caught(a, n):
    try:
        return sum(1 / (int(x) - n) for x in a + 0)
    except ZeroDivisionError:
        return -1.0


def first_arrays(a, n):
    for i in range(n):
        yield a[i:]
        yield np.full(2, float(i))


compiled_arrays = njit(first_arrays)


def of_arrays(a, n):
    total = 0.0
    for x in compiled_arrays(a, n):
        total += x.sum()
    return total


def returned(a, n):
    return compiled_pairs(a, n)


def kept(a, n):
    generator = compiled_pairs(a, n)
    held = (generator, n)
    return held[0]


def drain(generator, depth):
    for x in generator:
        if depth > 0:
            return x + drain(generator, depth - 1)
        return x
    return 0.0


compiled_drain = njit(drain)


def passed_down(a, n):
    return compiled_drain((x * 1.5 for x in a), n)


CASES = [
    summed,
    any_and_all,
    extremes,
    made_in_a_loop,
    nested,
    taken_up_again,
    of_a_temporary,
    divided,
    raising_consumer,
    caught,
]
compiled = {function: njit(function) for function in CASES}


def outcome(function, *args):
    try:
        return "value", function(*args)
    except (ValueError, ZeroDivisionError) as error:
        return type(error), error.args


@pytest.mark.parametrize("n", range(6))
@pytest.mark.parametrize("size", [1, 2, 5, 40])
@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_results_and_memory(function, size, n):
    a = np.arange(float(size))
    expected = outcome(function, a, n)
    outcome(compiled[function], a, n)
    before = live()
    for _ in range(3):
        got = outcome(compiled[function], a, n)
    assert got[0] == expected[0]
    if got[0] == "value":
        np.testing.assert_allclose(got[1], expected[1], rtol=1e-12)
    else:
        assert got[1] == expected[1]
    del got
    assert live() == before


def written(a, n):
    total = 0.0
    for x, i in pairs(a, n):
        total += x * i
    return total


def written_arrays(a, n):
    return sum(x.sum() for x in first_arrays(a, n))


def written_drain(a, n):
    return drain((x * 1.5 for x in a), n)


@pytest.mark.parametrize(
    ("function", "reference"),
    [(unpacked, written), (of_arrays, written_arrays), (passed_down, written_drain)],
)
def test_generators_of_other_functions(function, reference):
    made = njit(function)
    for n in range(6):
        a = np.arange(6.0)
        np.testing.assert_allclose(made(a, n), reference(a, n), rtol=1e-12)
        before = live()
        made(a, n)
        assert live() == before


@pytest.mark.parametrize("function", [returned, kept])
def test_those_that_outlive_the_function(function):
    made = njit(function)
    before = live()
    assert list(made(np.arange(3.0), 2)) == list(pairs(np.arange(3.0), 2))
    assert live() == before


def test_nothing_is_allocated():
    a = np.arange(5.0)
    compiled[summed](a, 2)
    before = _core.memory_stats()[0]
    compiled[summed](a, 2)
    assert _core.memory_stats()[0] == before
