"""Copies of arguments, what a call did, and whether two calls did the same."""

from __future__ import annotations

import contextlib
import copy
import io
import itertools
import math
import sys
from dataclasses import dataclass

import numpy as np

# Relative difference allowed between floats: the last bits of transcendental functions and of sums.
TOLERANCE = {"f": 8 * float(np.finfo("f4").eps), "d": 8 * float(np.finfo("f8").eps)}


@dataclass
class Outcome:
    """What a call returned or raised, its arguments afterwards, and what it printed."""

    value: object = None
    raised: BaseException | None = None
    arguments: tuple = ()
    printed: str = ""


def call(function, arguments: tuple, keywords: dict) -> Outcome:
    """Call a function and keep what it did."""
    outcome = Outcome(arguments=(arguments, keywords))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            value = function(*arguments, **keywords)
            outcome.value = Items(value) if type(value).__name__ in _GENERATORS else value
        except Exception as error:
            outcome.raised = error
    outcome.printed = printed.getvalue()
    return outcome


# What a call of a generator function returns, in CPython and in pyopt.
_GENERATORS = ("generator", "Generator")


class Items(list):
    """What a generator yields, at most a thousand items, and then raises."""

    def __init__(self, generator):
        """Run a generator."""
        self.raised = None
        items = (copied(item) for item in itertools.islice(generator, 1000))
        while True:
            try:
                self.append(next(items))
            except StopIteration:
                break
            except Exception as error:
                self.raised = error
                break

    def again(self):
        """Yield and raise the same again."""
        yield from self
        if self.raised is not None:
            raise self.raised


def replay(outcome: Outcome) -> object:
    """Do again what a call showed: print, raise or return."""
    sys.stdout.write(outcome.printed)
    if outcome.raised is not None:
        raise outcome.raised
    return outcome.value.again() if isinstance(outcome.value, Items) else outcome.value


def copied(value: object, memo: dict | None = None) -> object:
    """Copy a value; views keep their layout, and what shares memory shares it in the copy."""
    memo = {} if memo is None else memo
    if isinstance(value, np.ndarray):
        return _copied_array(value, memo)
    if type(value) in (tuple, list):
        return type(value)(copied(item, memo) for item in value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(copied(item, memo) for item in value))
    if type(value) is dict:
        return {name: copied(item, memo) for name, item in value.items()}
    if callable(value):  # a function is itself
        return value
    try:
        return copy.deepcopy(value)
    except Exception:  # what can't be copied (a lock, a module) is passed as it is
        return value


def _copied_array(array: np.ndarray, memo: dict) -> np.ndarray:
    root = array
    while isinstance(root.base, np.ndarray):
        root = root.base
    if array.dtype.hasobject or not (root.flags.c_contiguous or root.flags.f_contiguous):
        return array.copy(order="K")
    if id(root) not in memo:
        memo[id(root)] = (root.copy(order="K"), root)
    base = memo[id(root)][0]
    offset = array.__array_interface__["data"][0] - root.__array_interface__["data"][0]
    if array.size == 0:
        made = np.empty(array.shape, array.dtype, order="C" if array.flags.c_contiguous else "F")
    else:
        flat = base if base.flags.c_contiguous else base.T
        made = np.ndarray(array.shape, array.dtype, flat, offset, array.strides)
    made.flags.writeable = array.flags.writeable
    # Records are told by their attributes only in arrays of this class.
    return made.view(np.recarray) if isinstance(array, np.recarray) else made


def difference(expected: Outcome, found: Outcome, single: bool = False) -> str | None:
    """How two calls differ, if they do; `single` says that Python's floats hold 32-bit ones."""
    if expected.raised is not None or found.raised is not None:
        wanted, got = type(expected.raised), type(found.raised)
        if wanted is not got:
            return f"{_raised(expected)}, pyopt {_raised(found)}"
    elif (why := _unlike(expected.value, found.value, single)) is not None:
        return f"result: {why}"
    if expected.printed != found.printed:
        return f"printed {expected.printed!r}, pyopt {found.printed!r}"
    why = _unlike(expected.arguments, found.arguments, single)
    return None if why is None else f"an argument afterwards: {why}"


def _raised(outcome: Outcome) -> str:
    if outcome.raised is None:
        return f"returns {type(outcome.value).__name__}"
    return f"raises {type(outcome.raised).__name__}"


_KINDS = ((bool, np.bool_), (int, np.integer), (float, np.floating), (complex, np.complexfloating))


def _unlike(expected: object, found: object, single: bool) -> str | None:
    """Why a value isn't the other; scalars of Python and NumPy are of the same kind."""
    if isinstance(expected, (np.datetime64, np.timedelta64)) and isinstance(found, np.generic):
        return _unlike_array(np.array(expected), np.array(found))
    for kind in _KINDS:
        if isinstance(expected, kind):
            if not isinstance(found, kind):
                return f"{expected!r} is a {kind[0].__name__}, pyopt has {found!r}"
            return None if _near(expected, found, single) else f"{expected!r}, pyopt {found!r}"
    if isinstance(expected, np.ndarray):
        return _unlike_array(expected, found)
    if isinstance(expected, Items) and isinstance(found, Items):
        if type(expected.raised) is not type(found.raised):
            return f"generator raises {expected.raised!r}, pyopt's {found.raised!r}"
    if isinstance(expected, (tuple, list)):
        if type(expected) is not type(found) or len(expected) != len(found):
            return f"{expected!r}, pyopt {found!r}"
        parts = (_unlike(one, other, single) for one, other in zip(expected, found, strict=True))
        return next((why for why in parts if why is not None), None)
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        parts = (_unlike(expected[name], found[name], single) for name in expected)
        return next((why for why in parts if why is not None), None)
    if hasattr(expected, "py_func") and hasattr(found, "py_func"):  # compiled functions
        same = expected.py_func.__code__ is found.py_func.__code__
        return None if same else f"{expected!r}, pyopt {found!r}"
    if type(expected) is not type(found):
        return f"{type(expected).__name__} {expected!r}, pyopt {type(found).__name__} {found!r}"
    if type(expected).__eq__ is object.__eq__:  # copies of an object differ from each other
        return None
    return None if expected == found else f"{expected!r}, pyopt {found!r}"


def _unlike_array(expected: np.ndarray, found: object) -> str | None:
    if not isinstance(found, np.ndarray):
        return f"an array, pyopt {found!r}"
    if expected.dtype != found.dtype or expected.shape != found.shape:
        return f"{expected.dtype}{expected.shape}, pyopt {found.dtype}{found.shape}"
    if expected.dtype.kind in "fc":
        base = expected.real.dtype.char
        bound = TOLERANCE.get(base, 1e-2) * max(1, expected.size)
        with np.errstate(all="ignore"):
            same = np.isclose(expected, found, rtol=bound, atol=bound * 1e-3, equal_nan=True)
        return None if same.all() else f"{expected!r}, pyopt {found!r}"
    if expected.dtype.kind in "mM":  # by numbers: NaT is NaT
        same = np.array_equal(expected.view("i8"), found.view("i8"))
        return None if same else f"{expected!r}, pyopt {found!r}"
    return None if np.array_equal(expected, found) else f"{expected!r}, pyopt {found!r}"


def _near(expected: object, found: object, single: bool) -> bool:
    single = single or {type(expected), type(found)} & {np.float16, np.float32, np.complex64}
    precision = "f" if single else "d"
    if isinstance(expected, (complex, np.complexfloating)):
        size = abs(expected) if math.isfinite(abs(expected)) else 0.0
        parts = ((expected.real, found.real), (expected.imag, found.imag))
        return all(_near_floats(float(a), float(b), precision, size) for a, b in parts)
    if isinstance(expected, (float, np.floating)):
        return _near_floats(float(expected), float(found), precision)
    return expected == found


def _near_floats(expected: float, found: float, precision: str, size: float = 0.0) -> bool:
    if math.isnan(expected) or math.isnan(found):
        return math.isnan(expected) and math.isnan(found)
    if expected == found:
        return True
    return abs(expected - found) <= TOLERANCE[precision] * max(abs(expected), size)
