"""Builtins: hashes, attributes by name, classes, orders of tuples, sorted, round, texts, ranges."""

import math
import random

import numpy as np
import pytest
from compare import compile_once

from pyopt import errors


def outcome(function, args):
    """Give the result, or what is raised."""
    try:
        return function(*args)
    except Exception as raised:
        return type(raised), str(raised)


def check(function, *args):
    """Compare with Python on the arguments as they are: their classes matter here."""
    assert outcome(compile_once(function), args) == outcome(function, args)


def hashed(x):
    return hash(x)


def hashed_by_method(x):
    return getattr(x, "__hash__")()  # noqa: B009 -- the name is what is tested


EDGES = [
    0, 1, -1, -2, 2**61 - 1, 2**61, -(2**61 - 1), 2**63 - 1, -(2**63), 2**63, 2**64 - 1, True, False,
    0.0, -0.0, 1.0, -1.0, 1e300, -1e-300, 5e-324, math.inf, -math.inf, 0.1, 2.0**61, 1j, 2.5 - 3j,
    (), (1,), (1, 2.5), ((1, 2), (3,)), (True, -1, 1j),
]  # fmt: skip


def test_hashes_are_those_of_python():
    rng = random.Random(1)
    values = EDGES + [rng.randint(-(2**63), 2**63 - 1) for _ in range(300)]
    values += [rng.uniform(-1, 1) * 10.0 ** rng.randint(-300, 300) for _ in range(500)]
    values += [tuple(rng.random() for _ in range(3)) for _ in range(50)]
    for value in values:
        assert compile_once(hashed)(value) == hash(value), value
        assert compile_once(hashed_by_method)(value) == hash(value), value


def attributes(x):
    return getattr(x, "real", 7), getattr(x, "nothing", 5), hasattr(x, "real"), hasattr(x, "nothing")


def hidden(x):
    return hasattr(x, "__hash__"), hasattr(x, "__len__"), hasattr(x, "append"), hasattr(x, "bit_length")


def dimensions(x):
    return getattr(x, "ndim"), getattr(np, "pi")  # noqa: B009 -- as above


def missing(x):
    return getattr(x, "nothing")  # noqa: B009 -- as above


def test_attributes_by_name():
    for x in (1, 2.5, 1j, True, (1, 2), "a"):
        check(attributes, x)
        check(hidden, x)
    check(hidden, [1, 2])
    check(dimensions, np.zeros((2, 3)))
    for x in (1, 2.5, (1,), "a"):
        check(missing, x)


def of_class(x, y):
    return type(x)(y), type(x) is int, type(x) is float


def kinds(x):
    return (
        isinstance(x, int), isinstance(x, float), isinstance(x, (complex, str)), isinstance(x, list),
        isinstance(x, tuple), isinstance(x, set), isinstance(x, dict), isinstance(x, bytes),
        isinstance(x, np.ndarray), isinstance(x, np.int8), isinstance(x, np.float32), isinstance(x, range),
    )  # fmt: skip


def test_classes():
    for x, y in ((1, 2.5), (2.5, 1), (1j, 2), (True, 0)):
        check(of_class, x, y)
    values = (1, 2.5, 1j, True, "a", (1,), (1, 2.5), [1], np.zeros(2), np.int8(1), np.int32(1), np.float32(1))
    for value in (*values, {1}, {}, {"a": 1}, b"a", None, bytearray(1)):
        check(kinds, value)


def names_an_object(x, n):
    return n if isinstance(x, dict) else -n


def walks(x):
    for _ in x:
        return 1


def gives_back(x):
    return x


def test_objects_of_which_only_the_class_is_known():
    compiled = compile_once(names_an_object)
    assert compiled({}, 3) == compiled({"a": 2}, 3) == 3
    assert compiled({1}, 3) == -3
    assert compiled(frozenset([1]), 3) == compiled({1, "a"}, 3) == -3
    with pytest.raises(errors.TypingError, match="iteration over set is not supported"):
        compile_once(walks)({1, "a"})
    with pytest.raises(errors.TypingError, match="an object of type set can't be returned"):
        compile_once(gives_back)({1, "a"})


def least(a, b):
    return min(a, b), max(a, b), min((a, b)), max((b, a, b))


def test_orders_of_tuples_and_texts():
    for a in ((1, 2), (1, 3), (0, 9)):
        for b in ((1, 2), (2, 0)):
            check(least, a, b)
    check(least, "a", "b")
    check(least, "ab", "a")


def in_order(x):
    return sorted(x), sorted(x, reverse=True)


def test_sorted():
    for x in ((3, 1, 2), np.array([3, 1, 2, 1]), np.arange(40.0)[::-1], [2.5, -1.0], range(3, 0, -1)):
        found = compile_once(in_order)(x) if not isinstance(x, range) else None
        if found:
            assert found == (sorted(x), sorted(x, reverse=True))
            assert all(isinstance(part, list) for part in found)


def in_order_of_range(n):
    return sorted(range(n, 0, -1)), sorted((n, 2.5, 1))


def test_sorted_of_ranges_and_mixed_tuples():
    for n in (0, 1, 5, 50):
        assert compile_once(in_order_of_range)(n) == in_order_of_range(n)


def rounded(x, n):
    return round(x, n)


def test_round_to_any_digits():
    rng = random.Random(2)
    for _ in range(200):
        x = rng.uniform(-1000, 1000)
        for n in (-2, -1, 0, 1, 3, 8):
            assert compile_once(rounded)(x, n) == round(x, n)
    for x in (math.inf, 1e308, 0.0, 5e-324):
        assert compile_once(rounded)(x, 30) == round(x, 30)


def texts(flag, text):
    return str(flag), repr(flag), str(text), str(), str(None)  # noqa: UP018


def test_texts_that_need_no_memory():
    check(texts, True, "abc")
    check(texts, False, "ä")


def within(x, a, b, s):
    return x in range(a, b, s), x not in range(b, a, -s)


def test_numbers_in_ranges():
    for x in (3, 4.0, 4.5, -1.0, 3 + 0j, 3 + 1j, 1e300, math.nan, True):
        for s in (1, 2, 3):
            check(within, x, 0, 10, s)
