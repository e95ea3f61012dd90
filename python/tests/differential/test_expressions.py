"""Whole-array expressions: results are NumPy's, element type and shape included."""

import numpy as np
import pytest
from arrays import LAYOUTS_1D, LAYOUTS_2D, SPECIAL, matrix, values, vector
from compare import Ulps, check


def multiply_add(a0, a1, a2):
    return a0 * a1 + a2


def renamed(x, y, z):
    return x * y + z


def reordered(a, b, c):
    return c + b * a


def subtracted(a, b, c):
    return a - b * c


def longer(a, b, c):
    return (a + b) * c - (a - c) * (b + a) + c * c


def repeated(a, b, c):
    return a * a * a + a * b + b * a - c


def on_lines(a, b, c):
    t = a * b
    u = t + c
    v = u * t
    return v - u


def reused(a, b, c):
    t = a + b
    return t * t + c, t


def with_constants(a, b, c):
    return 2 * a + b * 3 - (c + 1)


def negated(a, b, c):
    return -a + +b - (-c)


def absolute(a, b, c):
    return abs(a) * b + np.abs(c)


def in_branch(a, b, c):
    if a.shape[0] > 3:
        r = a * b
    else:
        r = a + b
    return r - c


def in_loop(a, b, c):
    r = a + b
    for i in range(3):
        r = r * c + a
    return r


def early_return(a, b, c):
    if a.size == 0:
        return a * b
    t = a * c
    return t + b


EXPRESSIONS = (
    multiply_add,
    renamed,
    reordered,
    subtracted,
    longer,
    repeated,
    on_lines,
    reused,
    with_constants,
    negated,
    absolute,
    in_branch,
    in_loop,
    early_return,
)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4"])
@pytest.mark.parametrize("function", EXPRESSIONS)
def test_vectors(function, dtype):
    for n in (9, 1, 0):
        check(function, *(vector(n, dtype, seed=seed) for seed in (1, 2, 3)), numpy=True)


@pytest.mark.parametrize("layout", LAYOUTS_1D)
@pytest.mark.parametrize("function", EXPRESSIONS[:6])
def test_layouts_of_vectors(function, layout):
    check(function, *(vector(11, "f8", layout, seed) for seed in (1, 2, 3)), numpy=True)
    check(function, vector(11, "f8", layout), vector(11, "f8", "reversed", 2), vector(11, seed=3), numpy=True)


@pytest.mark.parametrize("layout", LAYOUTS_2D)
@pytest.mark.parametrize("function", [multiply_add, longer, on_lines])
def test_layouts_of_matrices(function, layout):
    check(function, *(matrix(4, 5, "f8", layout, seed) for seed in (1, 2, 3)), numpy=True)
    check(
        function,
        matrix(4, 5, "f8", layout),
        matrix(4, 5, "f8", "F", 2),
        matrix(4, 5, "f8", "C", 3),
        numpy=True,
    )


@pytest.mark.parametrize("function", [multiply_add, longer, in_loop])
def test_the_layout_of_results_is_dense(function):
    got = check(function, *(matrix(3, 4, "f8", "strided", seed) for seed in (1, 2, 3)), numpy=True)
    assert got.flags.c_contiguous
    assert got.flags.owndata or got.base is not None
    assert got.flags.writeable


@pytest.mark.parametrize("dtype", ["i1", "i2", "u1", "u2", "u4", "u8"])
@pytest.mark.parametrize("function", [multiply_add, longer, repeated, negated])
def test_small_and_unsigned_integers_wrap_as_in_numpy(function, dtype):
    extremes = np.array([np.iinfo(dtype).max, np.iinfo(dtype).min, 1, 7, 100], dtype)
    check(function, extremes, extremes[::-1], vector(5, dtype), numpy=True)


MIXED = [
    ("i4", "f8", "i8"),
    ("f4", "f8", "f4"),
    ("i1", "i2", "i4"),
    ("u1", "i1", "u2"),
    ("i4", "u4", "i4"),
    ("u4", "u8", "u1"),
    ("?", "i4", "f8"),
    ("f4", "i2", "f4"),
    ("i8", "f4", "i8"),
    ("?", "?", "i1"),
]


@pytest.mark.parametrize("dtypes", MIXED, ids="-".join)
@pytest.mark.parametrize("function", [multiply_add, renamed, repeated])
def test_mixed_types_promote_as_in_numpy(function, dtypes):
    check(function, *(vector(7, dtype, seed=seed) for seed, dtype in enumerate(dtypes)), numpy=True)


SHAPES = [
    ((4, 5), (5,), (4, 5)),
    ((4, 5), (4, 1), (1, 5)),
    ((5,), (4, 1), (4, 5)),
    ((1,), (6,), (6,)),
    ((3, 1, 4), (2, 1), (4,)),
    ((1, 1), (3, 4), (1, 4)),
    ((0,), (1,), (0,)),
    ((3, 0), (1, 1), (3, 1)),
    ((2, 3), (), (3,)),
    ((), (), ()),
    ((), (4,), ()),
]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("function", [multiply_add, longer, on_lines])
def test_broadcasting(function, shapes):
    args = [values(shape, "f8", seed) if shape else np.array(seed + 0.5) for seed, shape in enumerate(shapes)]
    got = check(function, *args, numpy=True)
    if not any(shapes):
        assert np.ndim(got) == 0


@pytest.mark.parametrize(
    "shapes", [((3,), (4,), (3,)), ((3, 4), (3,), (1,)), ((2, 3), (3, 2), (1,)), ((0,), (2,), (1,))], ids=str
)
def test_shapes_that_do_not_fit(shapes):
    # NumPy's text lists the shapes, compiled code's can't.
    check(multiply_add, *map(np.ones, shapes), numpy=True, message=False)


def array_and_scalar(a, s):
    return a * s + s, s - a, a / s


def test_scalars_beside_arrays():
    for s in (2, 2.5, -1, True):
        check(array_and_scalar, vector(6), s, numpy=True)
        check(array_and_scalar, matrix(2, 3, layout="F"), s, numpy=True)
    check(array_and_scalar, vector(6, "i8"), 3, numpy=True)
    check(array_and_scalar, vector(6, "i8"), 0.5, numpy=True)
    check(array_and_scalar, vector(6, "f8"), np.float64(3.0), numpy=True)


def literal_beside_array(a):
    return a * 2.5 + 1, 1 - a, a + 0


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "i4", "i2", "u1"])
def test_constants_take_the_arrays_type_as_in_numpy(dtype):
    def whole(a):
        return a * 2 + 1, 3 - a

    check(whole, vector(6, dtype), numpy=True)
    if dtype in ("f4", "f8", "i8"):
        check(literal_beside_array, vector(6, dtype), numpy=True)


def quotients(a, b):
    return a / b, a // b, a % b


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "u1", "i1"])
def test_division_follows_numpy(dtype):
    a, b = vector(12, dtype), vector(12, dtype, seed=5)
    if dtype == "i1":
        check(lambda a, b: (a // b, a % b), a, b, numpy=True)  # NumPy's a / b is of type float16
    elif dtype != "u1":
        check(quotients, a, b, numpy=True)
    else:
        check(lambda a, b: (a // b, a % b), a, b, numpy=True)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4"])
def test_division_of_arrays_by_zero_does_not_raise(dtype):
    a = np.array([0, 1, -1, 5], dtype)
    b = np.array([0, 0, 0, 2], dtype)
    check(quotients, a, b, numpy=True)


def comparisons(a, b):
    return a < b, a <= b, a == b, a != b, a > b, a >= b


@pytest.mark.parametrize("dtypes", ["f8-f8", "i8-i8", "i4-f8", "u1-u1", "f4-f4", "u1-i4", "?-?"])
def test_comparisons(dtypes):
    left, right = dtypes.split("-")
    check(comparisons, vector(20, left), vector(20, right, seed=2), numpy=True)
    special = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1.0])
    check(comparisons, special, special[::-1], numpy=True)


def masks(a, b):
    return (a > 1) & (b < 2), (a > 1) | (b < 2), (a > 1) ^ (b < 2), ~(a > 1)


def bits(a, b):
    return a & b, a | b, a ^ b, ~a, a << 1, b >> 1


def test_bits():
    for dtype in ("f8", "i4"):
        check(masks, vector(20, dtype), vector(20, dtype, seed=2), numpy=True)
    for dtype in ("i8", "i4", "u4", "i1"):
        check(bits, vector(20, dtype), vector(20, dtype, seed=2), numpy=True)


def powers(a):
    return a**2, a**3, a * a**2


def test_powers():
    for dtype in ("f8", "i8"):
        check(powers, vector(9, dtype), numpy=True, tolerance=Ulps(1))


def test_special_floats():
    for function in (multiply_add, longer, negated, absolute):
        check(function, SPECIAL, SPECIAL[::-1], np.roll(SPECIAL, 3), numpy=True)
