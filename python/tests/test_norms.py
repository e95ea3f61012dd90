"""``numpy.linalg.norm``."""

import numpy as np
import pytest

from pyopt import errors, njit

INF = np.inf


@njit
def norm(x, ord):
    return np.linalg.norm(x, ord)


@pytest.mark.parametrize("dtype", ["i4", "u1", "f4", "f8", "c8", "c16", "?"])
@pytest.mark.parametrize("ord", [None, 0, 1, 2, 3, -1, -2, 2.5, INF, -INF])
def test_vectors(dtype, ord):
    x = np.array([3, 0, 4, 2, 5]).astype(dtype)
    if dtype[0] == "c":
        x *= 1 - 2j
    with np.errstate(divide="ignore"):
        expected = np.linalg.norm(x, ord)
    given = norm(x, ord)
    assert np.allclose(given, expected, rtol=1e-6), (given, expected)
    assert norm(x[::-2], ord) == pytest.approx(float(np.linalg.norm(x[::-2], ord)), rel=1e-6)


@pytest.mark.parametrize("ord", [None, "fro", 1, -1, INF, -INF])
@pytest.mark.parametrize("order", ["C", "F"])
def test_matrices(ord, order):
    x = np.asarray(np.arange(-3.0, 9.0).reshape(3, 4), order=order)
    assert norm(x, ord) == pytest.approx(np.linalg.norm(x, ord))


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "c16"])
@pytest.mark.parametrize("ord", [None, 0, 1, 2, 3, -1, 2.5, INF, -INF])
def test_along_an_axis(dtype, ord):
    x = np.arange(1, 25).reshape(2, 3, 4).astype(dtype) * (1 - 2j if dtype[0] == "c" else 1)

    @njit
    def norms(x, ord, axis):
        return np.linalg.norm(x, ord, axis), np.linalg.norm(x, ord, axis=axis, keepdims=True)

    for view in (x, x[::-1, :, ::2], x.T, x[0]):
        for axis in range(-view.ndim, view.ndim):
            given, kept = norms(view, ord, axis)
            expected = np.linalg.norm(view, ord, axis)
            assert given.dtype == expected.dtype
            np.testing.assert_allclose(given, expected, rtol=1e-6)
            np.testing.assert_allclose(kept, np.linalg.norm(view, ord, axis, keepdims=True), rtol=1e-6)
    with pytest.raises(ValueError):
        norms(x, ord, 3)


def test_along_two_axes():
    x = np.arange(24.0).reshape(2, 3, 4)
    compiled = njit(lambda x: (np.linalg.norm(x, axis=(0, 2)), np.linalg.norm(x, "fro", (1, 2))))
    expected = np.linalg.norm(x, axis=(0, 2)), np.linalg.norm(x, "fro", (1, 2))
    for one, other in zip(compiled(x), expected, strict=True):
        np.testing.assert_allclose(one, other)
    with pytest.raises(NotImplementedError, match="Frobenius"):
        njit(lambda x: np.linalg.norm(x, 1, (0, 1)))(x)


def test_special_values():
    x = np.array([1.0, np.nan, 2.0])
    for ord in (None, 1, 2, INF):
        assert np.isnan(norm(x, ord))
    assert norm(np.zeros(0), 1) == 0.0
    with pytest.raises(ValueError):
        norm(np.zeros(0), INF)
    assert njit(lambda x: np.linalg.norm(x, ord=1))(np.array([1.0, -2.0])) == 3.0


def test_errors():
    square = np.eye(2)
    for x, ord, reason in (
        (square[0], "fro", "Invalid norm order"),
        (square, "max", "Invalid norm order for matrices."),
        (square, 3, "Invalid norm order for matrices."),
        (np.zeros((2, 2, 2)), 1, "Improper number of dimensions"),
    ):
        with pytest.raises(ValueError, match=reason):
            norm(x, ord)
        with pytest.raises(ValueError):
            np.linalg.norm(x, ord)
    for ord in (2, -2, "nuc"):
        with pytest.raises(NotImplementedError, match="singular values"):
            norm(square, ord)
    with pytest.raises(errors.TypingError):
        njit(lambda: np.linalg.norm("abc"))()
