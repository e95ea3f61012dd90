"""Views with other strides: broadcasting, windows, run-time transposition; assigning by functions."""

import itertools

import numpy as np
import pytest
from arrays import LAYOUTS_2D, laid_out, values
from compare import SumOf, check
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from pyopt import _core, errors, njit


def repeated(a):
    b = np.broadcast_to(a, (4, 2, 3))
    return b, b.sum(), b[:, ::-1, 1], b + 1, np.broadcast_to(5, 3), np.broadcast_to(a[:, :1], a.shape)


def together(a):
    x, y = np.broadcast_arrays(a, a[:1, 0])
    return x, y, x * y


def shapes(a):
    return np.broadcast_shapes(a.shape, (5, 1, 1), 3), np.broadcast_shapes(), np.broadcast_shapes((2, 1))


def windows(a):
    w = sliding_window_view(a, (2, 2))
    return w, w.sum(axis=(2, 3)), sliding_window_view(a, 2, axis=-1), sliding_window_view(a[0], 3)


def strided(a):
    return as_strided(a, (2, 2), (a.strides[1], a.strides[1])), as_strided(a, strides=a.strides)


def transposed(a, axes):
    b = np.transpose(a, axes)
    b[0, 0] = 9
    return b, a.transpose(axes[0], axes[1])


@pytest.mark.parametrize("layout", LAYOUTS_2D)
@pytest.mark.parametrize("dtype", ["f8", "i2", "u1"])
def test_views(layout, dtype):
    a = laid_out(values((2, 3), dtype), layout)
    for function in (repeated, together, shapes, windows, strided):
        check(function, a, tolerance=SumOf(a, a), numpy=True)
    if layout != "readonly":
        for axes in ((0, 1), (1, 0), (-1, 0)):
            check(transposed, a, axes, numpy=True)


@pytest.mark.parametrize("shape", [(2, 2), (3,), (), (-1, 3), (2, 4)])
def test_shapes_that_do_not_fit(shape):
    with pytest.raises(ValueError):
        njit(lambda a: np.broadcast_to(a, shape))(np.zeros((2, 3)))


def test_repeated_elements_are_for_reading():
    def write(a):
        np.broadcast_to(a, (2, 3))[0, 0] = 1

    with pytest.raises(errors.TypingError, match="readonly"):
        njit(write)(np.zeros(3))


def test_owners_live_as_long_as_views():
    @njit
    def make(n):
        return np.broadcast_to(np.arange(3.0), (n, 3)), sliding_window_view(np.arange(5), n)

    before = _core.memory_stats()[2]
    kept = make(2)
    assert (kept[0] == np.arange(3.0)).all()
    assert kept[1][1, 1] == 2
    del kept
    with pytest.raises(ValueError):
        make(-1)
    assert _core.memory_stats()[2] == before


def visited(a, b):
    total = 0.0
    for x in np.nditer(a):
        total = total * 2 + x.item()
    for x, y in np.nditer((a, b)):
        total = total * 3 + x[()] - y[()]
    return total


@pytest.mark.parametrize("layout", ["C", "F", "strided", "transposed", "readonly"])
def test_every_element_is_visited(layout):
    a = laid_out(values((2, 3), "f8"), layout)
    check(visited, a, a[0].copy())
    check(visited, a, a)
    check(visited, a, np.asfortranarray(a))


def order_of_visits(a, b):
    firsts, pairs = [], []
    for x in np.nditer(a):
        firsts.append(x.item())
    for x, y in np.nditer((a, b)):
        pairs.append((x.item(), y.item()))
    return firsts, pairs


def test_elements_are_visited_in_the_order_of_memory():
    base = np.arange(24.0).reshape(2, 3, 4)
    views = [np.transpose(base, axes) for axes in itertools.permutations(range(3))]
    views += [
        base[::-1],
        base[:, ::-1, ::-2],
        base[:, :, ::-1].T,
        base[:1].T,
        base[:, 1:2, :].transpose(1, 2, 0),
    ]
    views += [np.broadcast_to(np.arange(4.0), (2, 3, 4)), np.asfortranarray(base)[:, ::2]]
    others = [*views, np.array(2.0), np.arange(4.0), np.arange(3.0)[::-1].reshape(3, 1)]
    for a in views:
        for b in others:
            if fits(a, b):
                check(order_of_visits, a, b)


def fits(a, b):
    """Whether arrays can be broadcast together."""
    try:
        np.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        return False
    return True


def assigned(a, b):
    np.copyto(a, b)
    np.copyto(a, 1, where=a > 2)
    np.put(a, np.array([0, -1]), 5)
    a.put([1, 2], [7])
    return np.resize(a, (2, 5))


def diagonal(a):
    b = np.zeros((7, 2), a.dtype)
    np.fill_diagonal(a, 3)
    np.fill_diagonal(b, np.array([1, 2]), True)
    c = np.zeros((2, 2, 2))
    np.fill_diagonal(c, 4.5)
    return a, b, c


@pytest.mark.parametrize("dtype", ["f8", "i2", "c16"])
def test_assigning_functions(dtype):
    def ready(layout):
        return laid_out(np.arange(6).reshape(2, 3).astype(dtype), layout)

    for layout in ("C", "F", "strided", "transposed"):
        check(diagonal, ready(layout))
        if dtype != "c16":
            check(assigned, ready(layout), np.arange(3).astype(dtype))


def test_copies_do_not_lose_kinds():
    for source in (np.ones(2), np.ones(2, complex), 2.5):
        with pytest.raises(errors.TypingError, match="same_kind|can't assign"):
            njit(lambda a, b: np.copyto(a, b))(np.zeros(2, int), source)
