"""``typed.List`` in Python: what `index`, `remove` and slices do is what Numba's do."""

import numpy as np
import pytest

from pyopt.typed import List


def test_items_are_found_and_removed():
    items = List([3, 1, 2, 1])
    assert items.index(1) == 1
    assert items.index(1, 2) == 3
    items.remove(1)
    assert list(items) == [3, 2, 1]
    with pytest.raises(ValueError, match="item not in list"):
        items.index(1, 0, 2)
    with pytest.raises(ValueError, match=r"list.remove\(x\): x not in list"):
        items.remove(9)
    with pytest.raises(ValueError, match="x not in list"):
        List().remove(1)


def test_slices_are_typed_lists():
    items = List([1, 2, 3])
    part = items[::-2]
    assert repr(part) == "ListType[int64]([3, 1])"
    part.append(9)
    assert list(items) == [1, 2, 3]
    assert repr(items[5:]) == "ListType[int64]([])"
    assert isinstance(List()[1:], List)
    arrays = List([np.zeros(2), np.ones(2)])
    arrays[1:][0][0] = 7
    assert arrays[1][0] == 7
