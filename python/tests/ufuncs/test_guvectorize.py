"""`guvectorize`: generalised universal functions against NumPy's operations."""

import pickle

import numpy as np
import pytest

from pyopt import guvectorize, njit
from pyopt.errors import OptionError


@guvectorize(
    ["void(int64[:,:], int64[:,:], int64[:,:])", "void(float64[:,:], float64[:,:], float64[:,:])"],
    "(m,n),(n,p)->(m,p)",
)
def product(a, b, out):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            out[i, j] = 0
            for k in range(a.shape[1]):
                out[i, j] += a[i, k] * b[k, j]


def row_sum(row, out):
    total = 0.0
    for x in row:
        total += x
    out[0] = total


sums = guvectorize(["void(float64[:], float64[:])"], "(n)->()")(row_sum)
parallel_sums = guvectorize(["void(float64[:], float64[:])"], "(n)->()", target="parallel")(row_sum)


@guvectorize(["(float64[:], float64, float64[:])"], "(n),()->(n)")
def shift(row, by, out):
    for i in range(len(row)):
        out[i] = row[i] + by


@guvectorize("(n),()->(n)")
def shift_any(row, by, out):
    for i in range(len(row)):
        out[i] = row[i] + by


@guvectorize(["void(float64[:], float64[:], float64[:])"], "(n)->(),()")
def extremes(row, low, high):
    low[0] = high[0] = row[0]
    for x in row:
        low[0] = min(low[0], x)
        high[0] = max(high[0], x)


@guvectorize(["void(float64[:], float64[:])"], "()->()")
def as_arrays(x, out):
    out[0] = x[0] * 2


def numbers(*shape):
    return np.random.default_rng(7).integers(-9, 9, shape).astype(float)


LAYOUTS = {
    "contiguous": lambda a: a,
    "strided": lambda a: np.repeat(np.repeat(a, 2, axis=-1), 3, axis=-2)[..., ::3, ::2],
    "backwards": lambda a: a[..., ::-1, ::-1].copy()[..., ::-1, ::-1],
    "columns": lambda a: np.asfortranarray(a),
    "ints": lambda a: a.astype(int),
    "swapped": lambda a: a.astype(">f8"),
    "list": lambda a: a.tolist(),
}


@pytest.mark.parametrize("left", LAYOUTS)
@pytest.mark.parametrize("right", LAYOUTS)
@pytest.mark.parametrize("outer", [(), (4,), (2, 1, 3), (0,)])
def test_products(left, right, outer):
    if 0 in outer and "list" in (left, right):
        outer = (1,)  # a list doesn't tell the sizes behind an empty one
    a, b = numbers(*outer, 3, 5), numbers(*outer[1:], 5, 2)
    np.testing.assert_array_equal(product(LAYOUTS[left](a), LAYOUTS[right](b)), np.matmul(a, b))


@pytest.mark.parametrize("made", [sums, parallel_sums])
@pytest.mark.parametrize("shape", [(3,), (0,), (4, 5), (1000, 7), (2, 3, 0), (2, 3, 4)])
def test_reductions(made, shape):
    a = numbers(*shape)
    np.testing.assert_array_equal(made(a), a.sum(axis=-1))
    np.testing.assert_array_equal(made(a, axis=0), a.sum(axis=0))
    np.testing.assert_array_equal(made(a, keepdims=True), a.sum(axis=-1, keepdims=True))


def test_numbers_are_broadcast():
    rows = numbers(3, 4)
    np.testing.assert_array_equal(shift(rows, 2), rows + 2)
    np.testing.assert_array_equal(shift(rows, np.arange(3)), rows + np.arange(3)[:, None])
    np.testing.assert_array_equal(shift(rows[0], np.arange(3)), rows[0] + np.arange(3)[:, None])


def test_several_outputs():
    rows = numbers(5, 6)
    low, high = extremes(rows)
    np.testing.assert_array_equal(low, rows.min(axis=1))
    np.testing.assert_array_equal(high, rows.max(axis=1))


def test_inputs_without_dimensions_as_arrays():
    np.testing.assert_array_equal(as_arrays(np.arange(5.0)), np.arange(5.0) * 2)
    np.testing.assert_array_equal(as_arrays(np.broadcast_to(3.0, 4)), [6.0] * 4)
    assert as_arrays(4.0) == 8.0


def test_output_in_place():
    rows = numbers(4, 3)
    expected = rows + 1
    shift(rows, 1, rows)
    np.testing.assert_array_equal(rows, expected)


@pytest.mark.parametrize("dtype", ["i2", "i8", "f4", "f8", "c16"])
def test_types_of_calls(dtype):
    rows = numbers(3, 4).astype(dtype)
    out = np.empty_like(rows)
    shift_any(rows, dtype[0] == "c" and 2j or 2, out)
    np.testing.assert_array_equal(out, rows + (2j if dtype[0] == "c" else 2))
    other = np.empty_like(rows)
    shift_any(rows, rows[:, 0], out=other)
    np.testing.assert_array_equal(other, rows + rows[:, :1])
    assert shift_any.is_dynamic and not shift.is_dynamic


def test_calls_without_outputs_need_types():
    with pytest.raises(TypeError, match="the outputs must be given"):
        shift_any(np.zeros(3), 1)


def test_writable_inputs():
    @guvectorize(["void(float64[:], float64[:])"], "(n)->()", writable_args=("row",))
    def take(row, out):
        out[0] = row[0]
        row[0] = -1

    rows = numbers(3, 2)
    first = rows[:, 0].copy()
    np.testing.assert_array_equal(take(rows), first)
    np.testing.assert_array_equal(rows[:, 0], [-1] * 3)
    ints = np.arange(6).reshape(3, 2).astype("f4").astype(float)[:, ::-1]
    take(ints)
    np.testing.assert_array_equal(ints[:, 0], [-1] * 3)


def test_pickle():
    @guvectorize(["void(float64[:], float64[:])"], "(n)->()", writable_args=("row",))
    def take(row, out):
        out[0] = row[0]
        row[0] = -1

    copied = pickle.loads(pickle.dumps(take))
    rows = numbers(3, 2)
    first = rows[:, 0].copy()
    np.testing.assert_array_equal(copied(rows), first)
    np.testing.assert_array_equal(rows[:, 0], [-1] * 3)
    assert pickle.loads(pickle.dumps(product)) is product


def test_methods_are_not_defined():
    with pytest.raises(RuntimeError, match="Reduction not defined"):
        product.reduce(np.ones((2, 2)))
    with pytest.raises(TypeError, match="non-trivial signature"):
        product.outer(np.ones((2, 2)), np.ones((2, 2)))
    with pytest.raises(TypeError, match="non-trivial signature"):
        product.at(np.ones((2, 2)), [0], np.ones((2, 2)))


@pytest.mark.parametrize(
    "types", ["void(float64, float64, float64[:])", "void(float64[:], float64[:], float64[:])"]
)
def test_methods_without_core_dimensions(types):
    def less(x, y, out):
        out[0] = x - y

    def less_of_arrays(x, y, out):
        out[0] = x[0] - y[0]

    made = guvectorize([types], "(),()->()")(less if "float64," in types else less_of_arrays)
    for a in (numbers(40), numbers(40)[::-3], numbers(1)):
        assert made.reduce(a) == np.subtract.reduce(a)
        np.testing.assert_array_equal(made.accumulate(a), np.subtract.accumulate(a))
        np.testing.assert_array_equal(made.outer(a, a), np.subtract.outer(a, a))
        np.testing.assert_array_equal(made.reduceat(a, [0]), np.subtract.reduceat(a, [0]))
        left, right = a.copy(), a.copy()
        made.at(left, [0, -1, 0], 2.5)
        np.subtract.at(right, [0, -1, 0], 2.5)
        np.testing.assert_array_equal(left, right)
    np.testing.assert_array_equal(made.reduce(numbers(4, 5), axis=1), np.subtract.reduce(numbers(4, 5), 1))


def test_core_dimensions_are_checked():
    with pytest.raises(ValueError, match="mismatch in its core dimension"):
        product(np.zeros((2, 3)), np.zeros((2, 3)))
    with pytest.raises(ValueError, match="does not have enough dimensions"):
        product(np.zeros(3), np.zeros((2, 3)))


@njit
def products(a, b, out):
    product(a, b, out)
    return out


@njit
def sums_of_rows(a, out):
    sums(a, out)
    return out


@njit
def shifted(rows, by, out):
    shift(rows, by, out)
    return out


@pytest.mark.parametrize("layout", ["contiguous", "strided", "backwards", "columns"])
@pytest.mark.parametrize("outer", [(), (4,), (2, 1, 3), (0,)])
def test_in_compiled_code(layout, outer):
    a, b = numbers(*outer, 3, 5), numbers(*outer[1:], 5, 2)
    expected = np.matmul(a, b)
    out = np.empty_like(expected)
    assert products(LAYOUTS[layout](a), LAYOUTS[layout](b), out) is out
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(sums_of_rows(a, np.empty(a.shape[:-1])), a.sum(axis=-1))
    if outer:
        by = numbers(*outer, 1)
        np.testing.assert_array_equal(
            shifted(a[..., 0, :], by[..., 0], a[..., 0, :].copy()), a[..., 0, :] + by
        )


def test_sizes_are_checked_in_compiled_code():
    with pytest.raises(ValueError, match="different sizes in the core dimension n"):
        products(np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((2, 3)))
    with pytest.raises(ValueError, match="other outer dimensions"):
        products(np.zeros((4, 2, 3)), np.zeros((3, 2)), np.zeros((5, 2, 2)))


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("m,n", "expected core dimensions"),
        ("(n)->(m)", "no input has the output's dimension 'm'"),
        ("(n)->n", "expected core dimensions"),
        ("(3)->(3)", "no name of a dimension"),
        (None, "expected core dimensions"),
    ],
)
def test_wrong_signatures(signature, message):
    with pytest.raises(OptionError, match=message):
        guvectorize(["void(float64[:], float64[:])"], signature)(lambda a, b: None)


def test_wrong_use():
    with pytest.raises(TypeError, match="has 1 parameters"):
        guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")(lambda a: None)
    with pytest.raises(TypeError, match="output 'b' has 1 core dimensions"):
        guvectorize(["void(float64[:], float64)"], "(n)->(n)")(lambda a, b: None)
    with pytest.raises(TypeError, match="returns nothing"):
        guvectorize(["float64(float64[:], float64[:])"], "(n)->(n)")(lambda a, b: None)
    with pytest.raises(OptionError, match="'z' is no input"):
        guvectorize(["void(float64[:], float64[:])"], "(n)->(n)", writable_args="z")(lambda a, b: None)
    with pytest.raises(TypeError, match="one or two positional"):
        guvectorize()


def previous(a, o):
    for i in range(len(a)):
        o[i] = a[i - 1]


def test_outputs_that_overlap_inputs():
    shift = guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")(previous)
    dynamic = guvectorize("(n)->(n)")(previous)
    for function in (shift, dynamic):
        for views in (
            lambda y: (y, y),
            lambda y: (y[:-1], y[1:]),
            lambda y: (y[1:], y[:-1]),
            lambda y: (y[::-1], y),
            lambda y: (y.reshape(2, 4), y.reshape(2, 4)),
            lambda y: (y[:4], y.reshape(2, 4)),
            lambda y: (y.reshape(4, 2).T, y.reshape(2, 4)),
        ):
            y = np.arange(8.0)
            source, target = views(y)
            expected = np.broadcast_to(np.roll(source, 1, axis=-1), target.shape).copy()
            result = function(source, target) if function is dynamic else function(source, out=target)
            np.testing.assert_array_equal(target, expected)
            assert result is target


def test_outputs_that_overlap_inputs_in_compiled_code():
    shift = guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")(previous)

    @njit
    def whole(y):
        shift(y, y)
        return y

    @njit
    def parts(y):
        shift(y[:-1], y[1:])
        return y

    @njit
    def rows(y, z):
        shift(y, z)
        return z

    np.testing.assert_array_equal(whole(np.arange(6.0)), [5, 0, 1, 2, 3, 4])
    np.testing.assert_array_equal(parts(np.arange(4.0)), [0, 2, 0, 1])
    y = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(rows(y, y[::-1]), [[2, 0, 1], [5, 3, 4]])
    np.testing.assert_array_equal(rows(np.arange(3.0), np.zeros(3)), [2, 0, 1])


def test_outputs_keep_what_is_not_written():
    def first(a, o):
        o[0] = a[0]

    declared = guvectorize(["void(uint8[:], uint8[:])"], "(n)->(n)")(first)
    both = guvectorize(["void(uint8[:], uint8[:])", "void(float64[:], float64[:])"], "(n)->(n)")(first)
    a = np.array([9, 8, 7], np.uint8)
    for function in (declared, both):
        for dtype in (np.int8, np.int64, np.float64, np.uint8, ">i4"):
            for make in (lambda o: o, lambda o: o[::-1], lambda o: np.broadcast_to(o, (2, 3)).copy()):
                out = make(np.array([5, 6, 4]).astype(dtype))
                expected = out.copy()
                expected[..., 0] = 9
                assert function(a, out) is out
                np.testing.assert_array_equal(out, expected)
        bytes_of = np.zeros(25, np.uint8)
        unaligned = bytes_of[1:25].view(np.float64)
        unaligned[:] = 3
        function(a, out=unaligned)
        np.testing.assert_array_equal(unaligned, [9, 3, 3])
    # What is read overlaps what is written: the rest stays all the same.
    y = np.arange(6, dtype=np.uint8)
    declared(y[:-1], y[1:])
    np.testing.assert_array_equal(y, [0, 0, 2, 3, 4, 5])
    with pytest.raises(TypeError, match="same_kind"):
        guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")(first)(np.ones(3), np.ones(3, np.int64))


def test_written_inputs_overlap_others():
    @guvectorize(["void(float64[:], float64[:])"], "(n),(n)", writable_args=(1,))
    def shift(a, b):
        for i in range(len(a)):
            b[i] = a[i - 1]

    y = np.arange(5.0)
    shift(y, y)
    np.testing.assert_array_equal(y, [4, 0, 1, 2, 3])


@njit(["float64(float64[:], float64[:])"])
def declared(a, b):
    return np.exp(-np.sum((a - b) ** 2) / 2)


def test_rows_of_any_strides_are_passed_to_declared_signatures():
    @guvectorize("(d),(m,d)->()")
    def mean(observed, forecast, out):
        total = 0.0
        for i in range(forecast.shape[0]):
            total += declared(forecast[i], observed)
        out[0] = total

    values = np.arange(24.0).reshape(4, 3, 2) / 10
    observed, forecast = np.ones((4, 3)), np.moveaxis(values, -1, 1)
    expected = [
        sum(declared.py_func(row, one) for row in rows) for one, rows in zip(observed, forecast, strict=True)
    ]
    out = np.zeros(4)
    mean(observed, forecast, out)
    np.testing.assert_allclose(out, expected)
    backwards = np.zeros(4)
    mean(observed[::-1], forecast[::-1], backwards)
    np.testing.assert_allclose(backwards, expected[::-1])


def test_strides_of_parts_of_elements():
    @guvectorize(["void(float64[:], float64[:])"], "(n)->()")
    def total(a, out):
        out[0] = a.sum()

    # Two bytes lie between the numbers.
    table = np.zeros((3, 5), dtype=[("x", "f8"), ("y", "i2")])
    table["x"] = np.arange(15.0).reshape(3, 5)
    np.testing.assert_array_equal(total(table["x"]), table["x"].sum(axis=1))
    pairs = np.arange(40.0).reshape(4, 10)[:, ::3]
    np.testing.assert_array_equal(total(pairs), pairs.sum(axis=1))
