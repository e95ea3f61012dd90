"""Specialisations: which are made, how explicit ones convert arguments, and how they are looked at."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pyopt import njit


def add(a, b):
    return a + b


def doubled(x):
    return x * 2


def sum_of_squares(n):
    total = 0
    for step in range(n, 0, -1):
        total += step * step
    return total


def test_signatures_are_listed_as_numba_does():
    compiled = njit(add)
    assert (compiled(1, 2), compiled(1.5, 2), compiled(3, 4)) == (3, 3.5, 7)
    assert [str(types) for types in compiled.signatures] == ["(int64, int64)", "(float64, int64)"]
    assert str(compiled.nopython_signatures[0]) == "(int64, int64) -> int64"


def test_defaults_need_no_specialisation_of_their_own():
    compiled = njit(lambda a, b=2, *, c=3: a * 100 + b * 10 + c)
    assert (compiled(1), compiled(1, c=5), compiled(b=7, a=2), compiled(1, 2, c=4)) == (123, 125, 273, 124)
    assert len(compiled.signatures) == 1


def test_explicit_signatures_convert_their_arguments():
    compiled = njit(["float64(float64)", "int32(int32)"])(doubled)
    assert compiled(1.5) == 3.0
    assert compiled(np.int32(4)) == 8
    assert compiled(np.float32(2.5)) == 5.0
    assert len(compiled.signatures) == 2
    with pytest.raises(TypeError, match="No matching definition for argument type"):
        compiled(1j)


def test_results_have_the_type_that_a_signature_names():
    assert isinstance(njit("float64(int64, int64)")(add)(1, 2), float)


def test_static_methods():
    class Account:
        @staticmethod
        @njit
        def scale(x):
            return x * 3

    assert Account.scale(4) == 12
    assert Account().scale(4) == 12


def test_recompiling_sees_new_globals():
    scope = {"njit": njit}
    exec("K = 1\n@njit\ndef f(x):\n    return x + K", scope)
    assert scope["f"](1) == 2
    scope["K"] = 10
    assert scope["f"](1) == 2
    scope["f"].recompile()
    assert scope["f"](1) == 11


def test_inspection():
    compiled = njit(sum_of_squares)
    compiled(3)
    assert "func.func" in compiled.inspect_ir("infer-types")
    assert "memref" not in compiled.inspect_ir("cse#2")
    # A pass of a pipeline that is part of the decorator's.
    assert "pyopt_entry_" not in compiled.inspect_ir("typed-to-memref")
    assert "pyopt_entry_" in compiled.inspect_ir("typed-to-abi")
    assert "py.func" in next(iter(compiled.inspect_cfg().values()))
    assert "define" in next(iter(compiled.inspect_llvm().values()))
    assert next(iter(compiled.inspect_asm().values()))
    with pytest.raises(ValueError, match="has no pass 'nonsense'"):
        compiled.inspect_ir("nonsense")


def test_threads_may_compile_and_call_at_once():
    compiled = njit(nogil=True)(sum_of_squares)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(compiled, [1000] * 16))
    assert results == [sum_of_squares(1000)] * 16
    assert len(compiled.signatures) == 1
