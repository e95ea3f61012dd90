"""Compares functions of the library on threads with the same ones on one thread.

Run in a process of its own: the size of the pool and the work that a thread is worth are its settings.
"""

import argparse
import sys

import numpy as np

from pyopt import njit, set_num_threads

DTYPES = ("bool", "int8", "uint16", "float64", "complex128")
THREADS = (1, 2, 7)
SHAPES = ((4, 37), (37, 4), (0, 3), (1, 1), (3, 70, 2))
# Positions are searched in stretches of 4096.
LONG = ((9001,), (2, 5000), (0, 3), (1, 1))

GROUPS = {
    "sums": ("np.sum(a, axis)", "np.sum(a, axis=axis, keepdims=True)", "np.count_nonzero(a, axis)"),
    "products": ("np.prod(a, axis)", "np.any(a, axis)", "np.all(a, axis)"),
    "means": ("np.mean(a, axis)", "np.var(a, axis)", "np.std(a, axis, ddof=1)"),
    "extremes": ("np.min(a, axis)", "np.max(a, axis)"),
    "scans": ("np.cumsum(a, axis)", "np.cumprod(a, axis)", "np.diff(a, 1, axis)"),
    "whole": ("np.argmin(a)", "np.argmax(a)", "np.argmax(a, axis)"),
    "positions": ("np.argmin(a, axis)", "np.argmax(a, axis)", "a.argmin(axis)"),
    "without_nan": ("np.nansum(a, axis)", "np.nanmax(a, axis)", "np.nanmean(a, axis)"),
    "joins": (
        "np.concatenate((a, a[::-1], a), axis)",
        "np.hstack((a, a))",
        "np.vstack((a, a[:1]))",
        "np.roll(a, 5, axis)",
    ),
    "repeats": ("np.repeat(a, 3, axis)", "np.repeat(a, np.arange(a.shape[0]), 0)", "np.tile(a, 3)"),
    "without_nan_positions": ("np.nanargmin(a, axis)", "np.nanargmax(a, axis)"),
}


def numbers(dtype, shape):
    """Make numbers of a dtype, also negative and NaN ones where there are such."""
    random = np.random.default_rng(len(shape) + 10 * sum(shape))
    a = random.integers(-9, 9, shape) + random.random(shape)
    if dtype == "complex128":
        return a + 1j * random.integers(-2, 3, shape)
    if dtype in ("bool", "uint16"):
        return abs(a).astype("int64").astype(dtype)
    if dtype == "float64":
        a[random.random(shape) < 0.03] = np.nan
    return a.astype(dtype)


def layouts(a):
    """Yield an array in several layouts."""
    yield a
    yield np.asfortranarray(a)
    yield np.repeat(a, 2, axis=-1)[..., ::2]
    yield a[::-1][..., ::-1]


def outcome(function, *args):
    """Give what a function returns, or the exception that it raises."""
    with np.errstate(all="ignore"):
        try:
            return function(*args)
        except (ValueError, ZeroDivisionError) as error:
            return str(error)


def same(one, other, exact):
    """Say whether two outcomes are equal: to the last bit, or nearly."""
    one, other = np.asarray(one), np.asarray(other)
    if not exact and one.dtype.kind == "f":
        tolerance = 1e-5 if one.dtype == np.float32 else 1e-12
        return one.dtype == other.dtype and np.allclose(one, other, tolerance, tolerance, equal_nan=True)
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


def function(expression, parameters):
    """Make a Python function of an expression."""
    names = {"np": np}
    exec(f"def f({parameters}):\n    return {expression}", names)
    return names["f"]


def launches(dispatcher):
    """Count the launches of threads in compiled code."""
    return dispatcher.inspect_ir("parfor-to-threads", dispatcher.signatures[-1]).count("parfor.launch")


def check(expression, dtypes, shapes, options):
    """Compare an expression for all inputs; say how many were tried and how many differed."""
    python = function(expression, "a, axis")
    # Sums over vectors without NaN are cut for threads themselves.
    exact = "np.nan" not in expression
    serial = njit(python)
    parallel = njit(parallel=options)(python)
    tried = failed = 0
    for dtype in dtypes:
        for shape in shapes if dtype == "float64" else shapes[:3]:
            for a in layouts(numbers(dtype, shape)):
                for axis in range(-1, a.ndim):
                    expected = outcome(serial, a, axis)
                    for threads in THREADS:
                        set_num_threads(threads)
                        actual = outcome(parallel, a, axis)
                        tried += 1
                        if not same(actual, expected, exact):
                            failed += 1
                            print(expression, dtype, shape, a.strides, axis, threads, expected, actual)
    # With all options off nothing is left that could run on threads.
    if (launches(parallel) == 0) != isinstance(options, dict):
        failed += 1
        print(expression, "is launched", launches(parallel), "times")
    return tried, failed


def main():
    """Check a group of expressions."""
    parser = argparse.ArgumentParser()
    parser.add_argument("group", choices=GROUPS)
    switch = parser.add_mutually_exclusive_group()
    switch.add_argument("--on", action="store_true", help="with all options on, as they are")
    switch.add_argument("--off", action="store_true", help="with all options that the library asks for off")
    arguments = parser.parse_args()
    options = {"numpy": False, "reduction": False, "setitem": False} if arguments.off else True
    tried = failed = 0
    # Each result along an axis is computed by one thread in the serial order.
    for expression in GROUPS[arguments.group]:
        ordered = arguments.group not in ("sums", "products", "means", "scans")
        dtypes = DTYPES[:-1] if ordered else DTYPES
        shapes = LONG if arguments.group == "whole" else SHAPES
        counts = check(expression, ("float64",) if arguments.off else dtypes, shapes, options)
        tried, failed = tried + counts[0], failed + counts[1]
    print(f"{tried} tried, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
