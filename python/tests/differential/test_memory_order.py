"""New arrays have the order of the arrays they are made of, also of parts taken in any direction."""

import numpy as np
import pytest

from pyopt import njit

VIEWS = (
    "a[::-1]",
    "a[:, ::-1, ::-1]",
    "a[::2, ::3]",
    "a[1]",
    "a[1:3, :, 1:2]",
    "a[::-1].T",
    "a.T[::-1]",
    "a[::-1, None]",
    "a[..., ::-2]",
    "a[:, 2]",
    "a[::-1][:, ::2]",
    "a[::3, ::5, ::3]",
    "a[:0, ::-1]",
)
MADE = (
    "v.copy()",
    "np.copy(v)",
    "v.astype(np.float32)",
    "np.array(v)",
    "np.zeros_like(v)",
    "np.full_like(v, 2.0)",
    "-v",
    "v * 2 + v",
    "np.where(v > 1, v, 2 * v)",
)
ARRAY = np.arange(96.0).reshape(4, 6, 4)


def strides(array):
    """What is said of the dimensions in which there are several elements."""
    return [step for step, size in zip(array.strides, array.shape, strict=True) if size > 1 and array.size]


@pytest.mark.parametrize("view", VIEWS)
def test_orders(view):
    lines = "".join(f"    r{at} = {made}\n" for at, made in enumerate(MADE))
    results = ", ".join(f"r{at}" for at in range(len(MADE)))
    names = {"np": np}
    exec(f"def f(a):\n    v = {view}\n{lines}    return {results}\n", names)
    f = names["f"]
    compiled = njit(f)
    for a in (np.asfortranarray(ARRAY), ARRAY):
        for made, ours, theirs in zip(MADE, compiled(a), f(a), strict=True):
            np.testing.assert_array_equal(ours, theirs, made)
            assert ours.dtype == theirs.dtype
            assert strides(ours) == strides(theirs), made


@pytest.mark.parametrize("order", "CF")
def test_whether_a_reshaped_array_is_a_copy(order):
    def f(a):
        b = a[::-1].astype(np.float32)
        flat = b.reshape(-1)
        flat[0] = 99.0
        return b, flat

    a = np.asarray(ARRAY[0], order=order)
    for ours, theirs in zip(njit(f)(a), f(a), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_orders_that_meet():
    def f(a, b, backwards):
        if backwards:
            v = a[::-1]
        else:
            v = b[::-1]
        return v + 1.0, v

    a, b = np.asfortranarray(ARRAY), ARRAY.copy()
    for backwards in (True, False):
        for ours, theirs in zip(njit(f)(a, b, backwards), f(a, b, backwards), strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_a_view_in_a_tuple_and_in_a_loop():
    def f(a, n):
        pair = (a[::-1], 2)
        total = 0.0
        v = a[::-1]
        for _ in range(n):
            total += (v + pair[1])[0, 0, 0] + pair[0].astype(np.float32)[1, 1, 1]
            v = v[::-1]
        return total, v.astype(np.int64)

    a = np.asfortranarray(ARRAY)
    for ours, theirs in zip(njit(f)(a, 3), f(a, 3), strict=True):
        np.testing.assert_array_equal(ours, theirs)
