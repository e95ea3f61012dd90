"""Indices of unsigned types: none of them counts from the end."""

import numpy as np
import pytest

from pyopt import njit

READERS = {
    "elements": (lambda array, index: array[index], np.arange(5.0)),
    "rows": (lambda array, index: array[index].sum(), np.arange(15.0).reshape(5, 3)),
}


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.uint64])
@pytest.mark.parametrize("name", READERS)
def test_indices_out_of_bounds_raise_where_they_are_checked(dtype, name):
    read, array = READERS[name]
    compiled = njit(boundscheck=True)(read)

    @njit(boundscheck=True)
    def write(array, index):
        array[index] = 7.0

    for index in range(5):
        assert compiled(array, dtype(index)) == read(array, index)
    for index in (5, 6, np.iinfo(dtype).max - 1, np.iinfo(dtype).max):
        before = array.copy()
        with pytest.raises(IndexError):
            compiled(array, dtype(index))
        with pytest.raises(IndexError):
            write(array, dtype(index))
        np.testing.assert_array_equal(array, before)
