"""More of the overload library against NumPy: several axes, sets, editing, elementwise functions."""

import numpy as np
import pytest
from library_checks import DTYPES, EVERY, FLOATS, arrays, check, layouts, numbers

from pyopt import errors, njit

INTS = ("int8", "int32", "int64", "uint8", "uint64")
SPECIAL = np.array([0.0, -0.0, 0.5, 1.5, -2.5, 1e300, -1e-300, np.inf, -np.inf, np.nan, 123456.789])
AXES = [(), (0,), (0, 1), (1, 0), (-1, 0), (0, 2), (2, 1), (0, 1, 2), (-3, -1), (1, 1), (0, 3), (0, -4)]
REDUCTIONS = [
    f"np.{name}(a, axis=b{keepdims})"
    for name in ("sum", "prod", "min", "max", "any", "all", "mean", "var", "std")
    for keepdims in ("", ", keepdims=True")
]


@pytest.mark.parametrize("expression", REDUCTIONS)
def test_several_axes(expression):
    for a in arrays(("bool", "int32", "uint8", "float32"), (3, 4, 2)):
        for axes in AXES:
            check(expression, a, axes)
    for a in (*layouts("float64", (2, 3, 4)), numbers("float64", (1, 5, 1))):
        for axes in AXES:
            check(expression, a, axes)
    check(expression.replace("np.", "a.").replace("a, ", "", 1), numbers("int64", (3, 4)), (1, 0))


def test_several_axes_of_nothing():
    for name in ("sum", "prod", "any", "all", "min", "max"):
        check(f"np.{name}(a, axis=(0, 1))", np.ones((0, 3, 2)))
        check(f"np.{name}(a, axis=(0, 1))", np.ones((2, 3, 0)))
    check("a.sum(axis=(0, 2), dtype=np.float32)", numbers("int64", (2, 3, 4)))
    check("a.var(axis=(0, 2), ddof=1)", numbers("float64", (2, 3, 4)))
    check("a.sum(axis=())", numbers("int8", (2, 3)))


@pytest.mark.parametrize("decimals", [-2, -1, 0, 1, 2, 5])
def test_rounding(decimals):
    values = np.array([0.05, 0.15, 2.5, 3.5, -0.5, 1234.5678, -15.0, 25.0, 1e20, np.inf, np.nan])
    for dtype in FLOATS:
        a = values.astype(dtype)
        check("np.round(a, b)", a, decimals, exact=True)
        check("np.around(a, b)", a[::-1], decimals, exact=True)
        check("a.round(b)", a.reshape(1, 11), decimals, exact=True)
    check("np.round(a, b)", 3.14159, decimals)
    for dtype in INTS:
        check("np.round(a, b)", numbers(dtype, (3, 4)), decimals)
        check("np.round(a, b)", np.array([5, 15, 25, 49, 50, 51, 99]).astype(dtype), decimals)
    check("np.round(a, b)", np.int32(12345), decimals)
    check("np.round(a, b)", -12355, decimals)
    for dtype in ("complex64", "complex128"):
        a = np.empty(11, dtype)
        a.real, a.imag = values, values[::-1]
        check("np.round(a, b)", a, decimals, exact=True)
        check("a.round(b)", a.reshape(1, 11)[:, ::-2], decimals, exact=True)
        check("np.round(a, b)", a[3], decimals, exact=True)


@pytest.mark.parametrize("function", ["copy", "ascontiguousarray", "asfortranarray"])
def test_arrays_of_items(function):
    for items in ((1, 2, 3), [1.5, -0.0], [True, False], 3, 2.5j):
        check(f"np.{function}(a)", items)
    if function != "copy":
        check(f"np.{function}(a, np.float32)", [1, 2])
        with pytest.raises(errors.TypingError, match="an array keeps its type"):
            njit(lambda a: np.ascontiguousarray(a, np.float32))(np.ones(3))


def test_selection_by_items():
    a, b = numbers("float64", (3,)), numbers("int64", (3,))
    check("np.where([True, False, True], a, b)", a, b)
    check("np.where((True, False, True), a, 1.5)", a)
    check("np.where(a > 0, [1, 2, 3], b)", a, b)
    check("np.where(a > 0, a, (1, 2, 3))", a)
    with pytest.raises(errors.TypingError, match="a condition and two values of one kind"):
        njit(lambda a: np.where(a > 0, "x", a))(a)


def test_two_results_in_arrays_that_are_there():
    x = np.array([7.5, -7.5, 0.25])
    for function, arguments in (("divmod", "a, 2.0"), ("modf", "a")):
        check(f"np.{function}({arguments}, b, c)", x, np.empty(3), np.empty(3))
        check(f"np.{function}({arguments}, b)", x, np.empty(3, np.float32))
        # One of them is the operand.
        check(f"np.{function}({arguments}, a, b)", x.copy(), np.empty(3))
    check("np.divmod(a, b, c, a)", np.arange(5, 9), np.array([3]), np.empty(4, np.int8))
    with pytest.raises(errors.TypingError, match="cast"):
        njit(lambda a, b: np.divmod(a, 2.0, b))(x, np.empty(3, np.int64))


def test_bytes_of_arrays():
    for dtype in ("bool", "int16", "float64", "complex64", "M8[s]"):
        for a in layouts(dtype, (2, 3, 4)):
            check("np.frombuffer(a.tobytes(), np.uint8)", a)
            check("np.frombuffer(a.tobytes('F'), np.uint8)", a)
    check("np.frombuffer(a.tobytes(), np.uint8)", np.array(2.5))
    check("len(a.tobytes())", np.empty((0, 3)))
    check("np.frombuffer(a, np.int16)", numbers("int64", (2, 3)))
    with pytest.raises(ValueError, match="ndarray is not C-contiguous"):
        njit(lambda a: np.frombuffer(a, np.int16))(numbers("int64", (4, 3))[::2])


@pytest.mark.parametrize(
    "expression",
    [
        "np.round(a)",
        "np.nan_to_num(a)",
        "np.nan_to_num(a, nan=-1.0, posinf=5.0, neginf=6.0)",
        "np.sinc(a)",
        "np.heaviside(a, 0.5)",
        "np.modf(a)",
        "np.angle(a)",
        "np.angle(a, True)",
        "np.logaddexp(a, 0.5)",
        "np.logaddexp(a, a)",
        "np.iscomplexobj(a), np.isrealobj(a)",
        "np.divmod(a, 2.0)",
    ],
)
def test_elementwise(expression):
    for a in (SPECIAL, SPECIAL[::-1], SPECIAL[:10].reshape(2, 5).T, *SPECIAL[2:5]):
        check(expression, a)
    if "logaddexp" not in expression:
        for a in (numbers("int64", (3, 4)), numbers("int32", (7,))):
            check(expression, a) if "modf" not in expression and "round" not in expression else None


def test_complex_elements():
    for a in layouts("complex128", (3, 4)):
        for expression in ("np.angle(a)", "np.iscomplexobj(a)", "np.vdot(a, a)", "np.ediff1d(a)"):
            check(expression, a)


def test_divmod():
    for dtype in ("int64", "float64", "int32"):
        a = numbers(dtype, (30,))
        for divisor in (3, -2, 2.5):
            check("np.divmod(a, b)", a, divisor)


def test_select():
    a = numbers("float64", (4, 5))
    for default in (0, -1.5):
        check("np.select((a > 1, a < 0), (a, a * 2), b)", a, default)
        check("np.select((a > 1,), (a,), b)", a, default)


@pytest.mark.parametrize("name", ["union1d", "intersect1d", "setdiff1d", "setxor1d"])
def test_sets(name):
    for dtype in DTYPES:
        for sizes in ((0, 0), (0, 5), (7, 0), (1, 1), (12, 20)):
            a, b = (numbers(dtype, (size,), size) for size in sizes)
            check(f"np.{name}(a, b)", a, b)
    check(f"np.{name}(a, b)", numbers("int32", (9,)), numbers("float64", (9,), 1))
    for a in layouts("int64", (3, 4)):
        check(f"np.{name}(a, b)", a, numbers("int64", (5,), 3))


@pytest.mark.parametrize("position", [-6, -5, -1, 0, 2, 4, 5])
def test_leaving_out_and_putting_in(position):
    for dtype in EVERY:
        a = numbers(dtype, (5,))
        check("np.delete(a, b)", a, position)
        check("np.insert(a, b, 3)", a, position)
        check("np.insert(a, b, a)", a, position)
    for a in layouts("float64", (3, 5)):
        check("np.delete(a, b, 1)", a, position)
        check("np.delete(a, b)", a, position)
        check("np.insert(a, b, 2.5)", a, position)


def test_leaving_out_several():
    a = numbers("int64", (3, 7))
    for positions in ([], [0], [1, 1, -1], [6, 2]):
        where = np.array(positions, np.int64)
        check("np.delete(a, b)", a, where)
        check("np.delete(a, b, 1)", a, where)
    for expression in ("np.delete(a, slice_)", "np.delete(a, slice_, axis=1)"):
        for slice_ in ("a[1:2, 0].size", "a.shape[0]"):
            check(expression.replace("slice_", slice_), a)
    check("np.delete(a, a[0] > 2, 1)", a)


def test_diagonals():
    def filled(a, x):
        np.fill_diagonal(a, x)
        return a

    for shape in ((3, 3), (2, 5)):
        for a in layouts("float64", shape):
            expected = filled(a.copy("K"), 7.5)
            np.testing.assert_array_equal(njit(filled)(a.copy("K"), 7.5), expected)


def test_partitions():
    @njit
    def both(a, k):
        return np.partition(a, k), np.argpartition(a, k)

    for dtype in ("int32", "float64"):
        a = numbers(dtype, (21,))
        for k in (-21, -1, 0, 10, 20):
            parts, positions = both(a, k)
            for found in (parts, a[positions]):
                assert found[k] == np.sort(a)[k]
                assert (found[: k % 21] <= found[k]).all()
                assert (found[k % 21 :] >= found[k]).all()
    with pytest.raises(ValueError, match="kth"):
        both(np.ones(3), 3)


@pytest.mark.parametrize(
    "expression",
    [
        "np.rot90(a)",
        "np.rot90(a, 2)",
        "np.rot90(a, 3)",
        "np.rot90(a, -1)",
        "np.rot90(a, 4)",
        "np.inner(a, a)",
        "np.average(a)",
        "np.average(a, axis=0)",
        "np.ediff1d(a)",
        "np.vdot(a, a)",
    ],
)
def test_matrices(expression):
    for a in arrays(("int64", "float32"), (3, 4), (1, 5)):
        check(expression, a)


@pytest.mark.parametrize(
    "expression",
    [
        "np.gradient(a)",
        "np.gradient(a, 0.5)",
        "np.ediff1d(a)",
        "np.vander(a)",
        "np.vander(a, 3)",
        "np.vander(a, 4, True)",
        "np.inner(a, a)",
        "np.average(a, weights=np.abs(a) + 1)",
        "np.polyval(a, 2)",
        "np.polyval(a, 0.5)",
        "np.polyval(a, a)",
    ],
)
def test_vectors(expression):
    for dtype in ("int64", "float32", "float64"):
        for size in (2, 3, 8):
            for a in layouts(dtype, (size,)):
                check(expression, a)


@pytest.mark.parametrize("name", ["tril_indices", "triu_indices"])
def test_triangles(name):
    for n in (0, 1, 4):
        for k in (-2, 0, 1):
            check(f"np.{name}(a, b)", n, k)
            check(f"np.{name}(a, b, 3)", n, k)


def test_what_numpy_refuses():
    check("np.gradient(a)", np.ones(1))
    check("np.inner(a, b)", np.ones(2), np.ones(3))
    check("np.vdot(a, b)", np.ones(2), np.ones(3))
    with pytest.raises(ZeroDivisionError, match="Weights sum to zero"):
        njit(lambda a: np.average(a, weights=a * 0))(np.ones(3))
