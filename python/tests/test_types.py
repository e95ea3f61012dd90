"""Types, signatures, and what values are typed as."""

import copy
import enum
import pickle
from collections import namedtuple

import numpy as np
import pytest

from pyopt import errors, njit, typeof, types


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "si64"),
        (True, "i1"),
        (2.5, "f64"),
        (1j, "complex<f64>"),
        (None, "!typed.none"),
        (np.int8(1), "si8"),
        (np.uint64(1), "ui64"),
        (np.float16(1), "f16"),
        (np.float32(1), "f32"),
        (np.float64(1), "f64"),
        (np.complex64(1), "complex<f32>"),
        (np.bool_(True), "i1"),
        (np.longlong(1), "si64"),
        (np.float32, "!typed.dtype<f32>"),
        (np.dtype("u2"), "!typed.dtype<ui16>"),
        ((), "tuple<>"),
        ((1, (2.0, None)), "tuple<si64, tuple<f64, !typed.none>>"),
    ],
)
def test_typeof_values(value, text):
    assert typeof(value).text == text
    assert types.from_text(text) == typeof(value)


def frozen(array):
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (np.zeros(3), "1, f64, C"),
        (np.zeros(()), "0, f64, C"),
        (np.zeros((2, 3), np.int32), "2, si32, C"),
        (np.zeros((2, 3)).T, "2, f64, F"),
        (np.zeros((4, 6))[::2, ::3], "2, f64, A"),
        (np.zeros(5)[::-1], "1, f64, A"),
        (np.zeros(3, bool), "1, i1, C"),
        (frozen(np.zeros(3)), "1, f64, C, readonly"),
        (np.zeros(3, [("a", "i1"), ("b", "f8")])["b"], "1, f64, bytes"),
        (np.broadcast_to(np.zeros(3), (2, 3)), "2, f64, A, readonly"),
    ],
)
def test_typeof_arrays(array, text):
    assert typeof(array).text == f"!typed.array<{text}>"


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "?"])
def test_every_dtype(dtype):
    array = np.zeros((1, 2, 3), dtype)
    assert typeof(array).dtype == typeof(array[0, 0, 0])


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (object(), "'object'"),
        ([].append, "'builtin_function_or_method'; refer to the function by its global name"),
        (np.zeros(2, ">i4"), "dtype '>i4' isn't in this machine's byte order"),
        (np.zeros(2, object), "unsupported array dtype 'object'"),
        (np.zeros(2, "M8[10s]"), "unsupported array dtype 'datetime64[10s]'"),
        (np.ma.zeros(2), "cannot pass a 'MaskedArray': compiled code doesn't see its mask"),
        ((1, [2, object()]), "'object'"),
        ([{1, "a"}], "a list of objects of which only the class is known"),
        ([[1], [2.5]], "items of several types"),
    ],
)
def test_values_that_cannot_be_passed(value, reason):
    with pytest.raises(TypeError) as caught:
        typeof(value)
    assert reason in str(caught.value)


def test_containers_are_known_by_their_class():
    assert [repr(typeof(value)) for value in ({1, "a"}, {1: 2, "a": 3})] == ["set", "dict"]
    assert typeof(b"a") == types.bytes_type
    assert repr(typeof(bytearray(2))) == "bytearray(array(uint8, 1d, C))"
    with pytest.raises(TypeError, match="cannot pass a frozenset without items"):
        typeof(frozenset())


def test_dicts_and_sets():
    assert typeof({1: 2.5}) == types.Dict(types.int64, types.float64)
    assert typeof({(1, 2.5)}) == types.Set(types.Tuple([types.int64, types.float64]))
    compiled = njit(types.int64(types.Dict(types.int64, types.int64)))(length)
    assert compiled({1: 2, 3: 4}) == 2


def length(items):
    return len(items)


def test_lists():
    assert typeof([1]) == types.List(types.int64)
    assert str(typeof([[(1, 2.5)]])) == "list(list(Tuple(int64, float64)))"
    assert repr(typeof([1])) == "List(int64)"
    compiled = njit("int64(List(int64))")(length)
    assert compiled.signatures == [(types.List(types.int64),)]
    assert compiled([1, 2]) == 2
    assert types.List(types.int64, reflected=False) == types.List(types.int64)


def test_an_int_beyond_64_bits_overflows():
    with pytest.raises(OverflowError):
        typeof(2**64)
    assert typeof(2**63 - 1) == typeof(-(2**63)) == types.int64
    assert typeof(2**63) == typeof(2**64 - 1) == types.uint64


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("float64(float64[:], int64)", "(!typed.array<1, f64, A>, si64) -> f64"),
        ("(i4, f4)", "(si32, f32) -> ?"),
        ("int64", "(si64) -> ?"),
        ("void(f8[:, ::1], f8[::1, :], boolean[::1])", None),
        ("UniTuple(int64, 2)(Tuple((int64, float64)))", "(tuple<si64, f64>) -> tuple<si64, si64>"),
        ("none()", "() -> !typed.none"),
        (types.float64(types.int64), "(si64) -> f64"),
        ((types.int64, types.float32[::1]), "(si64, !typed.array<1, f32, C>) -> ?"),
    ],
)
def test_signatures(source, text):
    signature = types.parse_signature(source)
    if text is None:
        text = "(!typed.array<2, f64, C>, !typed.array<2, f64, F>, !typed.array<1, i1, C>) -> !typed.none"
    assert signature.text == text


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("float64(float6)", "name 'float6' is not defined"),
        ("float64(", "was never closed"),
        ("__import__('os')", "name '__import__' is not defined"),
        ("3", "expected types, got 3"),
        ("float64[1:]", "an array type is written float64[:, ::1]"),
        ("float64[:, ::1, :]", "only the first or the last dimension"),
        (7, "expected types, got 7"),
    ],
)
def test_broken_signatures(source, reason):
    with pytest.raises(errors.OptionError) as caught:
        types.parse_signature(source)
    assert reason in str(caught.value)


def test_types_compare_by_text():
    assert types.float64[:, ::1] == types.Array(types.float64, 2, "C")
    assert len({types.int64, types.i8, types.intp}) == 1
    assert types.Array(types.int8, 1, "A", readonly=True) != types.int8[:]
    assert str(types.UniTuple(types.int64, 2)) == "UniTuple(int64 x 2)"
    # Of a dtype, too.
    assert typeof(np.dtype("f8"))[:, ::1] == types.float64[:, ::1]


def test_types_with_names_of_their_own_are_one_object():
    """Programs compare with `is`, also what another process has sent."""
    for one in (types.int64, types.float32, types.boolean, types.none, types.unicode_type, types.complex128):
        assert pickle.loads(pickle.dumps(one)) is copy.copy(one) is copy.deepcopy(one) is one
    assert pickle.loads(pickle.dumps(types.Tuple([types.int64, types.float64])))[1] is types.float64
    assert pickle.loads(pickle.dumps(types.int64[:])).dtype is types.int64


class Shade(enum.Enum):
    LIGHT = 1


class Weight(enum.IntEnum):
    HEAVY = 5


Point = namedtuple("Point", "x y")


@pytest.mark.parametrize(
    "type",
    [
        *(types.float64[:, ::1], types.Array(types.int8, 1, "A", readonly=True), types.NPDatetime("ns")),
        *(types.Tuple([]), types.Tuple([types.int64, types.float64]), types.UniTuple(types.float64[:], 2)),
        *(types.NamedTuple([types.int64, types.float64], Point), types.NamedUniTuple(types.int64, 2, Point)),
        *(types.List(types.int64), types.ListType(types.int64), types.SetType(types.unicode_type)),
        *(types.DictType(types.int64, types.Tuple([types.int8, types.none])), types.Optional(types.int64)),
        *(types.FunctionType(types.int64(types.int64)), types.CPointer(types.int8), types.voidptr),
        *(types.literal(3), types.literal("a"), types.Omitted(2.5), typeof(np.dtype("f4"))),
        *(typeof(Shade.LIGHT), typeof(Shade), typeof(Weight.HEAVY), types.from_dtype(np.dtype("i4,f8"))),
    ],
    ids=str,
)
def test_types_are_pickled_and_copied(type):
    for one in (pickle.loads(pickle.dumps(type)), copy.copy(type), copy.deepcopy(type)):
        assert one == type and hash(one) == hash(type) and repr(one) == repr(type)
        assert one.__class__ is type.__class__


@pytest.mark.parametrize("value", [object(), np.zeros(2, ">f8"), np.ma.array([1.0]), np.array([None])])
@pytest.mark.parametrize("kind", [TypeError, ValueError, errors.TypingError])
def test_errors_of_what_has_no_type(value, kind):
    """Programs catch one or the other."""
    with pytest.raises(kind):
        typeof(value)
