"""The kernels of the benchmarks compute what CPython does, in pyopt and in C."""

import pytest
from bench import kernels, native, plot
from bench.kernel import load, observe
from bench.measurement import Measurement
from bench.steady import problem


def small_case(name):
    """A kernel under CPython and what it does with small arguments."""
    plain = load(name, "CPython")
    args = plain.make_args(plain.small)
    return plain, [args], [observe(plain.function, args)]


@pytest.mark.parametrize("name", kernels.NAMES)
def test_pyopt_computes_what_cpython_does(name):
    plain, cases, expected = small_case(name)
    function = load(name, "pyopt").function
    assert problem(function, cases, expected, plain.tolerance) is None


@pytest.mark.skipif(native.compiler() is None, reason="clang is not installed")
@pytest.mark.parametrize("name", [*filter(native.exists, kernels.NAMES)])
def test_c_computes_what_cpython_does(name):
    plain, cases, expected = small_case(name)
    function = native.function(name, plain.function.__name__, expected[0].result)
    assert problem(function, cases, expected, plain.tolerance) is None


def test_the_plot_has_a_bar_for_each_rival():
    medians = {"pyopt": 1.0, "Numba": 2.0, "C": 0.5, "CPython": 50.0}
    results = [Measurement("steady state", "k", name, [time]) for name, time in medians.items()]
    picture = plot.speeds(results)
    assert [bar in picture for bar in ("<title>2.00", "<title>0.50", "<title>50")] == [1, 1, 0]
