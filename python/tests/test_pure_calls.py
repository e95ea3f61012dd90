"""Functions of numbers that LLVM doesn't know are computed once where their arguments don't change."""

import math

import numpy as np
import pytest

from pyopt import njit


@pytest.mark.parametrize("name", ["erfc", "lgamma"])
def test_functions_of_libm_leave_loops(name):
    function = getattr(math, name)

    @njit
    def weighted(values, at):
        total = 0.0
        for value in values:
            total += value * function(at)
        return total

    values = np.arange(10.0)
    for at in 0.25, 3.5:
        assert weighted(values, at) == pytest.approx(values.sum() * function(at), rel=1e-15)
    code = weighted.inspect_llvm(weighted.signatures[0])
    (declared,) = (line for line in code.splitlines() if line.startswith("declare") and f"@{name}(" in line)
    (attributes,) = (
        line for line in code.splitlines() if line.startswith(f"attributes {declared.split()[-1]} ")
    )
    assert "memory(none)" in attributes and "willreturn" in attributes


def test_complex_functions_leave_loops():
    @njit
    def weighted(values, at):
        total = 0j
        for value in values:
            total += value * np.exp(at)
        return total

    values = np.arange(10.0)
    assert weighted(values, 1 + 2j) == pytest.approx(values.sum() * np.exp(1 + 2j), rel=1e-14)
    assert weighted.inspect_llvm(weighted.signatures[0]).count("call { double, double } @cexp(") == 1
