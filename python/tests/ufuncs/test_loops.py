"""Loops and methods of `vectorize`'s functions: which types they take, reductions, pickling."""

import copy
import pickle

import numpy as np
import pytest

from pyopt import njit, vectorize


def samples(dtype, count=11, seed=3):
    values = np.random.default_rng(seed).integers(0, 6, count)
    return values.astype(dtype) * (1 + 0.5j if dtype[0] == "c" else 1)


def scaled(a, b):
    return a * b + a


def branching(a, b):
    if a > b:
        return a - b
    return b - a


@vectorize(["int64(int64, int64)", "float64(float64, float64)"], identity=0)
def add(a, b):
    return a + b


@pytest.mark.parametrize("dtype", ["i4", "i8", "f4", "f8"])
def test_methods(dtype):
    a = samples(dtype, 24).reshape(4, 6)
    wide = np.int64 if dtype[0] == "i" else np.float64
    for axis in (0, 1, None):
        np.testing.assert_array_equal(add.reduce(a, axis=axis), np.add.reduce(a, axis=axis, dtype=wide))
    np.testing.assert_array_equal(add.reduce(a, keepdims=True), np.add.reduce(a, keepdims=True, dtype=wide))
    np.testing.assert_array_equal(add.reduce(a.T, initial=5), np.add.reduce(a.T, initial=5, dtype=wide))
    for axis in (0, 1):
        np.testing.assert_array_equal(add.accumulate(a, axis=axis), np.add.accumulate(a, axis=axis))
    np.testing.assert_array_equal(add.reduceat(a[0], [0, 3, 1, 5]), np.add.reduceat(a[0], [0, 3, 1, 5]))
    np.testing.assert_array_equal(add.outer(a[0], a[1]), np.add.outer(a[0], a[1]))
    expected, changed = a.astype(wide), a.astype(wide)
    np.add.at(expected, ([0, 0, 3], [1, 1, 2]), 7)
    add.at(changed, ([0, 0, 3], [1, 1, 2]), 7)
    np.testing.assert_array_equal(changed, expected)


def test_each_type_has_a_reduction_of_its_own():
    made = vectorize(["int64(int64, int64)", "float64(float64, float64)"])(lambda a, b: a - b)
    values = np.array([0.5, 1.25, 2.0])
    assert made.reduce(np.arange(4)) == -6
    assert made.reduce(values) == -2.75
    changed = values.copy()
    made.at(changed, [0], 1)
    np.testing.assert_array_equal(changed, [-0.5, 1.25, 2.0])


def test_methods_make_loops_too():
    made = vectorize(lambda a, b: a * 2 + b)
    assert made.reduce(np.arange(4.0)) == ((0 * 2 + 1) * 2 + 2) * 2 + 3
    np.testing.assert_array_equal(made.accumulate(np.arange(4)), [0, 1, 4, 11])
    assert made.types == ["dd->d"]  # ints fit into the first one
    np.testing.assert_array_equal(made.outer(1j, [1.0]), [2j + 1])
    assert made.types == ["dd->d", "Dd->D"]


def test_reduction_of_nothing():
    assert add.reduce(np.zeros(0)) == 0
    nothing = vectorize(["float64(float64, float64)"])(branching)
    with pytest.raises(ValueError, match="no identity"):
        nothing.reduce(np.zeros(0))
    with pytest.raises(ValueError, match="multiple axes|reorder"):
        nothing.reduce(np.zeros((2, 2)), axis=None)
    any_order = vectorize(["float64(float64, float64)"], identity="reorderable")(branching)
    assert any_order.reduce(np.ones((2, 2)), axis=None) == 0


def test_parallel_methods_keep_their_order():
    made = vectorize(["float64(float64, float64)"], target="parallel")(lambda a, b: a / 2 + b)
    values = np.random.default_rng(1).random(5000)
    expected = values[0]
    for value in values[1:]:
        expected = expected / 2 + value
    assert made.reduce(values) == expected
    assert made.accumulate(values)[-1] == expected


def test_signatures_count_in_their_order():
    # As in Numba: the first loop that the operands can be cast to, though NumPy would find a closer one.
    made = vectorize(["float64(float64)", "int8(int8)"])(lambda a: a * 2)

    @njit
    def compiled(a):
        return made(a)

    narrow = np.arange(3, dtype="i1")
    assert made(narrow).dtype == compiled(narrow).dtype == np.float64
    assert made(narrow, dtype="i1").dtype == made(narrow, signature="b->b").dtype == np.int8
    assert made.types == ["d->d", "b->b"]
    close_first = vectorize(["int8(int8)", "float64(float64)"])(lambda a: a * 2)
    assert close_first(narrow).dtype == np.int8


@pytest.mark.parametrize("dtype", ["?", "i1", "i4", "u2", "f4"])
def test_reductions_of_narrow_numbers(dtype):
    made = vectorize(lambda a, b: a + b, identity=0)
    a = samples(dtype, 12).reshape(3, 4)
    wide = {"?": "i8", "i": "i8", "u": "u8"}.get(dtype[0], dtype)
    for name, arguments in (("reduce", (a, 1)), ("accumulate", (a,)), ("reduceat", (a, [0, 2]))):
        result = getattr(made, name)(*arguments)
        assert result.dtype == np.dtype(wide)
        np.testing.assert_array_equal(result, getattr(np.add, name)(*arguments, dtype=wide))


def test_loops_that_calls_make_come_by_their_types():
    made = vectorize(scaled)
    made(1.5, 2.0)
    assert made.types == ["dd->d"]
    made(np.float32(1), np.int8(2))
    assert made(np.arange(3, dtype="f4"), np.arange(3, dtype="i1")).dtype == np.float64
    assert made.types == ["dd->d"]  # the first one holds these
    made(1j, 1j)
    assert made.types == ["dd->d", "DD->D"]


def test_pickle():
    assert pickle.loads(pickle.dumps(add)) is add
    assert repr(add) == "<pyopt DUFunc 'add'>"
    assert copy.deepcopy(add) is add


def test_pickle_of_what_has_no_name():
    offset = 3.0

    def inner(a):
        return np.sqrt(a)

    @vectorize(["float64(float64, float64)"], identity=0)
    def eager(a, b):
        """Combine."""
        return a * b + offset

    @vectorize
    def calls(a):
        return inner(a) + offset

    for one, count in ((eager, 2), (calls, 1)):
        copied = pickle.loads(pickle.dumps(one))
        arguments = [np.arange(4)] * count
        np.testing.assert_array_equal(copied(*arguments), one(*arguments))
        assert (copied.types, copied.__doc__, copied.identity) == (one.types, one.__doc__, one.identity)
    with pytest.raises(TypeError):
        pickle.loads(pickle.dumps(eager))(1j, 1)

    @njit
    def uses(a):
        return copied(a)

    np.testing.assert_array_equal(uses(np.arange(3.0)), calls(np.arange(3.0)))
