"""Arrays of structured dtypes: fields as numbers and views; packed, aligned, nested; arrays in records."""

import numpy as np
import pytest

from pyopt import _core, errors, from_dtype, njit, types

FIELDS = [("a", "f8"), ("b", "i2"), ("c", "c8"), ("d", "?"), ("e", "u1"), ("f", "f4"), ("t", "M8[s]")]
PACKED = np.dtype(FIELDS)
ALIGNED = np.dtype(FIELDS, align=True)
NESTED = np.dtype([("n", "i1"), ("inner", PACKED), ("v", "f4", (2, 3)), ("w", "i2", 4)])
# Fields called as arrays' attributes and methods are.
CLASHING = np.dtype(
    [
        ("a", "f8"),
        ("size", "f8"),
        ("shape", "i4"),
        ("ndim", "i2"),
        ("T", "f4"),
        ("dtype", "i8"),
        ("copy", "u1"),
    ]
)


def filled(dtype, *shape):
    count = int(np.prod(shape))
    array = np.zeros(count, dtype)
    for name in dtype.names:
        field = array[name]
        if field.dtype.names:
            array[name] = filled(field.dtype, *field.shape)
        elif field.dtype.kind == "?":
            array[name] = np.arange(field.size).reshape(field.shape) % 2
        else:
            array[name] = np.arange(1, field.size + 1).astype(field.dtype).reshape(field.shape)
    return array.reshape(shape)


def arrays(dtype):
    a = filled(dtype, 6)
    return [a, a[::-1], a[1::2], a[:0]]


def check(function, *args):
    copies = [one.copy() for one in args]
    # In the interpreter only such arrays have fields as attributes.
    expected = function(*(one.view(np.recarray) for one in copies))
    got = njit(function)(*args)
    assert_same(got, expected)
    for one, other in zip(args, copies, strict=True):
        assert_same(one, other)


def assert_same(got, expected):
    if isinstance(expected, tuple):
        assert len(got) == len(expected)
        for one, other in zip(got, expected, strict=True):
            assert_same(one, other)
    else:
        got, expected = np.asarray(got), np.asarray(expected)
        assert got.dtype.kind == expected.dtype.kind
        assert got.shape == expected.shape
        assert (got == expected).all(), (got, expected)


def read(r):
    total = 0.0
    for i in range(len(r)):
        total += r[i].a * 2 + r[i]["b"]
        if r[i].d:
            total += r[i].c.real + r[i].e
        r[i].f = total
    return total


def written(r):
    for i in range(r.size):
        r[i].a = i + 0.5
        r[i]["b"] = i * 7 - 20
        r[i].c = r[i].a * 1j
        r[i]["d"] = r[i].b < 0
    return r


def views(r):
    r.f[:] = 7
    r["a"] += 1.5
    r["b"][1:] = r.e[:-1]
    return r.a, r["b"], r.c * 2, r.f.sum(), r.a.shape


def iterated(r):
    total = 0.0
    for one in r:
        total += one.a
        one.e = 9
    for at, one in enumerate(r):
        total += at * one["f"]
    return total


@pytest.mark.parametrize("dtype", [PACKED, ALIGNED], ids=["packed", "aligned"])
@pytest.mark.parametrize("function", [read, written, views, iterated])
def test_fields(dtype, function):
    for array in arrays(dtype):
        check(function, array)


def test_unaligned_bytes():
    raw = np.zeros(6 * PACKED.itemsize + 1, "u1")
    array = raw[1:].view(PACKED)
    array["a"] = np.arange(6)
    check(written, array)


def test_times_in_records():
    def later(r):
        for i in range(r.size):
            r[i].t += np.timedelta64(1, "m")
        return r.t.max() - r[0].t

    check(later, filled(PACKED, 4))


def test_several_dimensions():
    def moved(r):
        r.T[0, 1].a = 5
        r[1]["b"][:] = 3
        return r.a.sum(), r.T.b[1], r[:, 1].f, r[0, 1].a, r.shape, r[1:].size

    check(moved, filled(PACKED, 2, 3))


def test_nested():
    def inner(r):
        for i in range(r.size):
            r[i].inner.a = r[i].n * 2.5
            r[i]["inner"]["b"] += 1
        r.inner.e[:] = 4
        return r.inner.a.sum(), r[0].inner.b

    def parts(r):
        r[0].v[1, 2] = 9
        r[1].w[:] = r[0].w[::-1]
        r.v[:, 0] += 1
        total = 0.0
        for one in r:
            for x in one.w:
                total += x
        return total, r.v.shape, r[1].v.sum(), r[0].v[1], r.w[:, 1]

    check(inner, filled(NESTED, 3))
    check(parts, filled(NESTED, 3))


def test_records_are_assigned():
    def swapped(r):
        r[0] = r[1]
        r[2:] = r[1]
        return r[0].a

    def tuples(r):
        r[0] = (1.5, 2, 3j, True, 4, 5.5, r[1].t)
        return r[0].c

    check(swapped, filled(PACKED, 4))
    check(tuples, filled(PACKED, 2))
    check(swapped, filled(NESTED, 4).view(NESTED)["inner"])


def equal_records(a):
    return [[bool(one == other) for one in a] for other in a], [
        [bool(one != other) for one in a] for other in a
    ]


@pytest.mark.parametrize("dtype", [PACKED, ALIGNED, NESTED])
def test_records_are_compared_field_by_field(dtype):
    a = np.concatenate([filled(dtype, 3), filled(dtype, 2)])
    if dtype is NESTED:
        a["v"][1, 1, 2] = 7
        a["inner"]["a"][2] = np.nan
    else:
        a["b"][1] = 9
        a["f"][2] = np.nan
    assert njit(equal_records)(a) == equal_records(a)


def test_records_of_texts_of_another_byte_order_are_not_compared():
    a = np.zeros(1, [("x", "f8"), ("s", ">U3")])
    with pytest.raises(errors.TypingError, match="the field 's' holds what compiled code doesn't"):
        njit(lambda a: a[0] == a[0])(a)


def test_new_arrays():
    def fresh(n):
        r = np.zeros(n, PACKED)
        for i in range(n):
            r[i]["a"] = i
        return r, np.empty((n, 2), ALIGNED).shape, r.copy(), np.zeros_like(r)

    def replaced(r):
        other = r.copy()
        other.a[:] = 0
        return other, r.a.sum()

    got = njit(fresh)(3)
    assert got[0].dtype == PACKED
    assert_same(got, fresh(3))
    check(replaced, filled(NESTED, 2)["inner"])
    check(replaced, filled(ALIGNED, 3)[::-1])


def test_scalars():
    def first(r):
        return r[0]

    def through(one):
        one.a += 1
        one["b"] = 7
        return one, one.a

    r = filled(PACKED, 3)
    got = njit(first)(r)
    assert type(got) is np.void
    assert got == r[0]
    one = r[1]
    same, value = njit(through)(one)
    assert same is one
    assert (value, one["b"], r[1]["b"]) == (one["a"], 7, 7)
    made = np.rec.array(filled(PACKED, 2)).view(np.ndarray)
    assert type(njit(first)(made)) is type(made[0])


def test_nothing_leaks():
    @njit
    def made(n):
        r = np.zeros(n, PACKED)
        part = r[1:].copy()
        part[0].a = 3
        return part[0], part.a, part

    made(3)
    before = _core.memory_stats()
    for _ in range(20):
        made(3)
    after = _core.memory_stats()
    assert after[0] - before[0] == after[1] - before[1]
    one, field, part = made(3)
    del part
    assert one["a"] == 3
    assert field[0] == 3


def test_read_only():
    r = filled(PACKED, 2)
    r.flags.writeable = False
    assert njit(lambda r: r[0].a)(r) == 1
    with pytest.raises(errors.TypingError, match="can't assign to readonly array"):
        njit(written)(r)


@pytest.mark.parametrize(
    ("function", "dtype", "message"),
    [
        (lambda r: r[0]["zz"], PACKED, "has no field 'zz'"),
        (lambda r: r[0].s, [("s", "S3", 2), ("x", "f4")], "the field 's' holds what compiled code doesn't"),
        (lambda r: r + 1, PACKED, "can't be broadcast|no implementation"),
        (lambda r: np.sort(r), PACKED, "numpy.sort"),
    ],
)
def test_refusals(function, dtype, message):
    with pytest.raises(errors.TypingError, match=message):
        njit(function)(np.zeros(2, dtype))


def test_fields_beside_text():
    r = np.zeros(3, [("s", "S3"), ("x", "f4")])
    r["x"] = [1, 2, 3]
    assert njit(lambda r: r.x.sum() + r[1]["x"])(r) == 8


def test_record_arrays_are_arguments():
    """An array of NumPy's class for records is passed as it is, and changed in place."""

    @njit
    def move(a):
        for one in a:
            one.x = one.x + one.n
        return a.x.sum()

    records = np.zeros(4, [("x", "f8"), ("n", "i2")]).view(np.recarray)
    records.x = range(4)
    records.n = 2
    assert move(records[::2]) == 6.0
    assert list(records.x) == [2.0, 1.0, 4.0, 3.0]


def test_signatures_with_records():
    """Types that `from_dtype` makes take arrays of both of NumPy's classes, and single records."""
    dtype = np.dtype([("x", "f8"), ("n", "i2")])
    plain = np.zeros(3, dtype)
    plain["x"] = [1, 2, 3]

    def read(a, i):
        return a[i].x + a[i]["n"]

    def of_record(one):
        one.x = one.x + 1
        return one.x

    for one in (from_dtype(dtype), from_dtype(plain.view(np.recarray).dtype)):
        compiled = njit((one[:], types.intp))(read)
        for a in (plain, plain[::-1], plain.view(np.recarray)):
            assert compiled(a, 1) == 2
        single = njit(types.float64(one))(of_record)
        assert single(plain[2]) == plain["x"][2]
    with pytest.raises(TypeError):
        compiled(np.zeros(3, [("x", "f8"), ("n", "i4")]), 1)


@pytest.mark.parametrize("name", ["a[0]", "a, b", "<x>", 'say "a"', "back\\slash", "größe", "-> 1"])
def test_names_that_are_no_identifiers(name):
    a = np.zeros(3, [("x", "i4"), (name, "f8")])
    a[name] = [1, 2, 3]

    @njit
    def f(a):
        a[1][name] += a[0]["x"] + 0.5
        return a[name].sum()

    assert f(a) == 6.5 and a[name].tolist() == [1, 2.5, 3]
    assert list(types.typeof(a).dtype.fields) == ["x", name]
    assert types.typeof(a).dtype.dtype == a.dtype


def test_records_of_more_fields_are_passed_to_compiled_signatures():
    """Where the first fields are those of the signature."""
    less, more, other = (
        np.array([(2.5, 3, 4)[: len(names)]], [(name, "f8") for name in names])[0]
        for names in ("a", "ab", "xa")
    )

    @njit
    def f(records):
        total = 0.0
        for one in records:
            total += one["a"]
            one["a"] = 1
        return total

    assert f((less, less)) == 2.5 + 1
    f.disable_compile()
    assert f((more, more)) == 2.5 + 1 and more["a"] == 1 and more["b"] == 3
    with pytest.raises(TypeError, match="No matching definition"):
        f((other, other))
    of_arrays = njit([(types.from_dtype(less.dtype)[:],)])(lambda a: a["a"].sum())
    with pytest.raises(TypeError, match="No matching definition"):
        of_arrays(np.zeros(2, more.dtype))
    of_more = njit([(types.from_dtype(more.dtype),)])(lambda one: one["b"])
    with pytest.raises(TypeError, match="No matching definition"):
        of_more(less)


@pytest.mark.parametrize(
    "function",
    [
        lambda r: r[r["a"] > 2],
        lambda r: r[np.array([2, 0, -1])],
        lambda r: r.take([1, 1]),
        lambda r: np.concatenate((r, r[::2])),
        lambda r: r.ravel()[1:],
        lambda r: r.reshape(2, -1)[1, 0],
        lambda r: np.ascontiguousarray(r[::2]),
        lambda r: np.copy(r)[::-1],
    ],
)
@pytest.mark.parametrize(
    "dtype", [PACKED, ALIGNED, NESTED, CLASHING], ids=["packed", "aligned", "nested", "clashing"]
)
def test_records_are_selected_and_arranged(function, dtype):
    if "a" not in dtype.names:
        dtype = np.dtype([("a", "i4"), ("rest", dtype)])
    for a in (filled(dtype, 6), filled(dtype, 12)[::2]):
        assert_same(njit(function)(a), function(a))


@pytest.mark.parametrize(
    "function",
    [
        lambda r: (r.size, r.shape, r.ndim),
        lambda r: r.T["T"],
        lambda r: r.copy()["copy"],
        lambda r: np.zeros(2, r.dtype)["dtype"],
        lambda r: r["size"].size + r["size"].sum() + r["shape"][-1],
        lambda r: r.a.sum(),
    ],
)
def test_attributes_of_arrays_go_before_fields(function):
    check(function, filled(CLASHING, 3))
    check(function, filled(CLASHING, 5)[::-2])


def test_one_record_has_fields_alone():
    """As in Numba: NumPy's records have some of arrays' attributes before their fields."""
    r = filled(CLASHING, 3)
    assert njit(lambda r: (r[1].size, r[2].shape, r[1].ndim, r[1].T, r[1].copy))(r) == (2, 3, 2, 2, 2)

    @njit
    def written(r):
        r[1].size = 9.5
        return r[1].size

    assert written(r) == 9.5 == r["size"][1]


def test_records_without_gaps_are_arranged_in_place():
    a = filled(PACKED, 4)

    @njit
    def f(a):
        a.reshape(2, 2)[1, 0]["a"] = 50
        np.ascontiguousarray(a)[3]["a"] = 60

    f(a)
    assert a["a"].tolist() == [1, 2, 50, 60]
