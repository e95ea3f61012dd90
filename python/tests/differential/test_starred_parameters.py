"""Functions that take ``*args``."""

import numpy as np
import pytest
from compare import check

from pyopt import errors, njit


def count(*args):
    return len(args)


def total(first, *rest):
    s = first
    for x in rest:
        s += x
    return s


def named(a, b=2, *rest, scale=3, shift):
    s = 0
    for x in rest:
        s += x
    return (a + b + s) * scale + shift


def first_of(*args):
    return args[0], args[-1], args[1:]


def passed_on(x, *args):
    return total(*args) * x + count(*args)


def unpacked(pair, *args):
    return total(*pair) + total(*args)


@njit
def filled(out, *values):
    for i in range(len(values)):
        out[i] = values[i]
    return out


CALLS = [(), (1,), (1, 2), (1.5, 2), (1, 2.5, 3), (True, 2, 3, 4, 5j)]


@pytest.mark.parametrize("args", CALLS, ids=str)
def test_counts(args):
    check(count, *args)
    if args:
        check(first_of, *args)


def test_sums():
    check(total, 1)
    check(total, 1, 2, 3)
    check(total, 1.5, 2.5)
    check(passed_on, 1, 2, 3)
    check(passed_on, 1)
    check(unpacked, (1, 2), 5, 6)
    check(unpacked, (1.5, 2), 5.0)


@pytest.mark.parametrize(
    ("args", "keywords"),
    [
        ((1,), {"shift": 4}),
        ((1, 5), {"shift": 4, "scale": 2}),
        ((1, 5, 6, 7), {"shift": 4}),
        ((), {"a": 1, "shift": 0}),
        ((), {"shift": 0}),
        ((1, 2, 3), {}),
        ((1, 2, 3), {"shift": 0, "rest": 1}),
        ((1, 2, 3), {"b": 1, "shift": 0}),
    ],
    ids=str,
)
def test_names_and_defaults(args, keywords):
    compiled = njit(named)
    try:
        expected = named(*args, **keywords)
    except TypeError as error:
        with pytest.raises(TypeError) as raised:
            compiled(*args, **keywords)
        assert str(raised.value) == str(error)
    else:
        assert compiled(*args, **keywords) == expected


def test_arrays():
    np.testing.assert_array_equal(filled(np.zeros(3), 1, 2, 3), [1, 2, 3])
    np.testing.assert_array_equal(filled(np.zeros(2)), [0, 0])
    assert len(filled.overloads) == 2


def test_an_argument_that_has_no_machine_type():
    with pytest.raises(TypeError, match="argument 'args': cannot pass an object of type 'object'"):
        njit(count)(1, object())


def test_keywords_stay_refused():
    with pytest.raises(errors.UnsupportedError, match=r"\*\*kwargs"):
        njit(lambda **kwargs: 1)
