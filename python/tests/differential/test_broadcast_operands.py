"""Operands of one expression that must be repeated, by their sizes, layouts and types.

What doesn't have the sizes of the result goes through the runtime, all operands of an expression in one call.
"""

import itertools

import numpy as np
import pytest
from memory import live

from pyopt import njit

SHAPES = ((5, 3), (1, 3), (5, 1), (1, 1), (3,), (1,), (4,), (0, 3), (2, 3, 3), (2, 1, 3))
LAYOUTS = {
    "C": np.ascontiguousarray,
    "F": lambda array: np.array(array, order="F"),
    "backward": lambda array: array[::-1],
    "every other": lambda array: np.repeat(array, 2, axis=-1)[..., ::2],
    "read-only": lambda array: np.broadcast_to(array, array.shape),
    "unaligned": lambda array: unaligned(array),
}
DTYPES = ("int8", "float32", "int64", "complex128")


def unaligned(array):
    memory = np.zeros(array.nbytes + 1, np.uint8)[1:]
    view = memory.view(array.dtype).reshape(array.shape)
    view[...] = array
    return view


def two(a, b):
    return a - b


def four(a, b, c, d):
    return (a - b) * (c + d)


def assigned(a, b, out):
    out[...] = a + b
    return out


def chained(a, b, c):
    first = a + b
    second = c * a
    return first - second, first.sum()


def check(function, *arguments):
    """Compares a compiled function with itself under NumPy: its result, or that it refuses the shapes."""
    compiled = njit(function)
    try:
        expected = function(*[argument.copy() for argument in arguments])
    except ValueError:
        with pytest.raises(ValueError, match="broadcast|could not be"):
            compiled(*arguments)
        return
    result = compiled(*arguments)
    for one, other in zip(_parts(result), _parts(expected), strict=True):
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(one, other, rtol=1e-6)


def _parts(result):
    return result if isinstance(result, tuple) else (result,)


def arrays(shapes, dtype, seed=7):
    random = np.random.default_rng(seed)
    return [(random.random(shape) * 9).astype(dtype) for shape in shapes]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_pairs(dtype, layout):
    compiled = njit(two)
    for shapes in itertools.product(SHAPES, repeat=2):
        a, b = arrays(shapes, dtype)
        for one, other in ((a, LAYOUTS[layout](b)), (LAYOUTS[layout](a), b)):
            try:
                expected = two(one, other)
            except ValueError:
                with pytest.raises(ValueError, match="could not be broadcast"):
                    compiled(one, other)
                continue
            result = compiled(one, other)
            assert result.shape == expected.shape
            np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("shapes", list(itertools.product([(3,), (1,), (0,), (2, 3), (2, 1)], repeat=4)))
def test_four_operands(shapes):
    check(four, *arrays(shapes, "float64"))


@pytest.mark.parametrize("shapes", list(itertools.product([(2, 3), (1, 3), (2, 1)], repeat=3)))
def test_statements_share_operands(shapes):
    check(chained, *arrays(shapes, "float64"))


@pytest.mark.parametrize("shapes", list(itertools.product([(3,), (1,), (2, 3), (2, 1), (4,)], repeat=2)))
def test_assignments(shapes):
    a, b = arrays(shapes, "float64")
    check(assigned, a, b, np.zeros((2, 3)))
    # A repeated operand that lies in the target.
    target = np.arange(6.0).reshape(2, 3)
    if a.shape == (2, 1):
        check(lambda out, b: assigned(out[:, :1], b, out), target, b)


def test_operands_of_another_size_in_a_loop():
    """The table for the runtime is made once for a function, not in each iteration."""

    def many(a, b, n):
        total = 0.0
        for _ in range(n):
            total += (a * b).sum()
        return total

    a, b = np.arange(3.0), np.full(1, 0.5)
    assert njit(many)(a, b, 300_000) == 300_000 * 1.5


def test_the_operand_that_does_not_fit_is_told():
    compiled = njit(four)
    a, b, c, d = arrays([(3,), (1,), (3,), (4,)], "float64")
    with pytest.raises(ValueError, match=r"could not be broadcast together with shapes \(3,\) \(4,\)"):
        compiled(a, b, c, d)


@pytest.mark.parametrize("last", [(3,), (1,), (4,)])
def test_copies_are_given_back(last):
    """Also those before an operand that doesn't fit."""
    compiled = njit(four)
    operands = arrays([(3,), (1,), (1,), last], "float64")

    def call():
        try:
            return compiled(*operands)
        except ValueError:
            return None

    call()
    before = live()
    for _ in range(10):
        call()
    assert live() == before
