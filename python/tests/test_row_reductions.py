"""Reductions of expressions along their last axis, whose elements are computed in the loops over rows."""

import itertools

import numpy as np
import pytest

from pyopt import njit, prange

RANDOM = np.random.default_rng(12)
REDUCTIONS = {
    "sum": lambda x, y: (x - y).sum(axis=1),
    "last": lambda x, y: np.sum((x - y) ** 2, axis=-1),
    "mean": lambda x, y: (x + y).mean(axis=1),
    "prod": lambda x, y: np.prod(x + y, axis=1),
    "any": lambda x, y: (x > y).any(axis=1),
    "all": lambda x, y: np.all(x >= y, axis=1),
    "first": lambda x, y: (x * y).sum(axis=0),
    "kept": lambda x, y: (x * y).sum(axis=1, keepdims=True),
    "greatest": lambda x, y: (x * y).max(axis=1),
}
COMPILED = {
    (name, threads): njit(parallel=threads)(REDUCTIONS[name])
    for name in REDUCTIONS
    for threads in (False, True)
}
SHAPES = [
    ((4, 5), (4, 5)),
    ((4, 5), (5,)),
    ((4, 5), (4, 1)),
    ((1, 5), (4, 5)),
    ((4, 1), (1, 5)),
    ((40, 1), (40, 1)),
    ((0, 5), (5,)),
    ((3, 0), (3, 1)),
]


@pytest.mark.parametrize(("name", "threads"), COMPILED)
def test_reductions_are_those_of_numpy(name, threads):
    for (left, right), kind in itertools.product(SHAPES, ["f8", "f4", "i4", "u1", "c16"]):
        if name == "greatest" and (0 in left or kind == "c16"):
            continue
        if name in ("any", "all") and kind == "c16":
            continue
        x = (RANDOM.random(left) * 4).astype(kind)
        y = (RANDOM.random(right) * 4).astype(kind)
        expected = REDUCTIONS[name](x, y)
        given = COMPILED[name, threads](x, y)
        assert given.dtype == expected.dtype and given.shape == expected.shape
        np.testing.assert_allclose(given, expected, rtol=1e-5 if kind == "f4" else 1e-13)


@pytest.mark.parametrize("threads", [False, True])
def test_views_and_orders(threads):
    distances = njit(parallel=threads)(lambda x, y: ((x - y) ** 2).sum(axis=1))
    wide = RANDOM.random((30, 40))
    for x in (wide[::2, ::-3], wide.T[5:25], np.asfortranarray(wide), wide[3:3]):
        y = RANDOM.random(x.shape[1])
        np.testing.assert_allclose(distances(x, y), distances.py_func(x, y), rtol=1e-13)
    with pytest.raises(ValueError, match="could not be broadcast"):
        distances(wide, np.ones(3))
    special = np.array([[np.nan, 1.0], [np.inf, 2.0], [-0.0, 0.0]])
    np.testing.assert_array_equal(distances(special, np.zeros(2)), [np.nan, np.inf, 0.0])


@pytest.mark.parametrize("threads", [False, True])
def test_elements_are_those_before_later_writes(threads):
    @njit(parallel=threads)
    def overwritten(x):
        doubled = x * 2
        x[:] = 0
        return doubled.sum(axis=1)

    @njit(parallel=threads)
    def used_twice(x):
        doubled = x * 2
        return doubled.sum(axis=1) + doubled[:, 0]

    @njit(parallel=threads)
    def chained(x, y):
        shifted = x - y
        squares = shifted * shifted
        return np.sqrt(squares.sum(axis=1))

    @njit(parallel=threads)
    def by_hand(x):
        doubled = x * 2
        sums = np.empty(x.shape[0])
        for i in prange(x.shape[0]):
            sums[i] = doubled[i].sum()
            x[i, 0] = 7
        return sums

    for function in (overwritten, used_twice, by_hand):
        x = RANDOM.random((20, 30))
        expected = function.py_func(x.copy())
        np.testing.assert_allclose(function(x.copy()), expected, rtol=1e-13)
    x, y = RANDOM.random((20, 30)), RANDOM.random(30)
    np.testing.assert_allclose(chained(x, y), chained.py_func(x, y), rtol=1e-13)


def test_no_array_is_made_between():
    distances = njit(lambda x, y: ((x - y) ** 2).sum(axis=1))
    distances(np.ones((3, 4)), np.ones(4))
    assert "pattern array_expr" not in distances.inspect_ir("parfor-inline-producers")
