"""Polynomials in compiled functions."""

import subprocess
import sys

import numpy as np
import pytest
from poly import polynomial
from pyopt import _core, njit

p = polynomial(2.0, -3.0, 5.0)
X = [0.0, 1.5, -2.0, 1e300, np.inf, np.nan]


def horner(x):
    return (2.0 * x + -3.0) * x + 5.0


@njit
def value(x):
    return p(x)


@njit
def negated(x):
    return -p(x)


@njit
def values(x):
    return p(x[0]) + (-p(x[1]))


@pytest.mark.parametrize("x", X)
def test_values(x):
    np.testing.assert_array_equal(value(x), horner(np.float64(x)))
    np.testing.assert_array_equal(negated(x), -horner(np.float64(x)))


def test_the_rewrite_and_the_pass_run():
    negated(1.0)
    before, after = negated.inspect_ir("poly-negate"), negated.inspect_ir("poly-lower")
    assert "poly.neg" in before and "poly.eval" in before and "typed.unary" not in before
    assert "poly." not in after and "typed.binary mul" in after


def test_the_extension_is_known():
    assert [name for name, _ in _core.extensions()] == ["poly"]
    assert ("after-fusion", "func.func(poly-lower)") in _core.placed_passes()


def test_the_compiler_is_chosen_before_it_is_used():
    program = "from pyopt import _core; import poly"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert run.returncode == 1 and "import poly before" in run.stderr, run.stderr
