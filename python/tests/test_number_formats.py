"""Numbers as texts: the runtime's own digits and specifications, against CPython's."""

import random
import struct

import numpy as np
import pytest

from pyopt import njit

EDGES = [
    *(0.0, -0.0, 1.0, -1.5, 0.1, 1e15, 1e16, -1e16, 1e17, 9007199254740993.0, 123456789012345680.0),
    *(1e-4, 9.9999e-5, 1.25e-4, 1e-5, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308),
    *(float("inf"), float("-inf"), float("nan"), -float("nan"), 0.5, 1.5, 2.5, 0.125, 0.375, 2.675, 1e22),
]


def floats(count):
    """Floats of all bit patterns, and of a few digits."""
    made = random.Random(7)
    patterns = (struct.unpack("d", made.getrandbits(64).to_bytes(8, "little"))[0] for _ in range(count))
    short = (
        round(made.uniform(-1, 1) * 10.0 ** made.randint(-8, 20), made.randint(0, 6)) for _ in range(count)
    )
    return [*EDGES, *patterns, *short]


@njit
def shortest(x):
    return str(x), repr(x), f"{x}"


def test_shortest_digits():
    for number in floats(3000):
        assert shortest(number) == (str(number), repr(number), f"{number}")


FLOAT_SPECS = [
    "f",
    ".0f",
    ".1f",
    ".2f",
    ".3f",
    "8.2f",
    "08.2f",
    "012.3f",
    ".17f",
    "30.20f",
    "0f",
    "1.1f",
    ".100f",
]
INT_SPECS = ["d", "5d", "05d", "08", "12", "0", "03d", "1d", "f", ".2f", "012.1f"]


@pytest.mark.parametrize("spec", FLOAT_SPECS)
def test_specifications_of_floats(spec):
    formatted = njit(eval(f"lambda x: f'{{x:{spec}}}'"))
    for number in floats(200):
        assert formatted(number) == format(number, spec), number


@pytest.mark.parametrize("spec", INT_SPECS)
def test_specifications_of_ints(spec):
    formatted = njit(eval(f"lambda x: '{{:{spec}}}'.format(x)"))
    for number in (0, 7, -7, 12345, -12345, 2**63 - 1, -(2**63)):
        assert formatted(number) == format(number, spec), number
    for number in (np.uint64(2**64 - 1), np.uint8(200), np.int16(-300)):
        assert formatted(number) == format(int(number), spec), number


def test_errors_are_pythons():
    """What a specification can't be used for is said by Python."""
    for function, number in ((lambda x: f"{x:d}", 1.5), (lambda x: f"{x:.2d}", 3)):
        with pytest.raises(ValueError) as expected:
            function(number)
        with pytest.raises(ValueError) as got:
            njit(function)(number)
        assert got.value.args == expected.value.args


def test_truth_values_and_small_floats_are_pythons():
    def f(x):
        return f"{x:5d}", f"{x:.1f}"

    assert njit(f)(True) == f(True)

    def g(x):
        return f"{x:.3f}"

    assert njit(g)(np.float32(0.1)) == g(np.float32(0.1))
