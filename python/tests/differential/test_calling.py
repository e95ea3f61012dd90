"""Calls of compiled functions: arguments of all kinds, keywords, wrong counts, dispatch over types."""

import numpy as np
import pytest
from arrays import laid_out, matrix
from compare import assert_same, check

from pyopt import errors, njit


def parameters(a, b=2, *, c=3):
    return a * 100 + b * 10 + c


CALLS = [
    ((1,), {}),
    ((1, 5), {}),
    ((1,), {"b": 7}),
    ((), {"a": 4}),
    ((), {"b": 1, "a": 2}),
    ((1,), {"c": 9}),
    ((1, 2), {"c": 9}),
    ((), {"c": 1, "b": 2, "a": 3}),
    ((1.5,), {"c": 0.25}),
    ((), {}),
    ((1, 2, 3), {}),
    ((1,), {"a": 2}),
    ((1,), {"d": 2}),
    ((), {"b": 1}),
    ((), {"c": 1}),
    ((1, 2, 3, 4), {"c": 1}),
]


@pytest.mark.parametrize(("args", "kwargs"), CALLS, ids=str)
def test_keywords_and_defaults(args, kwargs):
    compiled = njit(parameters)
    try:
        expected = parameters(*args, **kwargs)
    except TypeError as error:
        with pytest.raises(TypeError) as caught:
            compiled(*args, **kwargs)
        assert str(caught.value) == str(error)
    else:
        assert_same(compiled(*args, **kwargs), expected)


def test_default_values_of_all_kinds():
    def function(x, scale=0.5, flag=True, nothing=None, pair=(1, 2.5)):
        if flag and nothing is None:
            return x * scale + pair[0] * pair[1]
        return x * 1.0

    check(function, 3)
    check(function, 3, 2.0)
    check(function, 3, 2.0, False)
    check(function, 1.5, 2.0, True, None, (3, 0.5))


# Tuples


def swap_pair(p):
    return p[1], p[0]


def unpack_nested(t):
    (a, b), c = t
    return c, (b, (a,)), len(t)


def tuple_of_kinds(t):
    return t[0] + 1, not t[1], t[2] * 2.0, t[3], t[-1]


def empty_tuple(t):
    return (), len(t), t


def homogeneous(t):
    total = 0
    for i in range(len(t)):
        total += t[i] * i
    return total


def tuple_arithmetic(t):
    return t + (1, 2.5), t == t, (1, 2) < (1, 3), t[0:1] if False else (t[0],)


def test_tuples_in_and_out():
    check(swap_pair, (1, 2.5))
    check(swap_pair, (True, None))
    check(swap_pair, ((1, 2), (3.5, ())))
    check(unpack_nested, ((1, 2.5), True))
    check(unpack_nested, ((np.int8(3), np.float32(0.5)), 7))
    check(tuple_of_kinds, (1, True, 2.5, None, 9))
    check(empty_tuple, ())
    check(homogeneous, (1, 2, 3))
    check(homogeneous, (0.5, 1.5))


def test_tuples_of_arrays():
    a, b = np.arange(3.0), matrix(2, 3, "i4", "F")

    def function(t, k):
        x, (y, n) = t
        x[0] = n
        return (y, x[1:]), (k, (x, n))

    compiled = njit(function)
    got = compiled((a, (b, 7)), 2.5)
    assert got[0][0] is b
    assert got[1][1][0] is a
    assert a[0] == 7.0
    assert_same(got, function((a, (b, 7)), 2.5))


def test_shapes_are_tuples():
    check(lambda a: a.shape, np.zeros((2, 3, 4)), numpy=True)
    check(lambda a: a.shape[::-1] if False else a.shape + (1,), np.zeros((2, 3)), numpy=True)
    check(lambda a: (a.ndim, a.size, a.shape[-1], len(a)), np.zeros((2, 3)), numpy=True)


# Scalars of NumPy

SCALARS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"]


@pytest.mark.parametrize("dtype", SCALARS)
def test_numpy_scalars_come_back_as_pythons(dtype):
    kind = np.dtype(dtype).type
    for value in (0, 1, 100):
        check(lambda x: x, kind(value))
    if dtype[0] == "i":
        check(lambda x: x, np.iinfo(dtype).min)
        check(lambda x: x, kind(np.iinfo(dtype).min))
    if dtype[0] in "iu":
        check(lambda x: x, kind(np.iinfo(dtype).max))
    if dtype[0] == "f":
        for value in (-0.0, np.inf, -np.inf, np.nan, 0.1):
            check(lambda x: x, kind(value))


def test_integers_beyond_64_bits_are_refused():
    for value in (2**64, -(2**63) - 1, 10**30):
        with pytest.raises(OverflowError):
            njit(lambda x: x)(value)


def test_large_ints_have_no_sign():
    for value in (2**63, 2**64 - 1):
        assert njit(lambda x: (x, x >> 1))(value) == (value, value >> 1)
        assert njit("uint64(uint64, uint64)")(lambda x, y: x & y)(value, 3) == value & 3


# Dispatch


def doubled(x):
    return x + x


def test_one_compilation_for_each_type():
    compiled = njit(doubled)
    arrays = [np.arange(3), np.arange(3.0), np.ones((2, 2), order="F")]
    values = [1, 2.5, True, np.int8(3), np.float32(0.1), *arrays]
    for value in values:
        assert_same(compiled(value), _expected_double(value))
    count = len(compiled.signatures)
    assert count == len(values)
    for value in values:
        compiled(value)
    assert len(compiled.signatures) == count


def _expected_double(value):
    if isinstance(value, np.integer):
        return int(value) * 2  # arithmetic on integers has 64 bits
    return value + value


def test_layouts_are_types():
    compiled = njit(lambda a: a[0, 0])
    for layout in ("C", "F", "strided", "readonly", "unaligned"):
        compiled(laid_out(np.ones((3, 4)), layout))
    assert len(compiled.signatures) == 5


def test_types_alternate():
    compiled = njit(doubled)
    for _ in range(50):
        assert compiled(2) == 4
        assert compiled(0.5) == 1.0
        assert compiled(np.ones(2)).tolist() == [2.0, 2.0]


@pytest.mark.parametrize(
    "value",
    [
        [1, "text"],
        object(),
        np.array(["a"]),
        np.array([None]),
    ],
    ids=["mixed", "object", "text", "objects"],
)
def test_unsupported_arguments_are_named(value):
    compiled = njit(lambda x, unsupported: x)
    with pytest.raises(TypeError, match="unsupported"):
        compiled(1, value)
    # The function is as good as before.
    assert compiled(1, 2) == 1


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x + "text",
        lambda x: x.nothing,
        lambda x: x[0],
        lambda x: x(),
        lambda x: undefined_name + x,  # noqa: F821
        lambda x: [x][0].append,
        lambda x: np.no_such_function(x),
        lambda x: open(x),
    ],
    ids=["add", "attribute", "item", "call", "name", "method", "numpy", "open"],
)
def test_what_cannot_be_compiled_is_located(function):
    compiled = njit(function)
    with pytest.raises(errors.PyoptError) as caught:
        compiled(1)
    text = str(caught.value)
    assert f"{__file__}:{function.__code__.co_firstlineno}" in text
    # It fails again, and does so without breaking anything.
    with pytest.raises(errors.PyoptError):
        compiled(1)


def test_unsupported_statements_are_located():
    def with_import(x):
        from .math import sqrt

        return sqrt(x)

    def with_yield(x):
        yield from x

    for function in (with_import, with_yield):
        with pytest.raises(errors.PyoptError) as caught:
            njit(function)(1)
        assert __file__ in str(caught.value)
