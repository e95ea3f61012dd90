"""Array expressions that look equal: each makes another array, and what they read may have changed."""

import numpy as np
import pytest
from compare import check


def reverse_minus_twice(v):
    v[:] = v[::-1] - v
    v[:] = v[::-1] - v


def shifted_twice(v):
    v[1:] = v[:-1] * 0.5
    v[1:] = v[:-1] * 0.5


def shifted_in_place_twice(v):
    v[1:] += v[:-1]
    v[1:] += v[:-1]


def around_a_store(v):
    a = v + 1.0
    v[0] = 7.0
    b = v + 1.0
    return a, b


def made_twice(v):
    a = v * 2.0
    b = v * 2.0
    a[0] = -1.0
    return a, b


def filled_twice(v):
    a = np.ones(3)
    b = np.ones(3)
    a[1] = 5.0
    return a, b


def unused_sum(v):
    v + np.ones(3)
    return 1


def unused_fill(v):
    np.ones(1 - len(v))
    return 1


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize(
    "function",
    [
        reverse_minus_twice,
        shifted_twice,
        shifted_in_place_twice,
        around_a_store,
        made_twice,
        filled_twice,
        unused_sum,
        unused_fill,
    ],
)
def test_equal_expressions(function, parallel):
    check(function, np.array([1.0, 5.0, 2.0, 7.0]), message=False, parallel=parallel)
