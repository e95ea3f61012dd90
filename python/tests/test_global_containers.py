"""Global lists, dicts and sets in compiled code: constants that nothing changes."""

import enum
import os
import subprocess
import sys
import threading
from collections import namedtuple
from copy import deepcopy

import numpy as np
import pytest

from pyopt import errors, njit, prange

NUMBERS = [3, 1, 2]
FLOATS = [0.5, -0.0, float("inf")]
FLAGS = [True, False]
COMPLEX = [1j, 2 + 0j]
TEXTS = ["a", "", "żółw", "\0\n", "🐢"]
ONE_TEXT = [""]
PAIRS = [(1, "a"), (2, "b")]
NESTED = [((1, 2.5), "x"), ((3, 4.5), "y")]
MATRIX = [[1.5, 2.5], [3.5, 4.5], []]
CUBE = [[[1], [2, 3]], [[]], []]
SIZES = {"a": 1, "é": 2, "": 3}
NAMES = {3: "x", -1: "yy"}
PLACES = {(1, 2): 3.5, (0, 0): 1.0}
GRAPH = {"A": ["B", "C"], "B": ["A"], "C": []}
TABLES = {"x": {"y": 1, "z": 2}, "w": {}}
RECORDS = [{"a": 1}, {"b": 2, "c": 3}, {}]
GROUPS = {1: {2, 3}, 2: set()}
WORDS = {"one", "two", "three"}
PRIMES = {2, 3, 5}
EMPTY = []


class Colour(enum.Enum):
    RED = "r"
    BLUE = "b"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5


FromTo = namedtuple("FromTo", "first last")
SPANS = {"m": FromTo(1.0, 2.0), "km": FromTo(1000.0, 0.5)}
COLOURS = {Colour.RED: "red", Colour.BLUE: "blue"}
LEVELS = [Level.HIGH, Level.LOW]
BYTES = [b"ab", b""]
SETS = [frozenset({1, 2}), frozenset({3})]
NARROW = [np.float32(0.5), np.float32(1.5)]
MIXED = [1, "a"]
OBJECTS = [object()]


def same(function, *arguments):
    """Check that a function does the same when it is compiled."""
    expected = function(*arguments)
    found = njit(function)(*arguments)
    assert type(found) is type(expected)
    if isinstance(expected, np.ndarray):
        assert found.dtype == expected.dtype
        assert np.array_equal(found, expected)
    else:
        assert repr(found) == repr(expected)


@pytest.mark.parametrize(
    "function",
    [
        lambda i: NUMBERS[i] + NUMBERS[-i],
        lambda i: (FLOATS[i], FLAGS[i], COMPLEX[i]),
        lambda i: TEXTS[i] + TEXTS[i + 1] + TEXTS[4] + ONE_TEXT[0],
        lambda i: (len(TEXTS), len(ONE_TEXT), len(CUBE), len(GRAPH)),
        lambda i: NUMBERS[i:] + [i],
        lambda i: NUMBERS * 2 + NUMBERS[::-1],
        lambda i: sum(NUMBERS) + max(NUMBERS) + min(NUMBERS),
        lambda i: sorted(NUMBERS),
        lambda i: list(reversed(NUMBERS)),
        lambda i: list(zip(NUMBERS, FLOATS, TEXTS)),
        lambda i: list(enumerate(TEXTS)),
        lambda i: [*NUMBERS, i],
        lambda i: NUMBERS.index(2) + NUMBERS.count(i),
        lambda i: (i in NUMBERS, i not in NUMBERS, "żółw" in TEXTS, 9 in NUMBERS),
        lambda i: (NUMBERS == [3, 1, 2], NUMBERS != [3], NUMBERS < [4], [3, 1, 2] == NUMBERS),
        lambda i: ",".join(TEXTS),
        lambda i: str(NUMBERS) + f"{SIZES}",
        lambda i: (bool(NUMBERS), not SIZES, isinstance(NUMBERS, list), isinstance(SIZES, dict)),
        lambda i: NUMBERS.copy(),
        lambda i: list(NUMBERS),
        lambda i: NUMBERS,
        lambda i: (PAIRS[i], NESTED[i][0][1]),
        lambda i: [b * a for a, b in PAIRS],
        lambda i: [sum(row) for row in MATRIX[:2]],
        lambda i: sum([x for plane in CUBE for row in plane for x in row]),
        lambda i: CUBE[0][i][i],
        lambda i: np.array(NUMBERS),
        lambda i: float(np.array(MATRIX[:2])[i, i]),
        lambda i: SIZES["é"] + SIZES.get("a") + SIZES.get("zz", -1),
        lambda i: [SIZES[key] for key in SIZES],
        lambda i: [(key, value) for key, value in SIZES.items()],
        lambda i: sum(SIZES.values()),
        lambda i: (list(SIZES), list(SIZES.keys())),
        lambda i: ("a" in SIZES, "b" in SIZES, len(SIZES)),
        lambda i: (SIZES == {"a": 1}, {"": 3, "a": 1, "é": 2} == SIZES),
        lambda i: dict(SIZES),
        lambda i: SIZES.copy(),
        lambda i: {**SIZES, "q": i},
        lambda i: max(SIZES, key=SIZES.get),
        lambda i: sorted(SIZES.items(), key=lambda item: -item[1]),
        lambda i: SIZES,
        lambda i: NAMES[i + 2] + NAMES[-i],
        lambda i: PLACES[i, i + 1],
        lambda i: [len(GRAPH[key]) for key in GRAPH],
        lambda i: [x for key in GRAPH for x in GRAPH[key]],
        lambda i: len(GRAPH["C"]),
        lambda i: GRAPH["A"] + ["x"],
        lambda i: GRAPH,
        lambda i: (TABLES["x"]["z"], len(TABLES["w"])),
        lambda i: [len(one) for one in RECORDS],
        lambda i: RECORDS[i]["c"],
        lambda i: sum([sum(group) for group in GROUPS.values()]),
        lambda i: (i in PRIMES, 2 in PRIMES, len(PRIMES), sum(PRIMES)),
        lambda i: sorted(WORDS),
        lambda i: sorted(PRIMES | {7}) + sorted(PRIMES & {2}) + sorted(PRIMES - {2}),
        lambda i: PRIMES.issuperset({2}) and not PRIMES.isdisjoint({2}),
        lambda i: sorted(PRIMES.union({1})),
        lambda i: SPANS["km"].first + SPANS["m"].last,
        lambda i: [key + str(SPANS[key].last) for key in SPANS],
        lambda i: COLOURS[Colour.BLUE] + COLOURS.get(Colour.RED, ""),
        lambda i: [colour.value for colour in COLOURS],
        lambda i: (LEVELS[0] is Level.HIGH, LEVELS[i] + 1, LEVELS[i].name),
        lambda i: BYTES[0] + BYTES[i],
        lambda i: (len(SETS[i]), 3 in SETS[i]),
        lambda i: float(NARROW[i]),
    ],
)
def test_reading(function):
    same(function, 1)


def unpacked():
    a, b, c = NUMBERS
    return a, b, c


def walked(start):
    seen = {start}
    queue = [start]
    while queue:
        node = queue.pop(0)
        for other in GRAPH[node]:
            if other not in seen:
                seen.add(other)
                queue.append(other)
    return sorted(seen)


def test_use_in_statements():
    same(unpacked)
    same(walked, "B")


@njit
def _of_parameter(values, at):
    return values[at] + len(values)


def test_passing_to_other_functions():
    same(lambda i: _of_parameter(NUMBERS, i), 1)
    same(lambda i: [_of_parameter(NUMBERS, i), _of_parameter([7, 8], i)], 1)


def test_errors_are_those_of_the_container():
    for function in (lambda: NUMBERS[9], lambda: SIZES["zz"], lambda: NUMBERS.index(9)):
        with pytest.raises(Exception) as expected:
            function()
        with pytest.raises(type(expected.value)) as found:
            njit(function)()
        assert str(found.value) == str(expected.value)


def assigned():
    NUMBERS[0] = 1


def deleted():
    del SIZES["a"]


def stored():
    SIZES["a"] = 2


def added():
    numbers = NUMBERS
    numbers += [1]


@pytest.mark.parametrize(
    "function",
    [
        assigned,
        deleted,
        stored,
        added,
        lambda: NUMBERS.append(1),
        lambda: NUMBERS.sort(),
        lambda: NUMBERS.pop(),
        lambda: NUMBERS.clear(),
        lambda: MATRIX[0].append(1.0),
        lambda: GRAPH["A"].append("x"),
        lambda: [GRAPH[key].reverse() for key in GRAPH],
        lambda: SIZES.pop("a"),
        lambda: SIZES.update({"a": 3}),
        lambda: SIZES.setdefault("a", 3),
        lambda: PRIMES.add(7),
        lambda: PRIMES.discard(2),
        lambda: GROUPS[1].add(7),
    ],
)
def test_changes_are_refused(function):
    with pytest.raises(errors.TypingError, match=r"a global (list|dict|set) is a constant of compiled code"):
        njit(function)()


def test_what_is_made_of_one_is_a_list_of_its_own():
    before = deepcopy(NUMBERS)

    @njit
    def change():
        part, other = NUMBERS[:2], NUMBERS.copy()
        part[0] = 9
        other.append(8)
        return part, other, NUMBERS[0]

    assert change() == ([9, 1], [3, 1, 2, 8], 3)
    assert change() == ([9, 1], [3, 1, 2, 8], 3)
    assert before == NUMBERS


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda: len(EMPTY), "a global list without items can't be compiled"),
        (lambda: len(MIXED), "a global list of values of several types: int and str can't be compiled"),
        (lambda: len(OBJECTS), "a global list with a object can't be compiled"),
        (lambda: [2**70][0] + len(HUGE), "a global list with an int beyond 64 bits can't be compiled"),
    ],
)
def test_what_is_no_constant(function, reason):
    with pytest.raises(errors.TypingError) as found:
        njit(function)()
    if "HUGE" not in function.__code__.co_names:
        assert str(found.value).startswith(reason)


HUGE = [2**70]


def test_ints_beyond_64_bits():
    with pytest.raises(errors.TypingError, match="a global list with an int beyond 64 bits"):
        njit(lambda: len(HUGE))()


def test_ints_among_floats_are_floats():
    mixed = [1, 2.5]
    assert repr(njit(lambda: mixed[0])()) == "1.0"


def test_a_container_is_as_it_was_when_the_function_was_compiled():
    numbers = [1, 2]
    f = njit(lambda: len(numbers))
    assert f() == 2
    numbers.append(3)
    assert f() == 2
    f.recompile()
    assert f() == 3


def test_what_a_signature_is_declared_for_has_the_container_of_then():
    numbers = [[1], [2]]

    @njit("int64(int64)")
    def f(x):
        return numbers[0][0] + x

    numbers[0][0] = 50
    assert f(1) == 2
    assert njit(lambda x: f(x))(1) == 2


def test_many_values():
    many = {f"word {at}": [at, -at] for at in range(20_000)}
    f = njit(lambda word: many[word][1])
    assert f("word 12345") == -12345
    with pytest.raises(KeyError):
        f("word")


def test_equal_bytes_of_other_types():
    zeros, floats, flags = [0, 0], [0.0, 0.0], [False] * 16
    assert repr(njit(lambda: zeros[1])()) == "0"
    assert repr(njit(lambda: floats[1])()) == "0.0"
    assert repr(njit(lambda: flags[1])()) == "False"
    pairs, lists = [(1, 2)], [[1, 2]]
    assert repr(njit(lambda: pairs[0])()) == "(1, 2)"
    assert repr(njit(lambda: lists[0])()) == "[1, 2]"


def test_threads_make_one():
    table = {at: str(at) for at in range(500)}
    f = njit(lambda at: table[at], nogil=True)
    f.compile("(int64,)")
    found = []
    threads = [
        threading.Thread(target=lambda: found.extend(f(at) for at in range(500))) for _thread in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted([str(at) for at in range(500)] * 8)


def test_loops_on_threads(recwarn):
    @njit(parallel=True)
    def f(n):
        out = np.zeros(n)
        for i in prange(n):
            out[i] = NUMBERS[i % 3] + NESTED[i % 2][0][1] + len(GROUPS[1 + i % 2]) + PLACES[i % 2, i % 2 * 2]
        return out

    expected = [
        NUMBERS[i % 3] + NESTED[i % 2][0][1] + len(GROUPS[1 + i % 2]) + PLACES[i % 2, i % 2 * 2]
        for i in range(100)
    ]
    assert f(100).tolist() == expected
    assert not recwarn.list


PROGRAM = """
from pyopt import njit
TABLE = {"a": [1, 2], "b": CONTENT}
NAMES = {"one", "two", "three", "four"}

@njit(cache=True)
def f(key):
    return TABLE[key][0] + len(TABLE) + len(NAMES) - 4

print(f("b"), dict(f.stats.cache_hits) != {})
"""


def test_on_disk(tmp_path):
    program = tmp_path / "program.py"

    def run(content):
        program.write_text(PROGRAM.replace("CONTENT", content))
        environment = {**os.environ, "PYOPT_CACHE_DIR": str(tmp_path / "cache")}
        done = subprocess.run(
            [sys.executable, program], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    assert run("[5]") == ["7", "False"]
    assert run("[5]") == ["7", "True"]
    # What the container holds is part of the key.
    assert run("[6]") == ["8", "False"]


def test_values_of_classes():
    for value in (1, 1.5, "a", (1, 2), [1], {1: 2}, {3}, 1j, b"a"):
        same(lambda x: f"{type(x)} {type(x).__name__} {x.__class__.__name__}", value)
        same(lambda x: "%s, %r" % (type(x), x) + str(type(x)) + repr(type(x)), value)  # noqa: UP031
    same(lambda: (int.__name__, np.float64.__name__))


@pytest.mark.parametrize("value", [5, True, 1.5, "a", [1], (1,), {1: 2}, {3}, 1j, b"a"])
def test_digits_of_what_is_no_int(value):
    for digits in (lambda x: bin(x), lambda x: oct(x), lambda x: hex(x)):
        try:
            expected = digits(value)
        except TypeError as error:
            with pytest.raises(TypeError) as found:
                njit(digits)(value)
            assert str(found.value) == str(error)
        else:
            assert njit(digits)(value) == expected
