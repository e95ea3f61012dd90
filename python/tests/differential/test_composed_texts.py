"""Texts of several parts, which are written to one place."""

import pytest
from differential.memory import growth

from pyopt import njit


def with_ints(s, n, w):
    return s + str(n) + w, f"{n}:{s}:{n * 2}:{w}{-n}", str(n) + str(n + 1), s + (str(n) + w) + (w + s)


def with_wide_characters(s, n, w):
    return s + "€" + w + str(n) + "🐍", "é" + str(n) + s, "🐍" + s + str(n) + w + w


def in_loops(s, n, w):
    made = [s + str(i) + w for i in range(n)]
    for i in range(n):
        s = s + str(i) + "," + s[:2]
        if i % 2:
            s += str(-i) + w + str(i)
    return made, s


def used_twice(s, n, w):
    digits, first = str(n), s + w
    return digits + first + digits, first + s + w, first, len(digits + s + w)


def in_branches(s, n, w):
    first = s + str(n) + w
    if n > 2:
        second = first + str(n)
        return second + w + s
    try:
        return first + str(int(w)) + s
    except ValueError:
        return s + str(n + 1) + first


def of_edges(s, n, w):
    return f"{n - 9223372036854775807}{n + 9223372036854775800}{s}{n - 1}{n - 2}{n - 3}{n - 4}{n - 5}"


def of_many(s, n, w):
    first = s + str(n) + s + str(n) + s + str(n) + s + str(n) + s + str(n) + s + str(n) + s + str(n)
    second = s + w + s + w + s + w + s + w + s + w + s + w + s + w + s + w + s + w + s + w + s + w + s + w
    third = w + str(n) + w + str(n) + w + str(n) + w + str(n) + w + str(n) + w + str(n) + w + str(n)
    third = third + (w + str(n) + w + str(n) + w + str(n) + w + str(n) + w + str(n) + w + str(n))
    return first + second + third + str(n) + w + str(n) + (s + (w + (s + (w + (s + str(n))))))


def of_bytes(s, n, w):
    x, y = s.encode(), w.encode()
    return x + y + x + b"k" + (y + x), b"" + x + b""


PROGRAMS = [with_ints, with_wide_characters, in_loops, used_twice, in_branches, of_edges, of_many, of_bytes]
ARGUMENTS = [("x", 3, "yz"), ("", 0, "é"), ("🐍", -1, ""), ("ab", 7, "12"), ("", 1, "")]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs(program):
    compiled = njit(program)
    for given in ARGUMENTS:
        assert compiled(*given) == program(*given)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_nothing_leaks(program):
    compiled = njit(program)
    assert growth(lambda: compiled("ab", 5, "€")) == 0
