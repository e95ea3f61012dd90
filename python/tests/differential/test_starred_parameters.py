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


compiled_named = njit(named)


@njit
def recursive(n, *args):
    if n == 0:
        return len(args)
    return recursive(n - 1, *args)


def star_and_keyword(x, t):
    return compiled_named(x, *t, shift=3)


def stars_only(x, t):
    return compiled_named(*t, x, *t, scale=x, shift=x)


def double_star(x, t):
    return compiled_named(*t, **{"shift": x}) + compiled_named(x, **{"scale": 2, "b": x}, shift=1)


def nothing_behind_stars(x, t):
    return compiled_named(*(), *t, x, shift=0, **{})


@pytest.mark.parametrize("function", [star_and_keyword, stars_only, double_star, nothing_behind_stars])
def test_keywords_of_calls_with_stars(function):
    for t in ((1,), (1, 2), (3, 4, 5), (1.5, 2.5, 3.5, 4.5)):
        check(function, type(t[0])(2), t)


def given_twice(x, t):
    return compiled_named(x, *t, shift=1, **{"shift": 2})


def unknown_names(x, t):
    return compiled_named(x, **t)


def no_tuple(x, t):
    return compiled_named(*x, shift=1)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (given_twice, "multiple values for argument 'shift'"),
        (unknown_names, r"names of the arguments behind '\*\*' aren't known"),
        (no_tuple, r"behind '\*' must be a tuple, not int64"),
    ],
)
def test_refused_stars(function, message):
    with pytest.raises(errors.TypingError, match=message):
        njit(function)(1, (2,))


def test_recursion_with_stars():
    for arguments in ((0,), (3,), (2, 1.5), (0, 1, 2)):
        assert recursive(*arguments) == recursive.py_func(*arguments)


def displays_of_texts(text):
    return (
        [*"abc", text],
        [*"äß𝔘"],
        [text, *text, *"ab"],
        [*b"ab", 3],
        (*"ab", len(text)),
        [*"", *"x"],
        sorted({*"ba", text}),
    )


def test_texts_in_displays():
    check(displays_of_texts, "hi")
