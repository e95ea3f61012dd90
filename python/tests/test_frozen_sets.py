"""``frozenset`` in compiled code."""

import subprocess
import sys

import pytest
from differential.compare import compile_once
from differential.memory import growth

from pyopt import njit
from pyopt.errors import TypingError


def queries(x):
    a = frozenset([1, 2, x])
    b = {2, 5}
    return (
        (len(a), 2 in a, 9 in a, sorted([v for v in a])),
        (sorted(a | b), sorted(a & b), sorted(b - a), sorted(a ^ a), sorted(b | a)),
        (a == b, a == frozenset([x, 2, 1]), a != b, a <= a, a < a, b >= a),
        (a.isdisjoint(b), a.issubset(b), a.issuperset([1]), sorted(a.union([7])), sorted(a.difference(b))),
        (sorted(a.intersection(b)), sorted(a.symmetric_difference(b)), len(a.copy()), bool(a)),
    )


def texts(word):
    letters = frozenset(word)
    return sorted(letters), "a" in letters, frozenset([word, "b"])


@pytest.mark.parametrize(
    ("function", "argument"), [(queries, 3), (queries, 2), (texts, "banana"), (texts, "xyz")]
)
def test_what_is_made(function, argument):
    compiled = compile_once(function)
    assert compiled(argument) == function(argument)
    assert growth(lambda: compiled(argument)) == 0


def test_arguments_and_results():
    compiled = njit(lambda items: (items | {7}, len(items), sum([x for x in items])))
    assert compiled(frozenset([1, 2])) == (frozenset([1, 2, 7]), 2, 3)
    assert type(compiled(frozenset([1.5]))[0]) is frozenset
    words = njit(lambda items: [len(x) for x in items])
    assert sorted(words(frozenset(["a", "bcd"]))) == [1, 3]
    with pytest.raises(TypeError, match="a frozenset without items"):
        compiled(frozenset())
    with pytest.raises(TypeError, match="a frozenset of items of several types"):
        compiled(frozenset([1, "a"]))


def keys(x):
    counts = {frozenset([1, 2]): 5}
    counts[frozenset([2, 1])] += x
    words = {frozenset("ab"), frozenset("ba"), frozenset("abc")}
    return (
        counts[frozenset((1, 2))],
        len(words),
        hash(frozenset([1, x])),
        hash(frozenset("a")),
        frozenset("ab") in words,
    )


def test_keys():
    compiled = njit(keys)
    for x in (-1, 0, 7):
        assert compiled(x) == keys(x)
    assert growth(lambda: compiled(3)) == 0


VOWELS = frozenset("aeiou")
SMALL = frozenset([3, 1, 2])
NOTHING = frozenset()


def globals_of(x):
    is_vowel = [letter in VOWELS for letter in "example"]
    found = x in SMALL, x not in SMALL, x in NOTHING, sum([item for item in SMALL])
    union = SMALL | frozenset([x])
    return is_vowel, found, union, len(SMALL), SMALL == frozenset([1, 2, 3]), {SMALL: x}[SMALL], SMALL


def test_globals():
    compiled = njit(globals_of)
    for x in (1, 7):
        assert compiled(x) == globals_of(x)


def test_what_is_refused():
    with pytest.raises(TypingError, match="add"):
        njit(lambda x: frozenset([x]).add(3))(1)
    with pytest.raises(TypingError, match=r"it isn't known what a frozenset\(\) without items holds"):
        njit(lambda: len(frozenset()))()
    many = frozenset(range(100))
    with pytest.raises(TypingError, match="a global frozenset of more than 64 items"):
        njit(lambda x: x in many)(1)


def test_it_is_known_in_a_fresh_process():
    program = "from pyopt import njit; print(njit(lambda x: len(x | {5}))(frozenset([1, 2])))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("3\n", "")
