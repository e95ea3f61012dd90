"""Generators: resumed by Python and by compiled code, dropped half-way, ended by exceptions."""

import itertools
import threading

import numpy as np
import pytest
from versions import needs_todays_unbound

from pyopt import _core, errors, njit


def of_arguments(n, a):
    for i in range(n):
        if i == 3:
            continue
        yield a[i % len(a)] * i
    yield 1.5


def nothing(n, a):
    if n > 100:
        yield a[0]


def nested_loops(n, a):
    for i in range(n):
        total = 0.0
        for x in a:
            total += x * i
        for j in range(i, 0, -1):
            yield i * 10 + j, total / 2


def endless(n, a):
    x, y = 0, 1
    while True:
        yield x
        x, y = y, x + y


def arrays(n, a):
    x = np.ones(n)
    for i in range(n):
        x[i] += i
        yield x.copy()
        x = x * 2
    yield a[:2]


def sequences(n, a):
    for i, (x, y) in enumerate(zip(a, a[::-1])):
        yield i, x + y
    for k in reversed(range(n)):
        yield k, a[k % 2]


def raising(n, a):
    for i in range(n):
        yield 10 // (3 - i)


def handling(n, a):
    for i in range(n):
        try:
            yield 1 // (i - 2)
        except ZeroDivisionError:
            yield -5
        finally:
            a[0] += 1


def several_types(n, a):
    yield n
    yield 2.5
    yield True


def sometimes_unbound(n, a):
    for i in range(n):
        if i > 1:
            late = a[0] + i
        yield i
    yield late


def delegating(n, a):
    for i, total in compiled_nested(n, a):
        if i > 30:
            return
        yield i + total


def defaults(n, a, k=3, *rest):
    yield k
    for x in rest:
        yield x + n


def views(n, a):
    for i in range(n):
        yield a[i:]
        a[i] = -1.0


compiled_nested = njit(nested_loops)
FUNCTIONS = [
    of_arguments,
    nothing,
    nested_loops,
    endless,
    arrays,
    sequences,
    raising,
    handling,
    several_types,
    pytest.param(sometimes_unbound, marks=needs_todays_unbound),
    delegating,
    defaults,
    views,
]


def run(generator, limit=40):
    """The items of a generator, copied, and what it raises."""
    items = []
    try:
        for item in itertools.islice(generator, limit):
            items.append(item.tolist() if isinstance(item, np.ndarray) else item)
    except Exception as error:
        items.append(repr(error))
    return items


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("n", [0, 1, 2, 4, 6])
def test_items(function, n):
    compiled = njit(function)
    mine, theirs = np.arange(8.0), np.arange(8.0)
    before = _core.memory_stats()
    assert run(compiled(n, mine)) == run(function(n, theirs))
    np.testing.assert_array_equal(mine, theirs)
    after = _core.memory_stats()
    assert after[0] - before[0] == after[1] - before[1]


def test_other_arguments():
    compiled = njit(defaults)
    a = np.ones(1)
    for arguments in ((1, a), (1, a, 2), (1, a, 2, 3, 4)):
        assert run(compiled(*arguments)) == run(defaults(*arguments))


@njit
def consume(n, a):
    total = 0.0
    for x in compiled_of_arguments(n, a):
        if x > 20:
            break
        total = total * 2 + x
    return total


@njit
def step(n):
    generator = compiled_endless(n, np.zeros(1))
    next(generator)
    total = next(generator) * 100
    for x in generator:
        if x > n:
            break
        total += x
    return total + next(generator)


@njit
def exhaust(count):
    generator = compiled_raising(2, np.zeros(1))
    total = 0
    for _ in range(count):
        total += next(generator)
    return total


@njit
def with_default(count):
    generator = compiled_raising(2, np.zeros(1))
    total = 0
    for _ in range(count):
        total += next(generator, -0.5)
    return total


@njit
def caught(n):
    count = 0
    try:
        for x in compiled_raising(n, np.zeros(1)):
            count += x
    except ZeroDivisionError:
        count += 1000
    return count


@njit
def many_arrays(n):
    total = 0.0
    for x in compiled_arrays(n, np.arange(3.0)):
        total += x.sum()
        if total > 30:
            return total
    return total


@njit
def left_without_a_value(n):
    # What has no value behind the loop is made on the way out of it, in a protected range.
    total = 0
    try:
        total += n
    except ZeroDivisionError:
        last = 1
    else:
        for x in compiled_raising(n, np.zeros(1)):
            total += x
    finally:
        if n < 0:
            total += last
    return total


compiled_of_arguments = njit(of_arguments)
compiled_endless = njit(endless)
compiled_raising = njit(raising)
compiled_arrays = njit(arrays)


@pytest.mark.parametrize(
    "function", [consume, step, exhaust, with_default, caught, many_arrays, left_without_a_value]
)
@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, 40])
def test_in_compiled_code(function, n):
    arguments = (min(n, 9), np.arange(9.0)) if function is consume else (n,)
    before = _core.memory_stats()

    def outcome(call):
        try:
            return call(*arguments)
        except Exception as error:
            return repr(error)

    assert outcome(function) == outcome(function.py_func)
    after = _core.memory_stats()
    assert after[0] - before[0] == after[1] - before[1]


def test_what_is_dropped_half_way_is_released():
    before = _core.memory_stats()
    generator = compiled_arrays(5, np.arange(3.0))
    next(generator)
    kept = next(generator)
    del generator
    np.testing.assert_array_equal(kept, [2, 3, 2, 2, 2])
    closed = compiled_arrays(5, np.arange(3.0))
    next(closed)
    closed.close()
    assert list(closed) == []
    del kept, closed
    after = _core.memory_stats()
    assert after[0] - before[0] == after[1] - before[1]


def test_arguments_live_as_long_as_the_generator():
    generator = njit(views)(3, np.arange(4.0))
    np.testing.assert_array_equal(next(generator), [0, 1, 2, 3])
    np.testing.assert_array_equal(next(generator), [1, 2, 3])


def test_an_exception_ends_it():
    generator = compiled_raising(9, np.zeros(1))
    assert [next(generator), next(generator), next(generator)] == [3, 5, 10]
    with pytest.raises(ZeroDivisionError):
        next(generator)
    assert list(generator) == []


def test_what_it_is():
    generator = compiled_raising(1, np.zeros(1))
    assert iter(generator) is generator
    assert "generator(int64)" in str(compiled_raising.nopython_signatures[0].return_type)


def test_threads_have_their_own_generators():
    sums = []

    def work():
        sums.append(sum(itertools.islice(compiled_endless(0, np.zeros(1)), 50)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(sums)) == 1


def two_types(n):
    yield n
    yield np.zeros(n)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (two_types, "can't unify the types of what is yielded"),
    ],
)
def test_refusals(function, message):
    with pytest.raises(errors.TypingError, match=message):
        njit(function)(3)
