"""Comparing parallel functions with the interpreter for several numbers of threads and sets of options."""

import copy
import math
import warnings

import numpy as np

from pyopt import njit, set_num_threads
from pyopt.errors import ParallelSafetyWarning

THREADS = (1, 2, 7)
# What `parallel=` is given: all on, and what a test is about off.
ALL_ON = (True,)
WITHOUT_PRANGE = (True, {"prange": False})


def run(function, args):
    """Call a function: ``("returned", result, arguments)`` or ``("raised", exception, arguments)``."""
    args = copy.deepcopy(args)
    try:
        with np.errstate(all="ignore"):
            return "returned", function(*args), args
    except Exception as error:
        return "raised", error, args


def check(function, *arguments, tolerance=0.0, parallel=WITHOUT_PRANGE, serial=False, **options):
    """Compare a function with the interpreter for each tuple of arguments.

    ``tolerance`` is relative, for sums of floats; ``serial`` says that a loop of the function stays on one
    thread, with a warning.
    """
    for mode in parallel:
        compiled = njit(parallel=mode, **options)(function)
        for args in arguments:
            expected = run(function, args)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                for threads in THREADS:
                    set_num_threads(threads)
                    got = run(compiled, args)
                    where = f"{function.__name__}{args!r} on {threads} threads with {mode}"
                    same_outcome(got, expected, tolerance, where)
            if not serial:
                assert not caught, [str(one.message) for one in caught]
    if serial:
        warns_of(function, arguments[0], "", **options)


def warns_of(function, args, reason, **options):
    """Assert that a loop of a function stays on one thread, for a reason."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run(njit(parallel=True, **options)(function), args)
    messages = [str(one.message) for one in caught if one.category is ParallelSafetyWarning]
    assert any(reason in message for message in messages), messages


def same_outcome(got, expected, tolerance, where):
    """Assert that two runs did the same."""
    assert got[0] == expected[0], f"{where}: {got[1]!r}, expected {expected[1]!r}"
    if got[0] == "raised":
        assert type(got[1]) is type(expected[1]) and str(got[1]) == str(expected[1]), f"{where}: {got[1]!r}"
        return
    assert same(got[1], expected[1], tolerance), f"{where}: {got[1]!r}, expected {expected[1]!r}"
    assert same(got[2], expected[2], tolerance), f"{where} changed its arguments to {got[2]!r}"


def same(got, expected, tolerance):
    """Whether two results are the same: floats bit for bit unless a tolerance is given."""
    if isinstance(expected, (tuple, list)):
        return (
            type(got) is type(expected)
            and len(got) == len(expected)
            and all(same(one, other, tolerance) for one, other in zip(got, expected, strict=True))
        )
    if isinstance(expected, np.ndarray):
        if not isinstance(got, np.ndarray) or (got.shape, got.dtype) != (expected.shape, expected.dtype):
            return False
        if tolerance and expected.dtype.kind in "fc":
            return np.allclose(got, expected, rtol=tolerance, atol=tolerance, equal_nan=True)
        return np.array_equal(got, expected, equal_nan=expected.dtype.kind in "fc")
    if isinstance(expected, (bool, np.bool_)):
        return isinstance(got, bool) and got == expected
    if isinstance(expected, (float, complex, np.inexact)):
        if tolerance:
            return np.allclose(got, expected, rtol=tolerance, atol=tolerance, equal_nan=True)
        return got != got if expected != expected else got == expected and sign(got) == sign(expected)
    return got == expected


def sign(number):
    """Give the signs of a number's parts, of zeros too."""
    return math.copysign(1, np.real(number)), math.copysign(1, np.imag(number))
