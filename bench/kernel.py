"""One kernel: its source under one implementation, its arguments and what it has to compute."""

from __future__ import annotations

import copy
import importlib.util
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np

from bench import api

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Kernel:
    """What every module of `bench.kernels` defines as `KERNEL`."""

    # The function, decorated by the implementation the module was loaded for.
    function: Callable
    # From a size to the arguments; the same ones every time.
    make_args: Callable[[int], tuple]
    # A size that costs nothing next to a compilation, and a realistic one (a second or so in
    # CPython).
    small: int
    large: int
    # The same computation with NumPy, where NumPy applies.
    reference: Callable | None = None
    # Largest relative error against the expected result; 0 asks for equal bits.
    tolerance: float = 0.0
    # Whether the function writes its arguments.
    in_place: bool = False
    # Arguments the function must raise an exception for, the same one in every implementation.
    raising_args: tuple | None = None
    # Implementations that are known not to take the source.
    unsupported: tuple[str, ...] = ()


def load(name: str, implementation: str) -> Kernel:
    """A kernel under an implementation."""
    return load_module(f"kernels.{name}", implementation).KERNEL


def load_module(name: str, implementation: str) -> ModuleType:
    """Execute a module of this package with the decorators of an implementation."""
    path = FOLDER.joinpath(*name.split(".")).with_suffix(".py")
    spec = importlib.util.spec_from_file_location(f"bench.{name}", path)
    module = importlib.util.module_from_spec(spec)
    # Numba loses recursive calls of functions whose module it can't look up.
    sys.modules[spec.name] = module
    with api.provided_by(implementation):
        spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Outcome:
    """Everything a call did: its result or exception, its arguments afterwards, its seconds."""

    result: object
    raised: tuple[str, str] | None
    args: tuple
    seconds: float


def observe(function: Callable, args: tuple) -> Outcome:
    """Call a function on copies of the arguments."""
    args = copy.deepcopy(args)
    result, raised = None, None
    start = time.perf_counter()
    try:
        result = function(*args)
    except (ValueError, ArithmeticError, LookupError) as error:
        raised = type(error).__name__, str(error)
    return Outcome(result, raised, args, time.perf_counter() - start)


def difference(actual: Outcome, expected: Outcome, tolerance: float) -> str | None:
    """What differs between two outcomes, or None."""
    if actual.raised != expected.raised:
        return f"raised {actual.raised} instead of {expected.raised}"
    if expected.raised:
        return None  # What arrays hold after an exception is not part of the comparison.
    if not _same(actual.result, expected.result, tolerance):
        return f"returned {_brief(actual.result)} instead of {_brief(expected.result)}"
    for position, (ours, theirs) in enumerate(zip(actual.args, expected.args, strict=True)):
        if not _same(ours, theirs, tolerance):
            return f"left {_brief(ours)} in argument {position} instead of {_brief(theirs)}"
    return None


def _same(actual: object, expected: object, tolerance: float) -> bool:
    if actual is None or expected is None:
        return actual is expected
    actual, expected = np.asarray(actual), np.asarray(expected)
    # Python and NumPy scalars of one kind are the same result.
    if actual.shape != expected.shape or actual.dtype.kind != expected.dtype.kind:
        return False
    if expected.ndim and actual.dtype != expected.dtype:
        return False
    if tolerance == 0 or expected.dtype.kind not in "fc":
        return np.array_equal(actual, expected, equal_nan=expected.dtype.kind in "fc")
    return np.allclose(actual, expected, rtol=tolerance, atol=0, equal_nan=True)


def _brief(value: object) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."
