"""Loops over tuples of several types, and dicts of values of several types, against CPython."""

import pytest

from pyopt import errors, njit


def constants(n):
    s = 0.0
    for x in (1, 2.5, n):
        s += x
    return s


def texts(n):
    s = ""
    for x in (1, "a", 2.5, None, True):
        s += str(x)
    return s


def argument(t):
    s = 0
    for x in t:
        s += len(x)
    return s


def counted(t):
    s = 0
    for i, x in enumerate(t):
        s += i * len(x)
    return s


def zipped(t):
    found = []
    for x, name in zip(t, ("a", "b")):
        found.append(name + str(len(x)))
    return found


def left_early(t):
    for x in t:
        if len(x) == 2:
            return 1
        if len(x) > 3:
            break
    else:
        return 2
    return 3


def nested(t):
    s = 0
    for x in t:
        for y in (1, 2.0):
            s += len(x) * int(y)
    return s


def comprehension(n):
    return [str(x) for x in (1, "a", n)]


@pytest.mark.parametrize("function", [constants, texts, comprehension])
def test_constants(function):
    assert njit(function)(3) == function(3)


@pytest.mark.parametrize("function", [argument, counted, zipped, left_early, nested])
def test_arguments(function):
    compiled = njit(function)
    for argument in (([1, 2], "abc"), ("a", [1.5]), ("abcd", [1]), ("abc", (1, 2))):
        assert compiled(argument) == function(argument)


def test_dicts_of_several_types_are_known_by_their_keys():
    def asked(n):
        d = {"a": 1, "b": "x", "c": [n, 2.0]}
        return d["a"], d["b"] + "y", d["c"][0], len(d), "b" in d, "z" in d, d.get("z", 5)

    assert njit(asked)(3.0) == asked(3.0)

    def gone_through(n):
        s = ""
        for key, value in {"a": 1, "b": "x"}.items():
            s += key + str(value)
        return s

    # That the items have several types is known to inference alone.
    assert njit(gone_through)(1) == gone_through(1) == "a1bx"


def compared(x, y):
    match x:
        case 0:
            found = "zero"
        case (_, second):
            found = str(second)
        case _:
            found = "other"
    return x == y, x != y, y in (x,), found


@pytest.mark.parametrize("x", [0, 2.5, True, (1, 2), (0, 2.5), ()])
@pytest.mark.parametrize("y", [0, False, (1, 2)])
def test_what_equals_a_tuple(x, y):
    assert njit(compared)(x, y) == compared(x, y)


def test_a_tuple_has_no_order_with_a_number():
    with pytest.raises(errors.TypingError, match="no implementation of <"):
        njit(lambda x: x < 1)((1, 2))


def methods_of_lists(x):
    items = [1, "a", 2.5, 1, x]
    found = items.index("a"), items.index(1, 1), items.index(2.5, -4, -1), items.index(x)
    counts = items.count(1), items.count("b"), items.count(x)
    return found, counts, items.copy(), items * 2, 0 * items, [x] + items


def missing_in_list(x):
    return [1, "a", x].index("b")


@pytest.mark.parametrize("x", [1, 7, 2.5])
def test_methods_of_lists_of_several_types(x):
    assert njit(methods_of_lists)(x) == methods_of_lists(x)
    with pytest.raises(ValueError, match="is not in list"):
        njit(missing_in_list)(x)
    with pytest.raises(errors.TypingError, match="a list that changes can't have items of types"):
        njit(lambda x: [1, "a"] * x)(3)


def compared_dicts(x):
    one, other = {"a": 1, "b": "x", "c": x}, {"c": x, "b": "x", "a": 1}
    return (
        (one == other, one != other, one == {"a": 1, "b": "y", "c": x}, one == {"a": 1, "b": "x", "d": x}),
        (one == {"a": 1, "b": "x"}, one.copy() == one, one == (1, "x", x), one != [1, "x", x], one == None),  # noqa: E711
    )


@pytest.mark.parametrize("x", [1, 2.5])
def test_dicts_of_several_types_are_compared(x):
    assert njit(compared_dicts)(x) == compared_dicts(x)


def test_keywords_are_compared_with_dicts():
    @njit
    def keywords(**others):
        return others == {"a": 1, "b": 2}, {"a": 1, "b": 2} != others, others == {"a": 1}

    @njit
    def none(filled, **others):
        known = {"a": 1}
        if not filled:
            known.pop("a")
        return others == known

    for given in ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1}, {"a": 2}, {"a": 1.0, "b": 2}):
        listed = ", ".join(f"{name}={value}" for name, value in given.items())
        call = eval(f"lambda: keywords({listed})", {"keywords": keywords})
        assert njit(call)() == keywords.py_func(**given)
    assert njit(lambda: (none(True), none(False), none(True, a=1)))() == (False, True, True)
