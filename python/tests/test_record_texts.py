"""Texts and bytes in records, and titles of fields, against NumPy."""

from dataclasses import dataclass

import numpy as np
import pytest

from pyopt import errors, from_dtype, njit, types

DTYPE = np.dtype([("n", "i1"), ("name", "U5"), ("tag", "S4"), ("x", "f8")])
NAMES = ["", "a", "abc", "äöü", "€\0a", "🐍 snake", "abcdefgh"]
TAGS = [b"", b"x", b"1234", b"a\0b", b"a\0", b"\xff\xfe", b"123456"]


def filled():
    records = np.zeros(len(NAMES), DTYPE)
    records["name"], records["tag"] = NAMES, TAGS
    records["x"] = np.arange(len(NAMES))
    return records


@njit
def read(r, i):
    return r[i].name, r[i]["tag"], r[i].x


@njit
def write(r, i, name, tag):
    r[i].name = name
    r[i]["tag"] = tag


def test_reading():
    records = filled()
    for at in range(len(records)):
        name, tag, x = read(records, at)
        assert (name, tag, x) == (records[at]["name"], records[at]["tag"], records[at]["x"])
        assert type(name) is str and type(tag) is bytes


def test_writing_cuts_and_fills_up_with_zeros():
    got, expected = filled(), filled()
    for at, (name, tag) in enumerate(zip(reversed(NAMES), reversed(TAGS), strict=True)):
        write(got, at, name, tag)
        expected[at]["name"], expected[at]["tag"] = name, tag
    assert got.tobytes() == expected.tobytes()


def test_what_was_read_stays_when_the_record_changes():
    def f(r):
        before = r[1].name
        r[1].name = "other"
        return before, r[1].name

    assert njit(f)(filled()) == ("a", "other")


def test_a_record_may_be_an_argument_and_compared_and_copied():
    def f(r, one):
        r[0] = one
        r[2] = (7, "new", b"t", 2.5)
        return r[0] == one, r[0] == r[1], r[2].name, r.copy()[0].name

    got = filled()
    expected = filled()
    expected[0], expected[2] = expected[3], (7, "new", b"t", 2.5)
    assert njit(f)(got, got[3].copy()) == (True, False, "new", "äöü")
    assert got.tobytes() == expected.tobytes()


def test_texts_of_records_are_keys_and_parts_of_others():
    def f(r):
        count = {}
        for one in r:
            key = one.name[:1] + "!"
            count[key] = count.get(key, 0) + len(one.tag)
        return count

    records = filled()
    expected = {}
    for one in records:
        key = str(one["name"])[:1] + "!"
        expected[key] = expected.get(key, 0) + len(one["tag"])
    assert njit(f)(records) == expected


def test_views_and_unaligned_records():
    for records in (filled()[::-1], filled()[1::2]):
        for at in range(len(records)):
            assert read(records, at)[0] == records[at]["name"]
    swapped = np.zeros(2, [("s", ">U3"), ("x", "f8")])
    with pytest.raises(errors.TypingError, match="the field 's' holds what compiled code doesn't"):
        njit(lambda r: r[0].s)(swapped)


@dataclass
class Counter:
    """Something whose field is assigned."""

    count: int


def test_a_field_without_a_type_beside_data_classes():
    counter = Counter(1)
    assert njit(lambda counter: counter.count)(counter) == 1
    swapped = np.zeros(2, [("s", ">U3"), ("x", "f8")])
    with pytest.raises(errors.TypingError, match="the field 's' holds what compiled code doesn't"):
        njit(lambda r: r[0].s)(swapped)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda r: r.name, "would be an array of texts"),
        (lambda r: r[0].missing, "its fields are n, name, tag, x"),
    ],
)
def test_refusals(function, message):
    with pytest.raises(errors.TypingError, match=message):
        njit(function)(filled())


def test_what_a_field_takes():
    def f(r):
        r[0].name = 3

    with pytest.raises(errors.TypingError, match="the field 'name' takes unicode_type, not "):
        njit(f)(filled())


def test_ascii_goes_into_fields_of_the_other_kind():
    def f(r, text, data):
        r[0].tag = text
        r[1].name = data

    got, expected = filled(), filled()
    njit(f)(got, "abc", b"abc")
    expected[0]["tag"], expected[1]["name"] = "abc", b"abc"
    assert got.tobytes() == expected.tobytes()
    for text, data, error in (("é", b"", UnicodeEncodeError), ("", b"\xff", UnicodeDecodeError)):
        with pytest.raises(error):
            njit(f)(got, text, data)


def test_types():
    kind = from_dtype(DTYPE)
    assert kind.typeof("name") == types.UnicodeCharSeq(5)
    assert kind.typeof("tag") == types.CharSeq(4)
    assert kind.dtype == DTYPE
    declared = njit([types.unicode_type(types.Array(kind, 1, "C"))])(lambda r: r[1].name)
    assert declared(filled()) == "a"


def test_titles_are_other_names():
    dtype = np.dtype([(("The first", "a"), "f8"), ("b", "i4"), (("third", "c"), "i2", (2,))])
    records = np.zeros(3, dtype)
    records["a"], records["b"] = [1.5, 2.5, 3.5], [1, 2, 3]

    def f(r):
        r[0]["The first"] += 1
        r[1]["third"][1] = 7
        return r[0]["The first"], r[0].a, r["third"].sum(), r[2].b

    got, expected = records.copy(), records.copy()
    expected[0]["a"] += 1
    expected[1]["c"][1] = 7
    assert njit(f)(got) == (2.5, 2.5, 7, 3)
    assert got.tobytes() == expected.tobytes()
    kind = from_dtype(dtype)
    assert kind.dtype == dtype and kind.dtype.fields["The first"][1] == 0
    assert kind.is_title("third") and not kind.is_title("c")
    assert len(kind) == 3 and set(kind.fields) == set(dtype.fields)
