"""``**kwargs``: in compiled callees, in calls from Python, passed on, and what is refused of them."""

from collections import namedtuple

import numpy as np
import pytest

from pyopt import errors, njit, prange


@njit
def scaled(a, **options):
    if "scale" in options:
        a = a * options["scale"]
    return a + options.get("offset", 0)


@njit
def count(**options):
    return len(options) if options else -1


@njit
def total(first, *rest, factor=2, **others):
    result = first * factor
    for value in rest:
        result += value
    for value in others.values():
        result += 10 * value
    return result


@njit
def outer(x, **options):
    return scaled(x, **options), count(**options), count(more=1, **options)


@njit
def named(**options):
    return "a" in options, "b" in options.keys(), options.get("c")


@njit
def positional(a, /, **others):
    return a, others["a"]


@njit
def of_items(**options):
    result = 0
    for name, value in options.items():
        if name == "b":
            result -= value
        else:
            result += value
    for name in options:
        result += 100 if name == "c" else 1
    return result


@njit
def arrays(**options):
    return options["a"].sum() + options["b"][0]


@njit
def in_parallel(**options):
    out = np.zeros(4)
    for i in prange(4):
        out[i] = i * options["step"]
    return out


CALLS = [
    (scaled, (3,), {}),
    (scaled, (3,), {"scale": 2}),
    (scaled, (3,), {"offset": 0.5}),
    (scaled, (3,), {"offset": 1, "scale": 2.5}),
    (scaled, (), {"a": 4, "scale": 2}),
    (count, (), {}),
    (count, (), {"x": 1, "y": (1, 2)}),
    (total, (1,), {}),
    (total, (1, 2, 3), {}),
    (total, (1, 2, 3), {"factor": 5}),
    (total, (1, 2, 3), {"u": 5, "v": 6}),
    (total, (1,), {"v": 6, "factor": 3}),
    (total, (), {"first": 2, "v": 6}),
    (outer, (2,), {}),
    (outer, (2,), {"scale": 3, "offset": 1}),
    (named, (), {"b": 1}),
    (named, (), {"a": 1, "c": 2.5}),
    (positional, (1,), {"a": 2}),
    (of_items, (), {"a": 1, "b": 2, "c": 3}),
    (arrays, (), {"a": np.arange(3.0), "b": np.ones(2)}),
    (in_parallel, (), {"step": 2}),
]


@pytest.mark.parametrize(("function", "args", "kwargs"), CALLS)
def test_calls_from_python(function, args, kwargs):
    # Twice: the second call finds what the first one made.
    for _ in range(2):
        expected, got = function.py_func(*args, **kwargs), function(*args, **kwargs)
        np.testing.assert_equal(got, expected)


def test_calls_in_compiled_code():
    @njit
    def caller(x):
        return (
            scaled(x),
            scaled(x, scale=2),
            scaled(x, offset=0.5, scale=x),
            scaled(x, **{"scale": 3}),
            count(),
            count(a=x, b=2),
            total(x, 1, 2, v=5),
            total(*(x, 2), factor=3, **{"w": 1}),
            outer(x, scale=2),
            named(a=x),
            positional(x, a=3),
            of_items(c=x, b=x),
        )

    for x in (0, 3, -2.5):
        assert caller(x) == caller.py_func(x)


def test_parallel():
    compiled = njit(parallel=True)(in_parallel.py_func)
    np.testing.assert_array_equal(compiled(step=3), in_parallel.py_func(step=3))


def test_a_missing_name_is_a_key_error():
    @njit
    def caught(**options):
        try:
            return options["a"]
        except KeyError:
            return -1

    assert caught(b=2) == -1
    assert caught(a=2) == 2
    with pytest.raises(KeyError):
        positional(1, b=2)


@pytest.mark.parametrize(("args", "kwargs"), [((), {}), ((1, 2), {}), ((1,), {"a": 2}), ((), {"scale": 2})])
def test_wrong_calls(args, kwargs):
    with pytest.raises(TypeError) as expected:
        scaled.py_func(*args, **kwargs)
    with pytest.raises(TypeError) as got:
        scaled(*args, **kwargs)
    assert str(got.value) == str(expected.value)


def test_names_that_are_none():
    assert count(**{"é": 1}) == 1
    for name in ("a-b", "if", ""):
        with pytest.raises(errors.UnsupportedError, match="can't be a parameter's name"):
            count(**{name: 1})


def refused_item(name, **options):
    return options[name]


def refused_pop(name, **options):
    return options.pop("a")


def refused_return(name, **options):
    return options


def refused_sum(name, **options):
    return sum(options)


def refused_change(name, **options):
    options["b"] = 3
    return 1


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (refused_item, "a name that isn't constant"),
        (refused_pop, "would change the keywords"),
        (refused_return, "can't be returned"),
        (refused_sum, "sum"),
        (refused_change, "keywords"),
    ],
)
def test_refused(function, message):
    with pytest.raises(errors.TypingError, match=message):
        njit(function)(1, a=2)


def test_twice_the_same_keyword():
    @njit
    def caller(x):
        return count(a=x, **{"a": 1})

    with pytest.raises(errors.TypingError, match="multiple values for argument 'a'"):
        caller(1)


def test_twice_the_same_key_of_a_dict():
    @njit
    def made(x):
        return dict(a=x, **{"a": 1})

    with pytest.raises(errors.TypingError, match="multiple values for argument 'a'"):
        made(1)


@njit
def in_order(**options):
    return [(name, value) for name, value in options.items()]


@njit
def beside_others(first, *rest, **options):
    return first, len(rest), [name for name in options], [value for value in options.values()]


def orders(x):
    return (
        in_order(**{"z": 1}, y=2, **{"x": 3}, w=4),
        in_order(**{"z": 1}, y=2 if x > 1 else 3, **{"x": 3 if x > 1 else 4}, w=5),
        beside_others(x, *(1, 2), z=3, **{"y": 2}, x=4, **{"a": 0}),
        dict(**{"z": 1}, y=2, **{"x": x}),
        dict({"z": 1}, **{"y": 2}, x=3, **{"z": 5}),
    )


def many_in_order(x):
    return in_order(
        **{"q": 1}, a1=1, a2=2, a3=3, a4=4, a5=5, a6=6, a7=7, a8=8, a9=9, a10=10,
        a11=11, a12=12, a13=13, a14=14, a15=15, a16=16, a17=x, **{"a": 3},
    )  # fmt: skip


@pytest.mark.parametrize("function", [orders, many_in_order])
def test_keywords_of_several_dicts_keep_their_order(function):
    compiled = njit(function)
    for x in (1, 2):
        assert repr(compiled(x)) == repr(function(x))


def test_recursion_and_pickling():
    import pickle

    assert pickle.loads(pickle.dumps(scaled))(1, scale=3) == 3


def many(a, b, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15, k16):
    return a + 1, b * k16, (k2, k15)


Record = namedtuple("Record", [f"k{i}" for i in range(18)])


def with_many(n, x):
    called = compiled_many(
        a=n, b=x, k2=1, k3=2, k4=3, k5=4, k6=5, k7=6, k8=7,
        k9=8, k10=9, k11=10, k12=11, k13=12, k14=13, k15=14, k16=15,
    )  # fmt: skip
    made = Record(
        k0=(n, 4), k1=x, k2=1, k3=2, k4=3, k5=4, k6=5, k7=6, k8=7,
        k9=8, k10=9, k11=10, k12=11, k13=12, k14=13, k15=14, k16=15, k17=2.5,
    )  # fmt: skip
    return called, made.k0, made.k1 + made.k17, made.k16


compiled_many = njit(many)


def test_more_keywords_than_fit_into_an_instruction():
    # CPython puts them into a dict, one by one.
    compiled = njit(with_many)
    for arguments in ((2**60 + 1, 0.5), (1.5, 2)):
        assert compiled(*arguments) == with_many(*arguments)


def test_keywords_of_a_comprehension_are_unknown():
    @njit
    def call(n):
        return count(**{"scale": i for i in range(n)})

    with pytest.raises(errors.TypingError, match=r"names of the arguments behind '\*\*' aren't known"):
        call(2)
