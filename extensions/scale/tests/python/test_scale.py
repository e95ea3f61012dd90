"""The operation in compiled functions."""

import numpy as np
import pytest
from pyopt import njit
from scale import twice


@njit
def of(x):
    return twice(x)


@pytest.mark.parametrize("x", [0.0, -0.0, 1.5, 1e308, np.inf, np.nan])
def test_values(x):
    np.testing.assert_array_equal(of(x), 2 * np.float64(x))


def test_the_pass_runs():
    of(1.0)
    assert "scale.twice" in of.inspect_ir("typed-rewrite")
    assert "typed.binary add %arg0, %arg0" in of.inspect_ir("scale-lower")


def test_passes_know_that_it_computes():
    @njit
    def unused(x):
        twice(x)
        return x

    assert unused(1.0) == 1.0
    assert "scale.twice" not in unused.inspect_ir("parfor-fuse")
