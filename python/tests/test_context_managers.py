"""``with`` on generators that are context managers, against CPython."""

import contextlib
from contextlib import contextmanager, nullcontext, suppress

import context_programs
import numpy as np
import pytest
from context_programs import around, cleaning, plain, swallowing, translating
from differential.memory import growth

from pyopt import errors, njit


@contextmanager
def keeping(log, *values, factor=1):
    old = log[0]
    for value in values:
        log.append(value * factor)
    yield log
    log.append(old)


@contextmanager
def only_sometimes(log, x):
    if x > 2:
        return
    log.append(x)
    yield x


@contextmanager
@njit
def compiled(a, x):
    a[0] = x
    yield x + 0.5
    a[0] += 1


def in_a_loop(n, log):
    total = 0
    for i in range(n + 2):
        with cleaning(log, i) as value:
            if i == 1:
                continue
            if i == 3:
                return value
            if i == 5:
                break
            total += value
    return total


def several(n, log):
    with plain(log), plain(log, x=n) as nothing:
        log.append(1)
    with keeping(log, 1, n, factor=2) as same:
        same.append(9)
    return nothing is None


def raising(n, log):
    try:
        with cleaning(log, n) as value:
            if n == 2:
                raise ValueError("x")
            log.append(10 // n)
            return value
    except ValueError:
        log.append(99)
    except ZeroDivisionError:
        log.append(98)
    return 1


def swallowed(n, log):
    with swallowing(log, 1):
        if n == 2:
            raise ValueError("x")
        log.append(10 // n)
    log.append(5)
    return 2


def translated(n, log):
    try:
        with translating(log, 1):
            log.append(10 // n)
    except ValueError:
        log.append(44)
    with plain(log):
        log.append(10 // (n - 1))
    return 3


def nested(n, log):
    try:
        with around(log, 5) as value:
            log.append(10 // n)
            if n == 4:
                return value
    except ZeroDivisionError:
        log.append(3)
    return 0


def leaving(n, log):
    with cleaning(log, n), cleaning(log, n + 1):
        return 10 // n


def without(n, log):
    with only_sometimes(log, n) as value:
        log.append(value)
    return 4


def with_options(n, log):
    a = np.array([0, 3])
    with compiled(a, n) as value:
        a[1] = a[0] * 2
    log.append(a[0] + a[1])
    return value


FUNCTIONS = (*(in_a_loop, several, raising, swallowed, translated, nested, leaving, without, with_options),)


def outcome(function, n):
    log = [0]
    try:
        return function(n, log), log
    except (ZeroDivisionError, RuntimeError, KeyError) as error:
        return type(error), str(error), log


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_like_cpython(function):
    made = njit(function)
    for n in (0, 1, 2, 3, 4, 7):
        assert outcome(made, n) == outcome(function, n)
    assert growth(lambda: outcome(made, 2)) == 0


def test_values_of_any_types_are_yielded():
    @contextmanager
    def scaled(a, factor):
        a *= factor
        yield a, a.sum()
        a /= factor

    @njit
    def use(a):
        with scaled(a, 2.0) as (same, total):
            kept = same.copy()
        return kept, total, a

    kept, total, a = use(np.arange(4.0))
    assert (kept.tolist(), total, a.tolist()) == ([0, 2, 4, 6], 12, [0, 1, 2, 3])


def test_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("PYOPT_CACHE_DIR", str(tmp_path))
    for _ in range(2):
        function = njit(cache=True)(in_a_loop)
        assert outcome(function, 3) == outcome(in_a_loop, 3)
    assert sum(function.stats.cache_hits.values()) == 1


@contextmanager
def twice(x):
    yield x
    yield x


@contextmanager
def in_loop(x):
    for i in range(x):
        yield i + 1


@pytest.mark.parametrize(("manager", "why"), [(twice, "one 'yield'"), (in_loop, "outside of loops")])
def test_what_is_refused(manager, why):
    @njit
    def use(n):
        with manager(n) as value:
            return value

    with pytest.raises(errors.PyoptError, match=why) as caught:
        use(1)
    assert "with manager(n) as value" in str(caught.value)


@pytest.mark.parametrize("seed", range(80))
def test_random_programs(seed):
    function, text = context_programs.program(seed)
    made = njit(function)
    for x in range(5):
        found = []
        for one in (function, made):
            log = [0]
            try:
                found.append((one(x, log), log))
            except (ValueError, ZeroDivisionError) as error:
                found.append((type(error), log))
        assert found[1] == found[0], text


def of_the_standard_library(n):
    found = {"a": n}
    total = 0
    with suppress(KeyError, IndexError):
        total = found["b"]
    with suppress():
        total += 1
    with contextlib.suppress(LookupError):
        total += found["a"]
        total += [1][n]
        total += 100
    with nullcontext() as nothing, nullcontext(n) as value:
        total += value
    with suppress(ValueError):
        total //= n
    return total, nothing


def test_managers_of_the_standard_library():
    for n in (0, 2):
        results = []
        for function in (of_the_standard_library, njit(of_the_standard_library)):
            try:
                results.append(function(n))
            except ZeroDivisionError as error:
                results.append(type(error))
        assert results[0] == results[1]
