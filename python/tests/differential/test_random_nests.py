"""Random nests of two loops, with branches and divisions, leave what CPython leaves, to the bit."""

import pytest

from tests.differential.random_nests import difference


@pytest.mark.parametrize("first", range(0, 48, 6))
def test_programs(first):
    for seed in range(first, first + 6):
        assert difference(seed) is None
