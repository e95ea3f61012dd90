"""Arrays in other shapes share memory where NumPy's do, whatever their strides."""

import numpy as np
import pytest

from pyopt import njit

SHAPED = {
    "pairs": lambda a: a.reshape((2, 2)),
    "column": lambda a: np.reshape(a, (4, 1)),
    "arguments": lambda a: a.reshape(1, 2, -1),
    "vector": lambda a: a.reshape(-1),
    "four": lambda a: a.reshape(4),
    "one_more": lambda a: np.expand_dims(a, 0),
    "one_behind": lambda a: np.expand_dims(a, -1),
    "at_least_1": lambda a: np.atleast_1d(a),
    "at_least_2": lambda a: np.atleast_2d(a),
    "at_least_3": lambda a: np.atleast_3d(a),
    "raveled": lambda a: a.ravel(),
    "flattened": lambda a: a.flatten(),
}
COMPILED = {name: njit(function) for name, function in SHAPED.items()}


def arrays():
    """Arrays of four elements, whose memory lies in all ways."""
    base = np.arange(64.0)
    square = base.reshape(8, 8)
    cube = base.reshape(4, 4, 4)
    yield base[:4]
    yield base[:8:2]
    yield base[3::-1]
    yield square[:2, :2]
    yield square[:4, 0]
    yield square[:4, 3:4]
    yield square[2:3, 2:6]
    yield square[::4, ::-4]
    yield square.T[:2, :2]
    yield np.asfortranarray(square[:2, :2])
    yield cube[:2, 1, ::3]
    yield cube[::3, ::3, 2:3]
    yield cube[1:2, :2, :2].transpose(2, 0, 1)
    yield np.arange(8, dtype="i4")[::2]


@pytest.mark.parametrize("name", SHAPED)
def test_memory_is_shared_where_numpys_is(name):
    for original, own in zip(arrays(), arrays(), strict=True):
        expected, given = SHAPED[name](original), COMPILED[name](own)
        np.testing.assert_array_equal(given, expected)
        assert given.shape == expected.shape
        assert np.shares_memory(given, own) == np.shares_memory(expected, original), (name, own.strides)


def test_writes_are_seen_in_what_was_reshaped():
    @njit
    def mark(a):
        a[::2].reshape((2, -1))[1, 0] = 9
        np.expand_dims(a[1::2], 1)[2, 0] = 7
        return a

    np.testing.assert_array_equal(mark(np.zeros(8)), mark.py_func(np.zeros(8)))


def test_shapes_without_elements_and_refusals():
    reshaped = njit(lambda a, n, m: a.reshape((n, m)))
    wide = np.zeros((3, 0, 8))[:, :, ::2]
    assert reshaped(wide, 5, 0).shape == (5, 0)
    with pytest.raises(ValueError, match=r"cannot reshape array of size 4 into shape \(3, ?2\)"):
        reshaped(np.zeros((2, 2, 2))[:, :, 0:1], 3, 2)
    frozen = np.arange(8.0)
    frozen.flags.writeable = False
    np.testing.assert_array_equal(
        reshaped(frozen.reshape(2, 2, 2)[:, :, ::-1], 4, 2), frozen.reshape(4, 2)[:, ::-1]
    )
