"""Overloads of anything that compiled code calls: functions, operators, methods, attributes."""

import operator

import numpy as np
import pytest

from pyopt import errors, literally, njit, types
from pyopt.extending import overload, overload_attribute, overload_method


class Tagged(tuple):
    """Stands for a class of a library."""


def test_builtins_are_asked_of_overloads_first():
    @overload(len)
    def _(x):
        if isinstance(x, types.Float):
            return lambda x: 3

    @overload(abs)
    def _(x):
        if isinstance(x, types.UnicodeType):
            return lambda x: 7

    of = njit(lambda x, y, z: (len(x), len(y), abs(z), abs("a")))
    assert of(0.5, (1, 2), -4) == (3, 2, 4, 7)


def test_operators_have_overloads():
    @overload(operator.add)
    def _(a, b):
        if isinstance(a, types.UnicodeType) and isinstance(b, types.Integer):
            return lambda a, b: len(a) + b

    @overload(operator.getitem)
    def _(a, i):
        if isinstance(a, types.Integer):
            return lambda a, i: (a >> i) & 1

    @overload(operator.contains)
    def _(a, i):
        if isinstance(a, types.Integer):
            return lambda a, i: ((a >> i) & 1) == 1

    @overload(operator.lt)
    def _(a, b):
        if isinstance(a, types.UnicodeType) and isinstance(b, types.Integer):
            return lambda a, b: len(a) < b

    @overload(operator.neg)
    def _(a):
        if isinstance(a, types.UnicodeType):
            return lambda a: -len(a)

    @overload(bool)
    def _(a):
        if isinstance(a, types.UnicodeType):
            return lambda a: len(a) > 3

    @njit
    def of(text, number):
        text_and_number = text + number
        text_and_number += 1
        if text:
            text_and_number += 100
        return text_and_number, number[1], 1 in number, 0 not in number, text < 4, -text, 1 + number

    assert of("abc", 2) == (6, 1, True, True, True, -3, 3)
    assert of("abcd", 2) == (107, 1, True, True, False, -4, 3)
    assert operator.add(1, 2) == 3


def test_in_place_operators_fall_back_to_the_others():
    @overload(operator.sub)
    def _(a, b):
        if isinstance(a, types.UnicodeType):
            return lambda a, b: len(a) - b

    @overload(operator.imul)
    def _(a, b):
        if isinstance(a, types.UnicodeType) and isinstance(b, types.Float):
            return lambda a, b: len(a) * b

    @njit
    def of(a, b):
        a_less = a
        a_less -= 1
        a *= b
        return a_less, a

    assert of("abcd", 0.5) == (3, 2.0)


def test_setitem_has_overloads():
    @overload(operator.setitem)
    def _(a, i, value):
        if isinstance(a, types.Array) and isinstance(i, types.UnicodeType):

            def body(a, i, value):
                a[len(i)] = value

            return body

    @njit
    def of(a):
        a["ab"] = 5
        a[0] = 1
        return a

    np.testing.assert_array_equal(of(np.zeros(3)), [1, 0, 5])


def test_methods_of_all_types():
    @overload_method(types.Integer, "half")
    def _(x):
        return lambda x: x // 2

    @overload_method(types.Number, "half")
    def _(x):
        return lambda x: x / 2

    @overload_method(types.UnicodeType, "half")
    def _(x):
        return lambda x: len(x) // 2

    @overload_method(types.UniTuple, "half")
    def _(x, at=0):
        return lambda x, at=0: x[at] // 2

    of = njit(lambda a, b, c, d: (a.half(), b.half(), c.half(), d.half(), d.half(at=1)))
    assert of(7, 7.0, "abcd", (8, 6)) == (3, 3.5, 2, 4, 3)
    with pytest.raises(errors.TypingError, match="half.*none is for this type"):
        njit(lambda x: x.half())((1, 2.0))


def test_a_method_of_arrays_is_asked_first_and_may_decline():
    @overload_method(types.Array, "sum")
    def _(a, axis=None):
        if a.ndim == 3:
            return lambda a, axis=None: -1.0

    of = njit(lambda a: a.sum())
    assert of(np.ones((2, 2, 2))) == -1.0
    assert of(np.ones((2, 2))) == 4.0
    assert njit(lambda a: np.sum(a))(np.ones((1, 1, 2))) == 2.0


def test_attributes():
    @overload_attribute(types.Array, "middle")
    def _(a):
        return lambda a: a[a.size // 2]

    @overload_attribute(types.Float, "middle")
    def _(a):
        return lambda a: a / 2

    of = njit(lambda a, b: (a.middle, b.middle, a.size))
    assert of(np.arange(5), 3.0) == (2, 1.5, 5)
    with pytest.raises(errors.TypingError, match="middle"):
        njit(lambda a: a.middle)(1)


def test_classes_of_the_program_are_called():
    @overload(Tagged)
    def _(x):
        return lambda x: (x, 1)

    assert njit(lambda x: Tagged(x))(4) == (4, 1)


def test_functions_of_one_name_are_told_apart():
    def make(number):
        def same(x):
            raise NotImplementedError

        @overload(same)
        def _(x):
            return lambda x: x + number

        return same

    first, second = make(1), make(10)
    assert njit(lambda x: first(x) * second(x))(1) == 22


def test_literal_types():
    seen = []

    def power(x, n):
        raise NotImplementedError

    @overload(power, prefer_literal=True)
    def _(x, n):
        seen.append(n)
        if isinstance(n, types.IntegerLiteral) and n.literal_value == 2:
            return lambda x, n: x * x
        if not isinstance(n, types.Literal):
            return lambda x, n: x**n

    @njit
    def of(x, n):
        return power(x, 2), power(x, 3), power(x, n)

    assert of(3.0, 4) == (9.0, 27.0, 81.0)
    assert any(isinstance(one, types.IntegerLiteral) and one.literal_value == 3 for one in seen)


def test_literals_are_tried_when_types_have_no_body():
    def pick(pair, which):
        raise NotImplementedError

    @overload(pick)
    def _(pair, which):
        if isinstance(which, types.StringLiteral):
            at = {"first": 0, "second": 1}[which.literal_value]
            return lambda pair, which: pair[at]

    assert njit(lambda pair: pick(pair, "second"))((1, 2.5)) == 2.5
    with pytest.raises(errors.TypingError, match="no body for these types"):
        njit(lambda pair, which: pick(pair, which))((1, 2.5), "second")


def test_the_value_of_a_literal_is_known_in_the_body():
    def item(pair, at):
        raise NotImplementedError

    @overload(item)
    def _(pair, at):
        if isinstance(at, types.Literal):
            return lambda pair, at: pair[at]

    assert njit(lambda pair: (item(pair, 0), item(pair, 1)))((1, 2.5)) == (1, 2.5)


def test_literally_in_a_body_asks_for_literals():
    def flag(x, on):
        raise NotImplementedError

    @overload(flag)
    def _(x, on):
        if isinstance(on, types.BooleanLiteral):
            return (lambda x, on: x) if on.literal_value else (lambda x, on: "off")
        return lambda x, on: literally(on)

    assert njit(lambda x: (flag(x, True), flag(x, False)))(1.5) == (1.5, "off")
    # The function is compiled for each value, then.
    of = njit(lambda x, on: flag(x, on))
    assert (of(1.5, True), of(1.5, False)) == (1.5, "off")
    with pytest.raises(errors.TypingError, match="needs values that are known"):
        njit(lambda x, y: flag(x, y > 1))(1.5, 2.5)


def test_types_of_numpys_classes_are_number_classes():
    def zero(dtype):
        raise NotImplementedError

    @overload(zero)
    def _(dtype):
        if isinstance(dtype, types.NumberClass):
            return lambda dtype: dtype(0)

    assert type(njit(lambda: zero(np.float64))()) is float


def test_what_names_a_type_has_numbas_classes():
    found = []

    def look(x):
        raise NotImplementedError

    @overload(look)
    def _(x):
        found.append((isinstance(x, types.NumberClass), isinstance(x, types.TypeRef), x.instance_type))
        return lambda x: 1

    array, short = types.float64[::1], np.dtype("i2")
    assert njit(lambda: look(types.int32) + look(array) + look(short))() == 3
    number, of_array, dtype = dict.fromkeys(found)
    assert number == (True, False, types.int32)
    assert of_array == (False, True, array)
    assert dtype[2] == types.int16
    assert types.NumberClass(types.int32).dtype == types.int32
    assert str(types.TypeRef(array)) == f"typeref({array})"


def test_jit_options_are_those_of_the_body():
    def inverse(x):
        raise NotImplementedError

    @overload(inverse, jit_options={"error_model": "numpy"})
    def _(x):
        return lambda x: 1 / x

    assert njit(lambda x: inverse(x))(0.0) == np.inf
    with pytest.raises(ZeroDivisionError):
        njit(lambda x: 1 / x)(0.0)


def test_an_overload_that_fails_says_so():
    def risky(x):
        raise NotImplementedError

    @overload(risky)
    def _(x):
        raise KeyError("lost")

    with pytest.raises(errors.TypingError, match="overload of .*risky failed: KeyError: 'lost'"):
        njit(lambda x: risky(x))(1)


def test_a_typing_error_leaves_the_word_to_others():
    def careful(x):
        raise NotImplementedError

    @overload(careful)
    def _(x):
        return lambda x: 1

    @overload(careful)
    def fussy(x):
        raise errors.TypingError("I take no numbers")

    assert njit(lambda x: careful(x))(1) == 1

    @overload(careful)
    def _(x, y):
        raise errors.TypingError("two are too many")

    with pytest.raises(errors.TypingError, match="too many positional arguments.*fussy.*two are too many"):
        njit(lambda x: careful(x, x))(1)


def test_an_overload_that_calls_itself_ends():
    @overload_method(types.Array, "deeper")
    def _(a):
        return lambda a: a.deeper()

    with pytest.raises(errors.TypingError):
        njit(lambda a: a.deeper())(np.ones(2))


def test_optionals_are_given_to_overloads():
    def kind(x):
        raise NotImplementedError

    @overload(kind)
    def _(x):
        if isinstance(x, types.Optional):
            return lambda x: "optional"
        return lambda x: "value"

    @njit
    def of(x, wanted):
        chosen = x if wanted else None
        return kind(chosen), kind(x)

    assert of(1.0, True) == ("optional", "value")


def test_scalars_have_views_of_their_bits():
    @njit
    def of(x, n):
        return x.view(np.int64), n.view(np.float64), n.view("u8"), np.float32(x).view(np.uint32)

    x = -1.5
    expected = (np.float64(x).view(np.int64), 0.5, 4602678819172646912, np.float32(x).view(np.uint32))
    assert of(x, int(np.float64(0.5).view(np.int64))) == expected
    with pytest.raises(errors.TypingError, match="can't be viewed as float32"):
        njit(lambda x: x.view(np.float32))(1)
    with pytest.raises(errors.TypingError):
        njit(lambda x: x.view(np.complex64))(1)


def test_empty_containers_are_described_to_overloads():
    asked = []

    @overload(bool)
    def of(x):
        asked.append(str(x))

    @njit
    def truths():
        return bool([]), bool(()), bool(((),))

    assert truths() == (False, False, True)
    assert set(asked) == {"list()", "Tuple()", "UniTuple(Tuple() x 1)"}


def test_a_method_that_overloads_give_to_some_types():
    @overload_method(types.Array, "of_arrays_alone")
    def of_arrays_alone(array, factor):
        return lambda array, factor: array.sum() * factor

    @njit
    def has(x):
        return hasattr(x, "of_arrays_alone")

    assert has(np.ones(2)) and not has(1) and not has((1, 2))
    assert njit(lambda a: a.of_arrays_alone(2))(np.ones(3)) == 6
    for function in (lambda x: x.of_arrays_alone, lambda x: x.of_arrays_alone(2)):
        with pytest.raises(errors.TypingError, match="unknown attribute 'of_arrays_alone' of type int64"):
            njit(function)(1)


def kind_of(text):
    """What `overload` is for."""


@overload(kind_of, prefer_literal=True)
def _kind_of(text):
    found = text.literal_value if isinstance(text, types.StringLiteral) else "unknown"
    return lambda text: found


def test_constant_texts_of_all_characters_are_literals():
    @njit
    def kinds():
        return (
            kind_of("ab"), kind_of("a\nb"), kind_of('a"b'), kind_of("a\\b"),
            kind_of("\\n"), kind_of("é€🐍"), kind_of(""),
        )  # fmt: skip

    assert kinds() == ("ab", "a\nb", 'a"b', "a\\b", "\\n", "é€🐍", "")
    assert types.literal('é\n"').text == '!typed.literal<"\\C3\\A9\\0A\\22">'
    both = types.Tuple([types.literal("a, (b>\\"), types.int64])
    assert types.from_text(both.text) == both and len(types.from_text(both.text)) == 2


def classes_of(x):
    """What `overload` is for."""


@overload(classes_of)
def _classes_of(x):
    kinds = (types.List, types.LiteralList, types.DictType, types.LiteralStrKeyDict)
    found = " ".join(one.__name__ for one in kinds if isinstance(x, one))
    if isinstance(x, types.LiteralStrKeyDict):
        found += f" {[(key.literal_value, str(one)) for key, one in x.literal_value.items()]}"
    elif isinstance(x, types.LiteralList):
        found += f" {x.literal_value}"
    else:
        found += f" {getattr(x, 'dtype', None)}"
    assert types.unliteral(x) == x
    return lambda x: found


def test_displays_have_classes_of_types():
    @njit
    def asked():
        return (
            classes_of([1, 2, 3]),
            classes_of(["a", 1]),
            classes_of({"a b": 1, "b": 2j, "c>": "d"}),
            classes_of([[1], [2]]),
        )

    assert asked() == (
        "List int64",
        "LiteralList [Literal[str](a), Literal[int](1)]",
        "LiteralStrKeyDict [('a b', 'Literal[int](1)'), ('b', 'complex128'), ('c>', 'Literal[str](d)')]",
        "List list(int64)",
    )


def described(x):
    """What `overload` is for."""


@overload(described)
def _described(x):
    """Look at the items of a display, as programs written for Numba do."""
    found = []
    items = x.literal_value
    for item in items.values() if isinstance(items, dict) else items:
        known = isinstance(item, types.Literal)
        found.append(repr(item.literal_value) if known else f"{item.ndim} dimensions")
    found = tuple(found)
    return lambda x: found


def test_displays_of_several_types_say_which_items_are_constants():
    @njit
    def asked(a, n):
        items = {"a": 1, "b": "cat", "c": np.ones(5), "d": a}
        return (
            described(items),
            described([a, "x", 2]),
            described(["y", True]),
            described({"n": a[n], "a": "z"}),
        )

    expected = (("1", "'cat'", "1 dimensions", "2 dimensions"), ("2 dimensions", "'x'", "2"), ("'y'", "True"))
    assert asked(np.ones((2, 2)), 0) == (*expected, ("1 dimensions", "'z'"))
    # What isn't a constant where the display is made has its type alone.
    with pytest.raises(errors.TypingError, match="has no attribute 'ndim'"):
        njit(lambda n: described([n, "x"]))(1)


doubled = np.frompyfunc(abs, 1, 1)
halved = np.frompyfunc(abs, 1, 1)


@overload(doubled)
def _doubled(x):
    return lambda x: x * 2.0


@overload(halved)
def _halved(x):
    return lambda x: x / 2.0


def test_universal_functions_of_programs():
    assert njit(lambda x: (doubled(x), halved(x)))(1.5) == (3.0, 0.75)
