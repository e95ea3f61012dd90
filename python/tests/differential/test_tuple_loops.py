"""Loops over tuples, which are fully counted: breaks, else, nesting, unpacking of items."""

import numpy as np
import pytest
from compare import check, compile_once

from pyopt import errors, literal_unroll, njit

FACTORS = (3, 5, 7)


def total(t):
    result = 0
    for item in t:
        result = result * 10 + item
    return result


def over_global(x):
    for factor in FACTORS:
        x *= factor
    return x


def over_literal(x):
    for step in (1, -1, 2):
        x = x * 2 + step
    return x


def first_above(t, limit):
    for item in t:
        if item > limit:
            break
    else:
        return -1
    return item


def early_return(t, wanted):
    for item in t:
        if item == wanted:
            return True
    return False


def pairs(t):
    result = 0
    for first, second in t:
        result = result * 7 + first - second
    return result


def nested(t, u):
    result = 0
    for x in t:
        for y in u:
            if y > x:
                continue
            result += x * y
    return result


def over_arrays(a, b):
    result = 0.0
    for array in (a, b, a):
        result = result * 2 + array.sum()
    return result


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (total, ((1, 2, 3),)),
        (total, ((4,),)),
        (total, ((1.5, -2.0),)),
        (over_global, (2,)),
        (over_global, (0.5,)),
        (over_literal, (3,)),
        (first_above, ((1, 4, 9), 3)),
        (first_above, ((1, 4, 9), 9)),
        (early_return, ((1, 2, 3), 3)),
        (early_return, ((1, 2, 3), 4)),
        (pairs, (((1, 2), (3, 4), (5, -6)),)),
        (nested, ((1, 2, 3), (2.5, 0.5))),
        (over_arrays, (np.arange(3.0), np.ones(5))),
    ],
)
def test_results(function, arguments):
    check(function, *arguments)


def halves(x):
    s = 0.0
    for item in (x, x * 0.5):
        s += item
    return s


def test_long_tuples_of_several_types_are_refused():
    """That the items have no common type is known to inference alone."""
    pair = compile_once(lambda x: (x, x * 0.5))

    def long(x):
        s = 0.0
        four = pair(x) + pair(x)
        sixteen = four + four + four + four
        for item in sixteen + sixteen + four:
            s += item
        return s

    with pytest.raises(errors.TypingError, match="whose items have no common type") as raised:
        compile_once(long)(1)
    assert "hint: iterate over literal_unroll" in str(raised.value)
    assert f"{__file__}:{long.__code__.co_firstlineno + 4}:" in str(raised.value)
    check(halves, 1)
    check(total, (1, 2.5))


def over_nothing(x):
    s = x
    for item in ():
        s += item
    else:
        s += 1
    for k, item in enumerate(()):
        s += k * item
    for a, b in zip((), (x, x)):
        s += a * b
    for item in reversed(()):
        s += item
    for _ in zip():
        s += 1
    return s


def test_no_items():
    check(over_nothing, 3)
    check(over_nothing, 2.5)


def several(x):
    return x, x * 0.5, (x, 2.5), 3j


def inferred(several, x):
    found = 0j
    for k, item in enumerate(several(x)):
        if isinstance(item, tuple):
            for part in item:
                if part == 7:
                    continue
                found += part
        else:
            found += item * k
        if found == 3:
            break
    else:
        found -= 100
    for a, b in zip(several(x)[:2], ("ab", 3)):
        found = found + a * len(str(b))
    return found, k


@pytest.mark.parametrize("x", [1, 2, 7, 3.5])
def test_loops_over_tuples_that_inference_knows(x):
    found, expected = njit(inferred)(njit(several), x), inferred(several, x)
    assert found == expected


def test_unrolled_loops_of_callees():
    """How many items there are is known where the function is called."""

    @njit
    def total(items, first):
        sum = first
        for item in literal_unroll(items):
            sum += item[0]
        return sum

    @njit
    def copied(pairs):
        for pair in literal_unroll(pairs):
            pair[0][:] = pair[1][:]

    @njit
    def caller(items, pairs):
        copied(pairs)
        return total(items, 10) + total((items[0],), 0.5) + total(pairs[1][1:], 0)

    a, b, c = np.zeros(2), np.ones(2), np.arange(2, 5)
    d = c * 0
    items, pairs = ((1, 2), (2.5, 3), (4j, 1)), ((a, b), (d, c))
    assert caller(items, pairs) == (10 + 3.5 + 4j) + 1.5 + 2
    assert a.tolist() == [1, 1] and d.tolist() == [2, 3, 4]


def test_unrolled_loops_of_recursive_functions():
    @njit
    def again(items, depth):
        for item in literal_unroll(items):
            depth += item
        return depth if depth > 10 else again(items, depth)

    assert again((1, 2.5), 0.0) == 10.5
    assert njit(lambda items: again(items, 0.0))((1, 2.5)) == 10.5
    assert again((1, 2.5), 0) == 10.5


def test_unrolled_loops_over_results():
    @njit
    def made(x):
        return x, x / 2, (x, 1j)

    @njit
    def f(x):
        t = made(x)
        total = 0j
        for item in literal_unroll(t):
            for part in literal_unroll((item, 1)):
                if isinstance(part, tuple):
                    for one in literal_unroll(part):
                        total += one
                else:
                    total += part
        return total

    assert f(4) == 4 + 1 + 2 + 1 + 4 + 1j + 1
    assert f(2.5) == 2.5 + 1 + 1.25 + 1 + 2.5 + 1j + 1


def test_unrolling_of_what_is_no_tuple_is_refused():
    @njit
    def f(items):
        total = 0
        for item in literal_unroll(items):
            total += item
        return total

    assert f((1, 2)) == 3 and f(()) == 0
    for items, name in ((np.arange(3), "array"), (3, "int64"), ([1, 2], "list")):
        for function in (f, njit(lambda items: f(items))):
            with pytest.raises(
                errors.TypingError, match=f"takes a tuple, or a list of constants, not .*{name}"
            ):
                function(items)


def test_numbers_of_items():
    @njit
    def of_parameter(items):
        total = 0j
        for i in range(len(literal_unroll(items))):
            total = total * 2 + items[i]
        return total

    @njit
    def of_own(z):
        items = (12, 12.7, 3j, 4, z)
        total = 0j
        for i in range(len(literal_unroll(items))):
            if i == 3:
                continue
            total += items[i]
        return total

    assert of_parameter((1, 2.5, 3j)) == (1 * 2 + 2.5) * 2 + 3j
    assert njit(lambda items: of_parameter(items))((1, 2.5)) == 4.5
    assert of_own(2) == 26.7 + 3j
    with pytest.raises(errors.TypingError, match="takes a tuple"):
        of_parameter(np.arange(2))
