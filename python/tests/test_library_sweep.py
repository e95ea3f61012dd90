"""Every function of the overload library against NumPy, over dtypes, layouts, shapes and values.

By default one expression of each function is tried with one combination, chosen by their text. A number in
``PYOPT_SWEEP`` tries each expression with so many combinations, and ``all`` with all of them, which also says
which known refusals and differences none has any more.
"""

import ast
import itertools
import os
import re
import warnings
import zlib
from pathlib import Path

import numpy as np
import pytest
from sweep_cases import CASES, ELSEWHERE, EXACTNESS
from sweep_refusals import DIFFERENCES, REFUSALS

import pyopt
from pyopt import errors, njit

LIBRARY = Path(pyopt.__file__).parent / "library"
SWEEP = os.environ.get("PYOPT_SWEEP", "")
DTYPES = ("bool", "int8", "uint8", "int64", "uint64", "float32", "float64", "complex128", "M8[s]", "m8[s]")
LAYOUTS = ("C", "F", "reversed", "strided")
SHAPES = {0: [()], 1: [(7,), (1,), (0,)], 2: [(3, 4), (1, 5), (3, 0)], 3: [(2, 3, 2), (1, 1, 1)]}
RANKS = {"a": (0, 1, 2, 3), "b": (0, 1, 2, 3), "v": (1,), "w": (1,), "m": (2,), "n": (2,), "p": (1,)}
# The expressions that were tried, and the refusals and differences that they met.
TRIED, MET = set(), set()
SMALL, SPECIAL, EXTREME = "small", "special", "extreme"
POOLS = {
    "b": {SMALL: [False, True]},
    "i": {SMALL: range(-6, 7), EXTREME: None},
    "u": {SMALL: range(9), EXTREME: None},
    "f": {
        SMALL: np.arange(-20, 21) / 8,
        SPECIAL: [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.5],
        EXTREME: [1e30, -1e-30, 3e38, 0.1, -7.0],
    },
    "c": {
        SMALL: [1 + 2j, -0.5, 3j, 1 - 1j, 0],
        SPECIAL: [complex(np.nan, 1), complex(1, np.inf), complex(-0.0, 0.0), 2],
    },
    "M": {SMALL: [5, 100000, -86400, 0], SPECIAL: ["NaT", 5, -3]},
    "m": {SMALL: [5, 100, -4, 0], SPECIAL: ["NaT", 5, -3]},
}


def expressions():
    """Yield the names and the expressions of the table, or of a sample."""
    for names, texts in CASES.items():
        every = texts.split("; ")
        chosen = every if SWEEP else [every[zlib.crc32(texts.encode()) % len(every)]]
        for text in chosen:
            yield names, text


def implemented():
    """Find the names that the library implements."""
    for path in LIBRARY.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                for decorator in node.decorator_list:
                    yield from (argument.value for argument in decorator.args)


def test_every_function_is_swept():
    """A new function needs expressions, or a word on where else it is tested."""
    swept = {name for names in CASES for name in names.split()}
    known = set(implemented())
    elsewhere = {name for name in known if any(name.startswith(begin) for begin in ELSEWHERE)}
    assert not known - swept - elsewhere
    assert not swept - known
    for begin, place in ELSEWHERE.items():
        assert any(name.startswith(begin) for name in known), begin
        if place.endswith(".py"):
            assert (Path(__file__).parent / place).exists(), place


def pools(dtype):
    """Give the pools of values of a dtype, as arrays of it."""
    found = {}
    for name, values in POOLS[dtype.kind].items():
        if values is None:
            limits = np.iinfo(dtype)
            values = [limits.min, limits.max, 0, 1, limits.max - 1]
        with np.errstate(all="ignore"):
            found[name] = np.array(list(values)).astype(dtype)
    return found


def laid_out(values, layout):
    """Give an array the layout."""
    if layout == "F":
        return np.asfortranarray(values)
    if layout == "reversed":
        return np.ascontiguousarray(values[(slice(None, None, -1),) * values.ndim])[
            (slice(None, None, -1),) * values.ndim
        ]
    if layout == "strided":
        wide = np.zeros(tuple(2 * size for size in values.shape), values.dtype)
        wide[(slice(None, None, 2),) * values.ndim] = values
        return wide[(slice(None, None, 2),) * values.ndim]
    return values


def arguments(letters, dtype, shape, layout, pool, seed):
    """Make the arguments of an expression; the same ones for the same seed."""
    random = np.random.default_rng(seed)
    made = []
    for letter in letters:
        if letter in RANKS:
            size = shape if len(shape) in RANKS[letter] else SHAPES[RANKS[letter][0]][0]
            values = random.choice(pool, size) if np.prod(size) else np.empty(size, dtype)
            made.append(laid_out(np.sort(values) if letter == "p" else values, layout))
        elif letter in "xy":
            made.append(random.choice(pool))
        elif letter == "i":
            made.append(random.integers(0, 3, 3))
        elif letter == "k":
            made.append(int(random.integers(-3, 4)))
        else:
            made.append(float(random.integers(0, 9)) / 8)
    return made


def combinations(text, letters):
    """Choose dtypes, ranks and layouts for an expression."""
    ranks = {rank for letter in letters for rank in RANKS.get(letter, ())} or {0}
    if set(letters) & set("ab") and set(letters) & set("vwmnp"):
        ranks = {rank for letter in letters if letter in "ab" for rank in RANKS[letter]}
    every = [
        (dtype, rank, layout)
        for dtype, rank, layout in itertools.product(DTYPES, sorted(ranks), LAYOUTS)
        if rank > 1 or (rank == 1 and layout != "F") or layout == "C"
    ]
    if SWEEP == "all":
        return every
    random = np.random.default_rng(zlib.crc32(text.encode()))
    return [every[at] for at in random.permutation(len(every))[: int(SWEEP or 1)]]


def function_of(text, letters):
    """Make a Python function of an expression."""
    statement, _, result = text.rpartition(" => ")
    names = {"np": np}
    exec(f"def swept({', '.join(letters)}):\n    {statement or 'pass'}\n    return {result}", names)
    return names["swept"]


def outcome(function, args):
    """Give the result or the exception of a call."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*args)
        except Exception as error:
            return error


@pytest.mark.parametrize(("names", "text"), list(expressions()), ids=lambda value: value[:60])
def test_against_numpy(names, text):
    code = re.sub(r"'[^']*'", "", text)
    letters = [one for one in "abvwmnpxyikq" if re.search(rf"(?<![\w.]){one}\b(?!=[^=])", code)]
    python = function_of(text, letters)
    jitted = njit(boundscheck=True)(python)
    exactness = next((one for one, known in EXACTNESS.items() if names_among(names, known)), "exact")
    problems = []
    for name, rank, layout in combinations(text, letters):
        dtype = np.dtype(name)
        for shape, (kind, pool) in itertools.product(SHAPES[rank], pools(dtype).items()):
            if kind == EXTREME and exactness != "exact" and dtype.kind == "f":
                continue
            given = (letters, dtype, shape, layout, pool, zlib.crc32(f"{text}{shape}".encode()))
            expected = outcome(python, arguments(*given))
            actual = outcome(jitted, arguments(*given))
            scale = magnitudes(arguments(*given))
            problem = compare(names, text, expected, actual, exactness, scale)
            if problem and not known_difference(f"{text} {name} {kind} {shape} {layout}: {problem}"):
                problems.append(f"{name} {kind} {shape} {layout}: {problem}")
    TRIED.add((names, text))
    assert not problems, "\n".join(problems)


@pytest.mark.skipif(SWEEP != "all", reason="a sample may have none of the cases of an exception")
def test_every_exception_is_met():
    """A refusal or difference that no case has any more leaves its table."""
    if TRIED != set(expressions()):
        pytest.skip("some expressions were tried elsewhere, or not at all")
    assert not [entry for entry in [*REFUSALS, *DIFFERENCES] if entry not in MET]


def names_among(names, known):
    """Say whether one of several names ends as one of a text's."""
    return any(f".{name}".endswith(f".{one}") for name in names.split() for one in known.split())


def magnitudes(args):
    """Sum the sizes of all numbers and count them."""
    total, count = 0.0, 1
    for one in args:
        values = np.abs(np.asarray(one).astype(complex)) if np.asarray(one).dtype.kind in "biufc" else 0.0
        total += float(np.sum(np.where(np.isfinite(values), values, 0)))
        count += np.size(one)
    return total, count


def compare(names, text, expected, actual, exactness, scale):
    """Say what is wrong, if something is."""
    if isinstance(actual, errors.TypingError):
        if isinstance(expected, Exception) or refused(names, str(actual)):
            return None
        return f"refused: {str(actual).splitlines()[0]}"
    if isinstance(expected, Exception) or isinstance(actual, Exception):
        if not isinstance(expected, Exception) or not isinstance(actual, Exception):
            return f"expected {expected!r}, got {actual!r}"
        same_kind = (
            (ValueError, IndexError) if isinstance(expected, np.exceptions.AxisError) else type(expected)
        )
        return None if isinstance(actual, same_kind) else f"expected {expected!r}, got {actual!r}"
    return different(expected, actual, exactness, scale)


def refused(names, message):
    """Say whether a refusal is a known one, and note it."""
    met = [
        entry for entry in REFUSALS if entry[1] in message and (not entry[0] or names_among(names, entry[0]))
    ]
    MET.update(met)
    return bool(met)


def known_difference(case):
    """Say whether a difference is a known one, and note it."""
    met = [entry for entry in DIFFERENCES if re.search(entry[0], case)]
    MET.update(met)
    return bool(met)


def different(expected, actual, exactness, scale):
    """Compare two results."""
    if isinstance(expected, (tuple, list)):
        if not isinstance(actual, (tuple, list)) or len(actual) != len(expected):
            return f"expected {expected!r}, got {actual!r}"
        found = (different(e, a, exactness, scale) for e, a in zip(expected, actual, strict=True))
        return next((one for one in found if one), None)
    left, right = np.asarray(expected), np.asarray(actual)
    if left.shape != right.shape:
        return f"shape {left.shape}, got {right.shape}"
    if isinstance(expected, np.ndarray):
        if left.dtype != right.dtype:
            return f"dtype {left.dtype}, got {right.dtype}"
    # Integers come back as Python's, and float32 as a float.
    elif left.dtype.kind.replace("u", "i") != right.dtype.kind.replace("u", "i"):
        return f"kind {left.dtype}, got {right.dtype}"
    if left.dtype.kind in "biuSU":
        return None if (left == right).all() else f"expected {expected!r}, got {actual!r}"
    if left.dtype.kind in "mM":
        same = (left == right) | (np.isnat(left) & np.isnat(right))
        return None if same.all() else f"expected {expected!r}, got {actual!r}"
    with np.errstate(all="ignore"):
        same = (left == right) | (np.isnan(left) & np.isnan(right))
        if exactness != "exact" or left.dtype.kind == "c":
            eps = np.finfo(left.dtype).eps
            total, count = scale
            bound = {
                "exact": 4 * eps * np.abs(left),
                "zeros": 0.0,
                "ulp": 4 * eps * np.abs(left),
                "sum": 4 * count * eps * total,
                "square": 8 * count * eps * (total * total + 1),
                "product": 4 * count * eps * np.abs(left),
            }[exactness]
            same |= np.abs(left - right) <= bound
        elif left.dtype.kind == "f":
            same &= (np.signbit(left) == np.signbit(right)) | np.isnan(left) | (left != 0)
    return None if same.all() else f"expected {expected!r}, got {actual!r}"
