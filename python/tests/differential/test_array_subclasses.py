"""Subclasses of ``numpy.ndarray`` as arguments: compiled code sees the array, as in Numba."""

import numpy as np
import pytest

from pyopt import njit, typeof


class Tagged(np.ndarray):
    """An array with a tag."""

    def __array_finalize__(self, source):
        """Take over the tag."""
        self.tag = getattr(source, "tag", None)


@njit
def scaled_sum(array, factor):
    """Change each element and sum them up."""
    total = 0.0
    for index in np.ndindex(array.shape):
        array[index] *= factor
        total += array[index]
    return total


@pytest.mark.parametrize(
    "make",
    [
        lambda: np.arange(6.0).view(Tagged),
        lambda: np.arange(12.0).reshape(3, 4)[::-1, ::2].view(Tagged),
        lambda: np.asfortranarray(np.arange(6.0).reshape(2, 3)).view(Tagged),
        lambda: np.zeros((0, 3)).view(Tagged),
        lambda: np.array(2.5).view(Tagged),
        lambda: np.matrix([[1.0, 2.0], [3.0, 4.0]]),
    ],
)
def test_elements_are_those_of_the_array(make):
    array, plain = make(), np.array(make(), subok=False)
    assert typeof(array) == typeof(np.asarray(array))
    assert scaled_sum(array, 2.0) == (plain * 2).sum()
    np.testing.assert_array_equal(np.asarray(array), plain * 2)


def test_one_specialisation_serves_all_classes():
    @njit
    def first(array):
        return array[0]

    assert first(np.arange(3.0)) == first(np.arange(3.0).view(Tagged)) == 0.0
    assert len(first.signatures) == 1


def test_masked_arrays_are_refused():
    class OwnMasked(np.ma.MaskedArray):
        pass

    for array in (np.ma.masked_array([1.0, 2.0], [True, False]), np.arange(3.0).view(OwnMasked)):
        with pytest.raises(TypeError, match="doesn't see its mask; pass its .data"):
            scaled_sum(array, 1.0)
        assert scaled_sum(array.data, 1.0) == array.data.sum()


@pytest.mark.parametrize("mask", [[True, False], False])
@pytest.mark.parametrize("hold", [lambda array: array, lambda array: (1, array)], ids=["alone", "in a tuple"])
def test_masked_arrays_from_outside_are_refused(mask, hold):
    held = hold(np.ma.masked_array([1.0, 2.0], mask))

    @njit
    def total():
        return held.sum() if isinstance(held, np.ndarray) else held[1].sum()

    with pytest.raises(TypeError, match="a global MaskedArray: compiled code doesn't see its mask"):
        total()
