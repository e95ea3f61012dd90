"""Truth values that ``prange`` loops collect."""

import numpy as np
import pytest
from on_threads import check, warns_of

from pyopt import prange


def and_condition(a, limit):
    ok = True
    for i in prange(len(a)):
        ok = ok and a[i] < limit
    return ok


def or_condition(a, limit):
    found = False
    for i in prange(len(a)):
        found = found or a[i] > limit
    return found


def condition_and(a, limit):
    ok = True
    for i in prange(len(a)):
        ok = a[i] < limit and ok
    return ok


def two_conditions(a, limit):
    ok = True
    for i in prange(len(a)):
        ok = ok and a[i] < limit and a[i] > -limit
    return ok


def or_in_place(a, limit):
    found = False
    for i in prange(len(a)):
        found |= a[i] > limit
    return found


def and_in_place(a, limit):
    ok = True
    for i in prange(len(a)):
        ok &= a[i] < limit
    return ok


def xor_in_place(a, limit):
    odd = False
    for i in prange(len(a)):
        odd ^= a[i] > limit
    return odd


def set_true(a, limit):
    found = False
    for i in prange(len(a)):
        if a[i] > limit:
            found = True
    return found


def set_false(a, limit):
    ok = True
    for i in prange(len(a)):
        if not a[i] < limit:
            ok = False
    return ok


def set_unless_set(a, limit):
    found = False
    for i in prange(len(a)):
        if not found:
            if a[i] > limit:
                found = True
    return found


def set_in_inner_loop(a, limit):
    found = False
    for i in prange(len(a)):
        for j in range(i % 3):
            if a[i] + j > limit:
                found = True
    return found


def with_continue(a, limit):
    found = False
    for i in prange(len(a)):
        if i % 2:
            continue
        found = found or a[i] > limit
    return found


def nested_loop(a, limit):
    ok = True
    for i in prange(len(a)):
        for j in range(len(a)):
            if j == i:
                continue
            ok = ok and a[j] < limit
    return ok


def both(a, limit):
    all_small = True
    any_large = False
    for i in prange(len(a)):
        all_small = all_small and a[i] < limit
        any_large = any_large or a[i] > limit
    return all_small, any_large


def given_start(a, ok):
    for i in prange(len(a)):
        ok = ok and a[i] < 2
    return ok


FUNCTIONS = (
    and_condition,
    or_condition,
    condition_and,
    two_conditions,
    or_in_place,
    and_in_place,
    xor_in_place,
    set_true,
    set_false,
    set_unless_set,
    set_in_inner_loop,
    with_continue,
    nested_loop,
    both,
)


def arrays():
    numbers = np.random.default_rng(3)
    for size in (0, 1, 2, 5, 40):
        a = numbers.normal(size=size)
        yield a
        for at in {0, size // 2, size - 1} if size else ():
            with_nan, extreme = a.copy(), a.copy()
            with_nan[at] = np.nan
            extreme[at] = 100
            yield from (with_nan, extreme)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_truth(function):
    check(function, *((a, limit) for a in arrays() for limit in (50.0, 0.5)))


def test_start():
    check(given_start, *((a, start) for a in arrays() for start in (True, False)))


def test_integers():
    values = [np.arange(n) - 3 for n in (0, 1, 4, 30)]
    for function in (and_condition, set_true, both):
        check(function, *((a, limit) for a in values for limit in (2, 100)))


# What depends on the order stays on one thread.


def guards_an_error(a, b):
    ok = True
    for i in prange(len(a)):
        ok = ok and a[i] / b[i] < 2
    return ok


def guards_a_store(a, b):
    found = False
    for i in prange(len(a)):
        if not found:
            b[i] = a[i]
        found = found or a[i] > 1
    return found


def counts_until_found(a, b):
    found = False
    count = 0
    for i in prange(len(a)):
        found = found or a[i] > 1
        if not found:
            count += 1
    return found, count


def last_decides(a, b):
    found = False
    for i in prange(len(a)):
        if a[i] > 1:
            found = True
        elif a[i] < -1:
            found = False
    return found


def alternates(a, b):
    odd = False
    for i in prange(len(a)):
        odd = not odd or a[i] > 1
    return odd


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (guards_an_error, "decides what else an iteration does"),
        (guards_a_store, "decides what else an iteration does"),
        (counts_until_found, "is used for something else than one reduction"),
        (last_decides, "is replaced in an iteration that another one sees"),
        (alternates, "is used for something else than one reduction"),
    ],
)
def test_others_stay_on_one_thread(function, reason):
    numbers = np.random.default_rng(4)
    pairs = [(numbers.normal(size=n) * 2, numbers.normal(size=n)) for n in (0, 1, 6, 30)]
    zeros = [(a, np.where(b > 1, 0.0, b)) for a, b in pairs]
    check(function, *pairs, *zeros, serial=True)
    warns_of(function, pairs[-1], reason)
