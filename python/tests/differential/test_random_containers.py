"""Random programs on containers and texts, against CPython; more of them by `python -m` of this module."""

import sys

import pytest
from differential.memory import growth
from differential.random_containers import compare


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_programs(first):
    for seed in range(first, first + 10):
        found = compare(seed)
        assert found is None, found


def test_nothing_leaks():
    assert growth(lambda: compare(5)) == 0


if __name__ == "__main__":
    different = 0
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        found = compare(seed)
        if found is not None:
            different += 1
            print(found, flush=True)
    print(f"{different} differ")
