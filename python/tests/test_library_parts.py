"""The overload library against NumPy: arrays in parts, windows, classes of numbers, positions, layouts."""

import numpy as np
import pytest
from library_checks import DTYPES, EVERY, FLOATS, arrays, check, layouts, numbers

from pyopt import errors, njit

WITH_NAN = np.array([[np.nan, 3.0, -1.0, np.inf], [2.0, np.nan, 2.0, -0.0], [1.0, -np.inf, 7.0, np.nan]])


@pytest.mark.parametrize("name", ["array_split", "split"])
def test_sections_of_vectors(name):
    for v in arrays(EVERY, (12,)):
        for sections in (1, 2, 3, 4, 5, 12, 15, 0, -1):
            if name == "array_split" or sections > 0:
                check(f"np.{name}(a, b)", v, sections)
        for places in (np.array([3, 5]), np.array([0, 12]), np.array([5, 3, -2, 40]), np.zeros(0, np.int64)):
            check(f"np.{name}(a, b)", v, places)
        check(f"np.{name}(a, (2, 7))", v)


def test_sections_of_arrays():
    for a in (*layouts("float64", (4, 6)), numbers("int16", (4, 6)), np.zeros((0, 2))):
        for axis in (0, 1, -1, -2):
            check(f"np.array_split(a, 4, axis={axis})", a)
            check(f"np.array_split(a, np.array([1, 3]), {axis})", a)
        check("np.vsplit(a, 2), np.hsplit(a, 3), np.hsplit(a, np.array([2]))", a)
    for a in layouts("float64", (2, 3, 4)):
        check("np.dsplit(a, 2), np.split(a, 3, 1), np.hsplit(a, 3)", a)
    check("np.hsplit(a, 2)", numbers("int64", (6,)))
    check("np.vsplit(a, 2)", numbers("int64", (6,)))
    check("np.dsplit(a, 2)", numbers("int64", (2, 6)))
    with pytest.raises(ZeroDivisionError, match="modulo by zero"):
        njit(lambda a: np.split(a, 0))(np.arange(3))


def test_sections_are_views():
    def halves(a):
        parts = np.split(a, 2)
        parts[1][0] = 99
        return a

    np.testing.assert_array_equal(njit(halves)(np.arange(6)), halves(np.arange(6)))


def test_trimmed_zeros():
    for v in ([0, 0, 1, 0, 2, 0], [0, 0], [], [1, 2], [0, 5], [5, 0]):
        for dtype in ("int64", "float32", "bool", "complex128"):
            for trim in ("", ", 'f'", ", trim='b'", ", 'fb'"):
                check(f"np.trim_zeros(a{trim})", np.array(v, dtype))
    with pytest.raises(errors.TypingError, match="zeros are trimmed from the front 'f'"):
        njit(lambda a: np.trim_zeros(a, "x"))(np.arange(3))


def test_squeezed():
    for a in (*layouts("float64", (1, 3, 1)), numbers("int8", (1, 1, 1)), np.zeros((1, 0, 1))):
        check("np.squeeze(a, 0), np.squeeze(a, axis=-1), np.squeeze(a, (0, 2)), a.squeeze((2,))", a)
    check("a.squeeze(axis=1)", numbers("float64", (1, 3, 1)))
    with pytest.raises(errors.TypingError, match="name them, axis=0"):
        njit(lambda a: a.squeeze())(np.ones((1, 2)))


@pytest.mark.parametrize("name", ["bartlett", "blackman", "hamming", "hanning"])
def test_windows(name):
    for size in (-1, 0, 1, 2, 3, 4, 7, 12, 51):
        check(f"np.{name}(a)", size)


def test_kaiser():
    for size in (0, 1, 2, 3, 8, 21):
        for beta in (0.0, 0.5, 5, 8.6, 14.0, 50.0, -3.0):
            check("np.kaiser(a, b)", size, beta)


def test_unwrapped():
    steps = np.array([0.0, 3.0, 6.0, 9.5, -2.0, 1.0, 3.2, 3.2 + np.pi, 0.1, -9.0, np.nan, 2.0])
    for dtype in (*FLOATS, "int64", "int8"):
        v = np.nan_to_num(steps).astype(dtype)
        check("np.unwrap(a)", v)
        check("np.unwrap(a, 4.0)", v)
        check("np.unwrap(a, period=4.0)", v)
    check("np.unwrap(a)", steps)
    for a in (*layouts("float64", (3, 5)), numbers("float64", (2, 0)), np.zeros((0, 2))):
        check("np.unwrap(a * 4), np.unwrap(a * 4, axis=0), np.unwrap(a * 4, None, -2, period=3.0)", a)
    check("np.unwrap(a)", np.array([0.0, np.pi, 0.0, -np.pi, 2 * np.pi]))


def test_classes_of_numbers():
    for dtype in EVERY:
        for a in layouts(dtype, (3, 4)):
            check("np.iscomplex(a), np.isreal(a)", a)
    for a in (WITH_NAN, WITH_NAN.T, np.inf, -np.inf, 1.5, numbers("int32", (3,))):
        check("np.isposinf(a), np.isneginf(a)", a)
    check("np.isreal(a), np.iscomplex(a)", 1 + 0j)
    check("np.isreal(a), np.iscomplex(a)", 2.0)
    check("np.isscalar(a), np.isscalar(1.5), np.isscalar(a.size), np.isscalar((1, 2))", np.zeros(2))
    check("np.isscalar('text'), np.isscalar(a), np.isscalar(True)", np.float32(1))
    for dtype in FLOATS:
        check("np.fix(a)", np.array([-2.5, -0.5, -0.0, 0.5, 2.5, np.inf, np.nan], dtype), exact=True)
    check("np.asarray_chkfinite(a)", numbers("float32", (2, 3)))
    check("np.asarray_chkfinite(a)", WITH_NAN)
    with pytest.raises(errors.TypingError, match="complex numbers have no order"):
        njit(lambda a: np.isposinf(a))(np.ones(2) * 1j)


@pytest.mark.parametrize("name", ["nanargmin", "nanargmax", "nancumsum", "nancumprod"])
def test_without_nan(name):
    for a in (*arrays(DTYPES, (3, 4)), WITH_NAN, WITH_NAN.T, WITH_NAN[::-1, ::2]):
        check(f"np.{name}(a), np.{name}(a, axis=0), np.{name}(a, -1)", a)
    check(f"np.{name}(a)", np.full((2, 2), np.nan))
    check(f"np.{name}(a, 0)", np.full((2, 2), np.nan))
    inf = np.inf
    for a in ([np.nan, -inf], [np.nan, inf], [inf, np.nan, 2], [-inf, np.nan, -inf], [np.nan, inf, -inf]):
        check(f"np.{name}(a), np.{name}(-a)", np.array(a))


def test_positions():
    for shape in ((), (3,), (2, 3), (2, 0, 3), (4, 1, 2)):
        if shape:
            check("np.indices(a)", shape)
    for k in (-2, -1, 0, 1, 3):
        for a in (np.zeros((3, 4)), np.zeros((4, 2), np.int8)):
            check("np.tril_indices_from(a, b), np.triu_indices_from(a, k=b)", a, k)
        for a in (numbers("float32", (2, 2)), numbers("int64", (3,)), np.zeros(0)):
            check("np.diagflat(a, b)", a, k)
    check("np.diagflat(a)", 5)


def test_along_an_axis():
    for a in (*layouts("float64", (3, 4)), numbers("int8", (3, 4))):
        for axis in (0, 1, -1):
            check(f"np.take_along_axis(a, np.argsort(a, axis={axis}), {axis})", a)
        check("np.take_along_axis(a, b, 0)", a, np.array([[0, -1, 1, 2]]))
        check("np.take_along_axis(a, b, 1)", a, np.array([[3], [-4], [0]], np.int8))
        check("np.take_along_axis(a, b, None)", a, np.array([3, -5, 0]))
        check("np.take_along_axis(a, b, 1)", a, np.array([[4], [0], [0]]))
    check("np.take_along_axis(a, b, axis=2)", numbers("int64", (2, 3, 2)), np.array([[[1]], [[0]]]))
    with pytest.raises(errors.TypingError, match="must have the same number of dimensions"):
        njit(lambda a: np.take_along_axis(a, np.array([1]), 0))(np.ones((2, 2)))


def test_flags():
    shapes = ((3, 4), (1, 4), (3, 1), (1, 1), (0, 2), (5,), (1,), (2, 3, 4), (2, 1, 4))

    def flags(a):
        return a.flags.c_contiguous, a.flags.f_contiguous, a.flags.contiguous

    compiled = njit(flags)
    for shape in shapes:
        for a in layouts("float32", shape):
            for view in (a, a.T, a[..., None], a[:1]):
                assert compiled(view) == flags(view)
    assert compiled(np.ones(())) == (True, True, True)
    with pytest.raises(errors.TypingError, match="the flag 'owndata' of .* is not supported"):
        njit(lambda a: a.flags.owndata)(np.ones(2))


def test_elements_by_position():
    def changed(a):
        b = a.copy()
        t = b.T
        for i in range(len(t.flat)):
            t.flat[i] = 2 * t.flat[-1 - i] + i
        return b

    compiled = njit(changed)
    for shape in ((2, 3), (3, 1, 4), (0, 2)):
        for a in layouts("float64", shape):
            np.testing.assert_array_equal(compiled(a), changed(a))
            check("len(a.flat), len(a.T.flat)", a)
            if a.size:
                check("a.flat[1], a.T.flat[1], a.T.flat[-2], a[::-1].flat[0]", a)
                check("a.T.flat[1:3], a.T.flat[np.array([0, -1])]", a)
    with pytest.raises(IndexError, match="out of bounds"):
        njit(lambda a: a.T.flat[6])(np.ones((2, 3)))


def test_complex_variances():
    for dtype in ("complex64", "complex128"):
        for a in layouts(dtype, (3, 4)):
            check("np.var(a), np.std(a), a.var()", a)
            check("np.var(a, axis=0), np.std(a, 1), a.std(axis=-1, keepdims=True), np.var(a, 0, ddof=1)", a)


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum"])
def test_parts_reduced(name):
    for a in (*arrays(DTYPES, (8,)), *layouts("float64", (5, 6))):
        for places in (np.array([0, 3, 1, 4]), np.array([2]), np.array([4, 4, 0]), np.array([9])):
            check(f"np.{name}.reduceat(a, b)", a, places)
            if a.ndim == 2:
                check(f"np.{name}.reduceat(a, b, axis=1)", a, places)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "maximum", "minimum"])
def test_updates_of_matrices(name):
    statement = f"""
def function(a, rows, columns, b):
    m = a.copy()
    np.{name}.at(m, rows, b)
    np.{name}.at(m, (rows, columns), 3)
    np.{name}.at(m, 1, b)
    np.{name}.at(m, slice(0, 2), b)
    np.{name}.at(m.T, (columns, rows), m[0, 0])
    return m
"""
    names = {"np": np}
    exec(statement, names)
    compiled = njit(names["function"])
    rows, columns = np.array([0, 2, 0, -1]), np.array([1, 1, 1, 0])
    for a in (*layouts("float64", (3, 2)), numbers("int32", (3, 2))):
        for b in (2, np.array([5, 7]).astype(a.dtype)):
            np.testing.assert_array_equal(
                compiled(a, rows, columns, b), names["function"](a, rows, columns, b)
            )


def test_complex_signs():
    parts = (0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan)
    v = np.array([complex(real, imaginary) for real in parts for imaginary in parts])
    for dtype in ("complex64", "complex128"):
        check("np.sign(a)", v.astype(dtype))
        for a in layouts(dtype, (3, 4)):
            check("np.sign(a)", a)


def test_least_of_what_has_no_order():
    for function in (njit(lambda a, b: min(a, b)), njit(lambda a, b: max(a, b))):
        with pytest.raises(errors.TypingError, match="no implementation of builtins.m.. for .* has no order"):
            function(1j, 2)


def test_truths_of_complex_numbers():
    for dtype in ("complex64", "complex128"):
        for a in layouts(dtype, (3, 4)):
            check("a.astype(np.bool_), np.count_nonzero(a), np.count_nonzero(a, axis=0)", a)
            check("np.count_nonzero(a, axis=(0, 1)), np.bool_(a[0, 0]), a.astype(bool).sum()", a)
    with pytest.raises(errors.TypingError, match="not added up in a type without imaginary parts"):
        njit(lambda a: np.sum(a, dtype=np.float32))(np.ones(2) * 1j)


def test_products_of_truths():
    for v in ([True, True, False], [False, False, True], []):
        check("np.vdot(a, a), np.vdot(a, ~a)", np.array(v, bool))


def test_no_lanes():
    for name in ("nanmin", "nanmax", "min", "max", "argmin", "argmax"):
        for shape in ((0, 3), (3, 0), (0, 0)):
            for arguments in ("", ", axis=0", ", axis=1", ", axis=1, keepdims=True"):
                check(f"np.{name}(a{arguments})", np.zeros(shape))


def test_views_of_numbers_have_more_dimensions():
    for a in (np.array(3.0), np.array(2, np.int8)):
        check("a.reshape(1), a.reshape((1, 1)), np.atleast_1d(a), a[None], a.ravel()", a)
        for expression in (
            "a.reshape(1)",
            "a.astype(np.float32)",
            "a.astype(np.int16) + 1",
            "a[None]",
            "np.expand_dims(a, 0)",
            "a.reshape(())",
            "a.T",
        ):
            check(expression, a)
