"""Globals that are arrays, NumPy scalars and tuples: constants of the compiled code."""

import numpy as np
import pytest
from compare import SumOf, check, compile_once

from pyopt import errors, njit, prange, stencil

VECTOR = np.arange(10.0) / 3
INTS = np.arange(-4, 8, dtype=np.int32)
BYTES = np.arange(250, 256, dtype=np.uint8)
MASK = np.array([True, False, False, True, True, False])
MATRIX = np.arange(12.0).reshape(3, 4)
FORTRAN = np.asfortranarray(np.arange(12, dtype=np.int16).reshape(3, 4))
EVERY_OTHER = np.arange(20, dtype=np.float32)[3::2]
REVERSED = np.arange(24).reshape(2, 3, 4)[::-1, :, ::-2]
COMPLEX = np.array([1 + 2j, 3 - 4j], np.complex64)
HALVES = np.array([0.5, 2.0, 1e4], np.float16)
EMPTY = np.zeros((0, 3))
ZERO_D = np.array(7.25)
EQUAL = np.full((2, 5), 3.5)
UNALIGNED = np.frombuffer(b"x" + np.arange(3, dtype=np.int64).tobytes(), np.int64, offset=1)
SINGLE = np.float32(0.1)
BYTE = np.int8(-3)
LARGEST = np.uint64(2**64 - 1)
TRUE = np.bool_(True)
COMPLEX_SCALAR = np.complex64(1 - 2j)
PAIR = (3, 2.5)
NESTED = (1, (2.5, True), ((), (7,)))
WITH_ARRAYS = (VECTOR, (MATRIX, 2))
EVEN = (2, 4, 6)


def item_of_vector(i):
    return VECTOR[i]


def sum_of_vector():
    total = 0.0
    for x in VECTOR:
        total += x
    return total


def sum_of_ints():
    total = 0
    for i in range(INTS.size):
        total += INTS[i]
    return total


def wrapping_bytes():
    total = 0
    for i in range(len(BYTES)):
        total += BYTES[i] * 3
    return total


def count_mask():
    count = 0
    for value in MASK:
        if value:
            count += 1
    return count, MASK[0], MASK[-1]


def rows_and_columns(i, j):
    return MATRIX[i, j] + MATRIX[i].sum() - MATRIX[:, j].sum(), MATRIX.shape, MATRIX.T[j, i]


def fortran(i, j):
    return FORTRAN[i, j], FORTRAN.sum(), FORTRAN.shape


def every_other(i):
    return EVERY_OTHER[i], EVERY_OTHER[::-1][i], EVERY_OTHER.size


def reversed_views(i, j):
    total = 0
    for row in REVERSED[i]:
        for value in row:
            total = total * 3 + value
    return total, REVERSED[i, j, 0], REVERSED.shape, REVERSED.ndim


def complex_items(i):
    return COMPLEX[i] * 2, COMPLEX[i].imag


def half_items(i):
    return HALVES[i] + 1


def empty():
    total = 0.0
    for row in EMPTY:
        total += row[0]
    return total, EMPTY.shape, EMPTY.size, EMPTY.sum()


def zero_d():
    return ZERO_D[()] + 1, ZERO_D.ndim, ZERO_D.size


def equal(i, j):
    return EQUAL[i, j], EQUAL.sum()


def unaligned(i):
    return UNALIGNED[i] * 2


def scalars(x):
    return SINGLE * x, BYTE + x, LARGEST, TRUE, COMPLEX_SCALAR


def pair(x):
    first, second = PAIR
    return first * x + second, PAIR[0], PAIR[-1], len(PAIR), PAIR


def nested():
    return NESTED[1][0], NESTED[1], NESTED[2][1][0], NESTED


def with_arrays(i):
    return WITH_ARRAYS[0][i] + WITH_ARRAYS[1][0][i, i] * WITH_ARRAYS[1][1]


def contains(x):
    return x in EVEN, x not in EVEN


def dynamic_index(i):
    return EVEN[i]


def either(a, which):
    chosen = VECTOR if which else a
    return chosen[1] + chosen.sum()


def expression(a):
    return a * VECTOR + VECTOR[::-1]


def expression_of_constants():
    return MATRIX * 2 + MATRIX[0] - MATRIX[:, :1]


def returned():
    return VECTOR


def returned_view():
    return MATRIX[1:, ::2]


def passed_on(i):
    return callee(VECTOR, i) + callee(INTS, i)


def callee(a, i):
    return a[i] * 2


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (item_of_vector, (3,)),
        (item_of_vector, (-1,)),
        (sum_of_vector, ()),
        (sum_of_ints, ()),
        (wrapping_bytes, ()),
        (count_mask, ()),
        (rows_and_columns, (2, -3)),
        (rows_and_columns, (-1, 0)),
        (fortran, (1, 3)),
        (every_other, (2,)),
        (reversed_views, (0, 1)),
        (reversed_views, (-1, 2)),
        (complex_items, (1,)),
        (half_items, (2,)),
        (empty, ()),
        (zero_d, ()),
        (equal, (1, 4)),
        (unaligned, (2,)),
        (pair, (2.5,)),
        (pair, (3,)),
        (nested, ()),
        (with_arrays, (2,)),
        (contains, (4,)),
        (contains, (5,)),
        (contains, (6.0,)),
        (dynamic_index, (-2,)),
        (dynamic_index, (7,)),
        (either, (np.arange(3.0), True)),
        (either, (np.arange(3.0), False)),
        (passed_on, (4,)),
    ],
)
def test_results(function, arguments):
    check(function, *arguments)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (expression, (np.linspace(0, 1, 10),)),
        (expression_of_constants, ()),
        (returned, ()),
        (returned_view, ()),
    ],
)
@pytest.mark.parametrize("parallel", [False, True])
def test_array_results(function, arguments, parallel):
    check(function, *arguments, numpy=True, parallel=parallel)


def test_scalars_keep_their_types():
    compiled = njit(scalars)
    single, byte, largest, true, number = compiled(2)
    assert single == np.float64(np.float32(0.1)) * 2
    assert (byte, largest, true, number) == (-1, 2**64 - 1, True, 1 - 2j)


def test_the_value_at_compile_time_counts():
    table = np.arange(4)

    def item(i):
        return table[i]

    compiled = njit(item)
    assert compiled(2) == 2
    table[2] = 50
    assert compiled(2) == 2
    assert njit(item)(2) == 50
    # What comes out is a copy: nobody can change the code's constant.
    whole = njit(lambda: table)
    first = whole()
    assert first.tolist() == [0, 1, 50, 3]
    first[0] = 99
    assert whole().tolist() == [0, 1, 50, 3]


# Writing


def write_item(i):
    VECTOR[i] = 1.0
    return VECTOR[i]


def write_slice():
    MATRIX[1:] = 0.0


def write_in_place(x):
    values = VECTOR
    values += x
    return values


def write_view(i):
    row = MATRIX[i]
    row[0] = 2.0


@pytest.mark.parametrize(
    ("function", "arguments", "line"),
    [(write_item, (0,), 1), (write_slice, (), 1), (write_in_place, (2.0,), 2), (write_view, (1,), 2)],
)
def test_writing_is_an_error_at_its_line(function, arguments, line):
    before = VECTOR.copy(), MATRIX.copy()
    with pytest.raises(errors.TypingError, match="can't assign to readonly array") as raised:
        compile_once(function)(*arguments)
    assert f"{__file__}:{function.__code__.co_firstlineno + line}:" in str(raised.value)
    np.testing.assert_array_equal(VECTOR, before[0])
    np.testing.assert_array_equal(MATRIX, before[1])


# Parallel loops and stencils


def parallel_lookup(indices):
    out = np.zeros(indices.size)
    for i in prange(indices.size):
        out[i] = VECTOR[indices[i]] + MATRIX[indices[i] % 3, 1] + PAIR[1]
    return out


def parallel_sum(n):
    total = 0.0
    for i in prange(n):
        total += VECTOR[i % VECTOR.size] * SINGLE
    return total


WEIGHTS = np.array([0.25, 0.5, 0.25])


@stencil
def smooth(a):
    return WEIGHTS[0] * a[-1] + WEIGHTS[1] * a[0] + WEIGHTS[2] * a[1]


def smooth_twice(a):
    return smooth(smooth(a))


@pytest.mark.parametrize("parallel", [False, True])
def test_parallel_loops(parallel):
    indices = np.arange(1000) % 10
    check(parallel_lookup, indices, parallel=parallel)
    terms = VECTOR[np.arange(1000) % 10] * np.float64(SINGLE)
    check(parallel_sum, 1000, parallel=parallel, tolerance=SumOf(terms))


@pytest.mark.parametrize("parallel", [False, True])
def test_stencils(parallel):
    a = np.random.default_rng(3).random(50)
    once = np.zeros(50)
    once[1:-1] = WEIGHTS[0] * a[:-2] + WEIGHTS[1] * a[1:-1] + WEIGHTS[2] * a[2:]
    twice = np.zeros(50)
    twice[1:-1] = WEIGHTS[0] * once[:-2] + WEIGHTS[1] * once[1:-1] + WEIGHTS[2] * once[2:]
    np.testing.assert_allclose(njit(parallel=parallel)(smooth_twice)(a), twice, rtol=1e-15)


def test_a_large_array():
    table = np.random.default_rng(4).random(200_000)
    compiled = njit(lambda i: table[i])
    for i in (0, 77_777, 199_999, -1):
        assert compiled(i) == table[i]


def types_compared(a):
    kind = a.dtype
    return (
        kind == np.float32,
        kind != np.float32,
        kind == a.dtype,
        kind == float,  # noqa: E721
        np.result_type(a) == np.int8,
    )


def names_compared():
    return np.float32 == np.single, np.float32 == np.float64, np.float64 == float, np.sin != np.cos  # noqa: E721


def test_dtypes_equal_the_types_of_their_elements():
    for dtype in (np.float32, np.float64, np.int8):
        check(types_compared, np.ones(2, dtype))
    check(names_compared)
