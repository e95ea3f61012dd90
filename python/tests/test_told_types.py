"""What types tell programs: those that ``typeof`` gives, and those that overloads are asked with."""

import collections
from array import array

import numpy as np
import pytest

from pyopt import cfunc, errors, njit, typeof, types
from pyopt.extending import overload, overload_attribute, overload_method
from pyopt.typed import Dict

Pair = collections.namedtuple("Pair", "first second")
SIZE = np.dtype([("width", "f8"), ("height", "f8")])


def test_the_type_of_a_record():
    made = typeof(np.zeros(2, SIZE)[0])
    assert isinstance(made, types.Record) and not isinstance(made, types.Array)
    assert made.dtype == SIZE and made.fields["height"].type == types.float64
    assert made.fields["height"].offset == 8
    area = njit(types.float64(made))(lambda size: size.width * size.height)
    assert area(np.array([(2, 3)], SIZE)[0]) == 6.0
    scaled = njit(types.float64(types.Tuple((made, types.int64))))(lambda pair: pair[0].width * pair[1])
    assert scaled((np.array([(2, 3)], SIZE)[0], 4)) == 8.0


def kind(value):
    """Say what a value is; compiled code asks the overload."""


@overload(kind)
def _(value):
    found = "record" if isinstance(value, types.Record) else type(value).__name__
    return lambda value: found


@overload_method(types.Record, "diagonal")
def _(size):
    return lambda size: (size.width**2 + size.height**2) ** 0.5


@overload_attribute(types.Record, "area")
def _(size):
    return lambda size: size.width * size.height


def test_overloads_are_asked_with_records():
    sizes = np.array([(3, 4), (6, 8)], SIZE)
    asked = njit(lambda value: kind(value))
    assert (asked(sizes), asked(sizes[0])) == ("Array", "record")
    assert njit(lambda sizes: kind(sizes[1]))(sizes) == "record"
    assert njit(lambda size: size.diagonal())(sizes[1]) == 10.0
    assert njit(lambda sizes: sum([size.area for size in sizes]))(sizes) == 60.0


def test_named_tuples_know_their_class():
    for value, is_uniform in ((Pair(1, 2), True), (Pair(1, 2.5), False)):
        made = typeof(value)
        assert made.instance_class is Pair and made.fields == Pair._fields
        assert isinstance(made, types.NamedUniTuple) is is_uniform
        assert isinstance(made, types.NamedTuple)


@pytest.mark.parametrize(
    ("value", "is_sequence"), [((1, 2), True), (Pair(1, 2), True), ((1, 2.5), False), (Pair(1, 2.5), False)]
)
def test_tuples_of_several_types_are_no_sequences(value, is_sequence):
    made = typeof(value)
    assert isinstance(made, types.BaseTuple)
    for kind in (types.Sequence, types.Container, types.IterableType):
        assert isinstance(made, kind) is is_sequence


@pytest.mark.parametrize(
    ("value", "kind", "dtype", "mutable"),
    [
        (b"ab", types.Bytes, types.uint8, False),
        (bytearray(b"ab"), types.ByteArray, types.uint8, True),
        (memoryview(b"ab"), types.MemoryView, types.uint8, False),
        (array("d", [1.0]), types.PyArray, types.float64, True),
    ],
)
def test_buffers_tell_their_items(value, kind, dtype, mutable):
    made = typeof(value)
    assert isinstance(made, kind)
    assert (made.dtype, made.ndim, made.layout, made.mutable) == (dtype, 1, "C", mutable)


@pytest.mark.parametrize(
    ("value", "has_step"), [(slice(1), False), (slice(1, 2), False), (slice(None, None, 2), True)]
)
def test_slices_tell_whether_they_have_a_step(value, has_step):
    made = typeof(value)
    assert (made.has_step, made.members) == (has_step, 2 + has_step)


def test_what_can_change_says_so():
    assert typeof([1]).mutable and typeof({1}).mutable and typeof(np.zeros(1)).mutable
    assert not any(one.mutable for one in (types.int64, types.unicode_type, typeof((1, 2)), types.none))


def test_values_without_a_type():
    for value in (object(), np.zeros(2, ">f8"), np.ma.zeros(2)):
        with pytest.raises(ValueError) as caught:
            typeof(value)
        assert isinstance(caught.value, errors.TypingError)


def test_types_of_numbers_convert():
    assert types.int8(-3) == np.int8(-3) and type(types.float32(2)) is np.float32
    assert types.boolean(5) is True
    for wrong in (lambda: types.int8(300), lambda: types.uint8(-1)):
        with pytest.raises(OverflowError):
            wrong()


def test_literals_are_made_by_their_classes():
    for kind, value in ((types.IntegerLiteral, 3), (types.StringLiteral, "a"), (types.BooleanLiteral, True)):
        assert kind(value) == types.literal(value) and kind(value).literal_value == value
    for wrong in (lambda: types.IntegerLiteral("a"), lambda: types.literal(2.5)):
        with pytest.raises(errors.LiteralTypingError):
            wrong()


def test_c_functions_are_functions_of_a_signature():
    one, other = (cfunc("int64(int64)")(body) for body in (lambda x: x + 1, lambda x: x * 2))
    made = typeof(one)
    assert made == types.FunctionType(types.int64(types.int64))
    kept = Dict.empty(types.unicode_type, made)
    kept["one"], kept["other"] = one, other
    assert njit(lambda kept: kept["one"](3) + kept["other"](5))(kept) == 14
    apply = njit(types.int64(made, types.int64))(lambda function, x: function(x))
    assert (apply(one, 3), apply(other, 3)) == (4, 6)
    assert len(apply.signatures) == 1

    def shifted(function, x):
        """Call a function; compiled code asks the overload."""

    @overload(shifted)
    def _(function, x):
        if isinstance(function, types.FunctionType) and function.signature == made.signature:
            return lambda function, x: function(x) + 100

    assert njit(lambda function, x: shifted(function, x))(one, 3) == 104
    assert type(typeof(one.ctypes)) is types.ExternalFunctionPointer
