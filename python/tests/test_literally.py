"""``literally``: functions that are compiled for the values of their arguments."""

import gc
import threading
from collections import namedtuple

import numpy as np
import pytest

from pyopt import errors, literally, njit, types
from pyopt.extending import overload

ITEMS = (1, 2.5, "three")


@njit
def item(i):
    return ITEMS[literally(i)]


def test_each_value_is_compiled_once():
    pick = njit(item.py_func)
    assert [pick(i) for i in (0, 1, 0, -2, 1)] == [1, 2.5, 1, 2.5, 2.5]
    assert len(pick.overloads) == 3
    assert str(pick.signatures[0][0]) == "Literal[int](0)"


def test_values_of_both_kinds():
    @njit
    def choose(flag, x):
        if literally(flag):
            return x
        return "no"

    assert choose(True, 2.5) == 2.5
    assert choose(False, 2.5) == "no"
    assert choose(flag=True, x=3) == 3


def test_only_what_is_asked_for():
    @njit
    def function(t, i, x):
        return t[literally(i)] + x

    assert function((1, 2.5), 1, 3) == 5.5
    assert function((1, 2.5), 1, 4) == 6.5
    assert len(function.overloads) == 1


def test_values_that_are_passed_on():
    @njit
    def inner(t, i):
        return t[literally(i)]

    @njit
    def outer(t, i, x):
        return inner(t, i) * x + i

    assert outer((1, 2.5), 1, 2.0) == 6.0
    assert outer((1, 2.5), 0, 2.0) == 2.0
    assert njit(lambda t: inner(t, 1) + inner(t, 0))((1, 2.5)) == 3.5


def test_recursion_and_defaults():
    @njit
    def last(t, i=1):
        return t[literally(i)]

    assert last((1, 2.5)) == 2.5 and last((1, 2.5), 0) == 1


def test_what_has_no_value():
    @njit
    def computed(n):
        return ITEMS[literally(n + 1)]

    @njit
    def inner(t, i):
        return t[literally(i)]

    @njit
    def from_loop(t):
        total = 0.0
        for i in range(2):
            total += inner(t, i)
        return total

    with pytest.raises(errors.PyoptError, match=r"literally\(\) needs a value"):
        computed(0)
    with pytest.raises(errors.PyoptError, match="the argument 'i' of inner must be a constant"):
        from_loop((1, 2.5))
    for wrong in (1.5, b"a", np.ones(2), None):
        with pytest.raises(errors.PyoptError, match="needs the value of the argument 'i'"):
            item(wrong)
    with pytest.raises(errors.PyoptError, match="needs the value of the argument 'i'"):
        njit("float64(int64)")(item.py_func)


def test_values_that_closures_share():
    """A closure that is inlined shares the variables of its function, which are parameters all the same."""

    @njit
    def f(t, i, k):
        def closure(j):
            return t[literally(j)] + 10 * inner(t, i)

        return closure(k)

    @njit
    def inner(t, i):
        return t[literally(i)]

    assert f((1, 2.5), 1, 0) == 26.0 and f((1, 2.5), 0, 1) == 12.5

    @njit
    def changed(t, i):
        def closure(j):
            return t[literally(j)] + inner(t, i)

        i += 1
        return closure(0)

    # With the value of the argument what is computed of it is known.
    assert changed((1, 2.5), 0) == 3.5


def kind_of(text):
    """What `overload` is for."""


@overload(kind_of, prefer_literal=True)
def _kind_of(text):
    if isinstance(text, types.StringLiteral):
        found = (len(text.literal_value), text.literal_value.upper())
        return lambda text: found


@pytest.mark.parametrize("text", ["abc", "", "a\nb", 'a"b>, c\\', "é€", "🐍"])
def test_texts(text):
    asked = njit(lambda text: kind_of(literally(text)))
    assert asked(text) == (len(text), text.upper())
    assert asked("other") == (5, "OTHER") and asked(text)[0] == len(text)


def test_a_text_with_a_surrogate_is_passed_and_no_type_has_it():
    assert njit(lambda text: len(literally(text)))("a\ud800") == 2
    with pytest.raises(errors.TypingError, match="kind_of"):
        njit(lambda text: kind_of(literally(text)))("a\ud800")


def test_the_class_of_errors_is_numbas():
    @njit
    def packed(a, *rest):
        return literally(rest)

    with pytest.raises(errors.LiteralTypingError, match=r"literally\(\) needs a value"):
        packed(1, 2, 3)
    assert issubclass(errors.LiteralTypingError, errors.TypingError)


def test_many_values_threads_and_collection():
    @njit
    def power(x, n):
        result = x
        for _ in range(literally(n)):
            result = result * x
        return result

    def work():
        for n in range(6):
            assert power(2, n) == 2 ** (n + 1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()
    assert len(power.overloads) == 6
    power.recompile()
    assert power(2, 3) == 16 and len(power.overloads) == 6


def test_extreme_values():
    @njit
    def same(n):
        return literally(n)

    for n in (-(1 << 63), (1 << 63) - 1, -1, 0):
        assert same(n) == n


def chosen_by(x):
    """What `overload` is for."""


@overload(chosen_by)
def _chosen_by(x):
    return lambda x: with_options(x, size=literally(3), mode=literally("near"))


@overload(chosen_by)
def _chosen_by_value(x, size):
    return lambda x, size: with_options(x, size=literally(size), mode="far")


@njit
def with_options(x, size=1, mode="none"):
    known = literally(size), literally(mode)
    return x * known[0], kind_of(known[1])


def test_bodies_of_overloads_with_constants():
    assert njit(lambda x: chosen_by(x))(1.5) == (4.5, (4, "NEAR"))
    assert njit(lambda x, size: chosen_by(x, size))(1.5, 2) == (3.0, (3, "FAR"))
    assert njit(lambda x: with_options(x))(1.5) == (1.5, (4, "NONE"))


def test_a_type_of_a_text_is_passed_as_its_value():
    chosen = njit(lambda text, x: (x, kind_of(text)))
    assert chosen(types.literal("abcd"), 3) == (3, (4, "ABCD"))
    assert njit(lambda *args: kind_of(args[0]))(types.literal("é>")) == (2, "É>")
    # As a text it has no value that is known.
    with pytest.raises(errors.TypingError, match="kind_of"):
        chosen("abcd", 3)


def held_by(x):
    """What `overload` is for."""


def first_of(x):
    """What `overload` is for."""


def shown(value):
    return "none" if value is None else repr(value)


@overload(held_by, prefer_literal=True)
def _held_by(x):
    initial = shown(getattr(x, "initial_value", "no such attribute"))
    name = type(x).__name__
    return lambda x: (name, initial)


@overload(first_of)
def _first_of(x):
    """Ask for the value, as programs written for Numba do."""
    if x.initial_value is None:
        return lambda x: literally(x)
    first = repr(next(iter(x.initial_value)))
    return lambda x: (first, len(x))


def test_what_displays_were_made_of():
    @njit
    def of(n, text):
        return (
            held_by([1, 2, 3]),
            held_by(["a", 'b"'])[1],
            held_by([True])[1],
            held_by([(1, "x"), (2, "y")])[1],
            held_by([[1], [2, 3]])[1],
            held_by({"a": 1, "b": 2}),
            held_by({2: "x"})[1],
            held_by([1, n])[1],
            held_by({text: 1})[1],
            held_by([1, "a"]),
            held_by((1, 2))[0],
        )

    assert of(1, "t") == (
        ("List", "[1, 2, 3]"),
        "['a', 'b\"']",
        "[True]",
        "[(1, 'x'), (2, 'y')]",
        "[[1], [2, 3]]",
        ("Dict", "{'a': 1, 'b': 2}"),
        "{2: 'x'}",
        "none",
        "none",
        ("LiteralList", "'no such attribute'"),
        "Tuple",
    )


def test_literally_asks_for_what_displays_were_made_of():
    @njit
    def of():
        items = {"b": 1, "a": 2}
        return first_of([4, 5]), first_of(items), first_of(["x"])

    assert of() == (("4", 2), ("'b'", 2), ("'x'", 1))
    # The function is compiled for the values that are passed.
    assert [njit(lambda n: first_of([n, 0]))(n) for n in (1, 7)] == [("1", 2), ("7", 2)]
    with pytest.raises(errors.TypingError, match="values that are known"):
        njit(lambda n: first_of([n, 0.5]))(1.5)


def test_a_dict_that_is_changed_says_what_it_was_made_of():
    @njit
    def of(n):
        counts = {"a": 1}
        counts["b"] = n
        items = [1, 2]
        items.append(n)
        return held_by(counts)[1], len(counts), held_by(items)[1], len(items)

    assert of(3) == ("{'a': 1}", 2, "none", 3)


def only_known(x):
    """What `overload` is for."""


@overload(only_known)
def _only_known(x):
    if isinstance(x, types.Literal):
        value = x.literal_value
        return lambda x: value
    return None


@njit
def passed_on(x):
    return only_known(x)


@njit
def passed_on_twice(x):
    return passed_on(x), x


@njit
def with_a_default(a, x=7):
    return a + passed_on(x)


@njit
def chosen_item(t, i):
    return t[i]


@njit
def attribute(x, name):
    return getattr(x, name)


def test_functions_are_compiled_for_constants_where_they_must_be():
    assert njit(lambda: (passed_on(3), passed_on(4), passed_on("q")))() == (3, 4, "q")
    assert njit(lambda: passed_on_twice(True))() == (True, True)
    assert njit(lambda a: with_a_default(a, 3) + with_a_default(a, x=4))(1) == 9
    assert njit(lambda t: (chosen_item(t, 0), chosen_item(t, -1)))((1, 2.5)) == (1, 2.5)
    point = namedtuple("Point", "x y")(1, 2.5)
    assert njit(lambda point: (attribute(point, "y"), attribute(point, "x")))(point) == (2.5, 1)
    # What is known at run time only isn't.
    with pytest.raises(errors.TypingError, match="no body for these types") as caught:
        njit(lambda x, y: passed_on(x + y))(1, 2)
    assert "only_known" in str(caught.value)
    # Where nothing needs it, a function is compiled once for all values.
    once = njit(lambda a: chosen_item(a, 0) + chosen_item(a, 1))
    assert once(np.array([1, 2])) == 3
    assert once.inspect_ir("infer-types").count("func.func private @") == 1


def test_recursion_is_not_compiled_for_ever_new_constants():
    @njit
    def down(n):
        return only_known(n) if n < 1 else down(n - 1)

    with pytest.raises(errors.TypingError, match="no body for these types"):
        njit(lambda: down(20))()


def by_mode(x, mode):
    """Stand for a function of a library."""
    raise NotImplementedError


@overload(by_mode)
def _(x, mode):
    if not isinstance(mode, types.StringLiteral):
        return None
    if mode.literal_value == "double":
        return lambda x, mode: x + x
    if mode.literal_value == "square":
        return lambda x, mode: x * x
    return None


def test_overloads_know_defaults_by_their_values():
    @njit
    def plain(x, mode="double"):
        return by_mode(x, mode)

    @njit
    def by_keyword(x, scale=2, *, mode="square"):
        return by_mode(x, mode) * scale

    @njit
    def outer(x, mode="square"):
        return plain(x, mode)

    @njit
    def inner_default(x):
        return plain(x) + plain(x, "square")

    assert plain(3) == 6
    assert plain(2.5) == 5.0
    assert by_keyword(3) == 18
    assert by_keyword(3, 3) == 27
    assert outer(3) == 9
    assert inner_default(3) == 15
    # What is passed for such a parameter is known by its value, too.
    assert plain(3, "square") == 9
    assert [plain(x, mode) for x in (1, 2) for mode in ("double", "square")] == [2, 1, 4, 4]


def test_a_default_that_no_overload_has_a_body_for():
    @njit
    def other(x, mode="cube"):
        return by_mode(x, mode)

    @njit
    def without_default(x, mode):
        return by_mode(x, mode)

    for call in (lambda: other(3), lambda: without_default(3, "double")):
        with pytest.raises(errors.TypingError, match="no body for these types"):
            call()
