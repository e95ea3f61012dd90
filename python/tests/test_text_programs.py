"""Programs that use texts among other values, against CPython: results, exceptions and leaks."""

import pytest
from differential.memory import growth

from pyopt import njit

SUFFIX = "global €"
INPUTS = ["a", "abc def b", "€ur o x", "🐍 b c", "zz yy aa \u0301"]


def extremes(t):
    return sorted(t.split()), min(t.split()), max(t.split())


def unpacked(t):
    a, b = t.split(" ", 1)
    return b, a


def numbered(t):
    return [(i, c) for i, c in enumerate(t)], list(zip(t, t[1:]))


def reversed_text(t):
    return "".join([c for c in reversed(t)])


def as_list(t):
    return list(t), len(list(t))


def truth(t):
    return ("yes" if t else "no"), not t, bool(t), t or "empty", t and t[0]


def with_global(t):
    return t + SUFFIX, SUFFIX in t, SUFFIX == t


def grouped(t):
    d = {}
    for w in t.split():
        d.setdefault(w[0], [w]).append(w)
    return d


def pairs_in_set(t):
    s = {("a", 1)}
    for w in t.split():
        s.add((w, len(w)))
    return sorted(s)


def caught(t):
    try:
        x = t + "!"
        if len(t) > 3:
            raise ValueError(x)
        return x
    except ValueError:
        return "caught " + t


def doubled(t, n=50):
    r = t
    while len(r) < n:
        r = r + r
    return r[:n]


def changing_list(t):
    words = t.split()
    words.append("z")
    words.insert(0, t.upper())
    x = words.pop()
    words.reverse()
    words[0] = words[-1] + x
    del words[1:2]
    return words, words == t.split(), "z" in words, words.count("z"), words + [t], words * 2


def optional(t):
    x = None
    for w in t.split():
        if w > "b":
            x = w.upper()
    return x


def sets(t):
    a = t.split()
    b = set(a)
    c = {w + "x" for w in a} | b
    return b & c == b, len(c), t in b


def comprehensions(t):
    return sum([len(w) for w in t.split()]), any([w.isalpha() for w in t.split()])


def defaults(t, k=", "):
    return k.join(t.split()) + k * 2


def closure(t):
    def inner(x):
        return x + t

    return inner("a") + inner("b")


def matched(t):
    match t:
        case "a":
            return 1
        case "abc def b":
            return 2
        case _:
            return 3


def displays(t):
    return {t: 1, t + "2": 2}[t[:]], {t: 1}.get("nix", 5), {t: t}.pop(t), list({t: 1}.items())


def plain_texts(t):
    return str((1, t)), repr(t), str(2.5), str(True), str(None), repr(1.0)


def nested_views(t):
    return t[::-1], t[1:][:-1].strip().title(), t[0] + t[-1]


def in_tuples(t):
    return (t, 1) < (t + "a", 0), (t, 1) == (t, 1), (t,) + ("b",)


def hashes(t):
    return hash((t, 1)), hash(t[1:])


def sorted_by_length(t):
    words = t.split()
    words.sort()
    words.sort(key=len, reverse=True)
    return words


def specified(t):
    return f"{len(t):>{len(t)}}|{t!r:^20}|{t:*<20}|{3.14159:.2f}|{1e10:,.1f}|{255:#x}"


def percent(t):
    return "%s has %d and %.2f%%" % (t, 3, 2.5), "%s" % t, "%r" % 2.5  # noqa: UP031


def key_error(t):
    if len(t) > 3:
        raise KeyError(t[:3] + "?", len(t))
    return t


def read_or_not(t):
    try:
        int(t)
    except ValueError:
        return -1
    return int(t)


PROGRAMS = [
    extremes,
    unpacked,
    numbered,
    reversed_text,
    as_list,
    truth,
    with_global,
    grouped,
    pairs_in_set,
    caught,
    doubled,
    changing_list,
    optional,
    sets,
    comprehensions,
    defaults,
    closure,
    matched,
    displays,
    plain_texts,
    nested_views,
    in_tuples,
    hashes,
    sorted_by_length,
    specified,
    percent,
    key_error,
    read_or_not,
]


def outcome(function, text):
    """Give what a call returns or raises."""
    try:
        return function(text)
    except Exception as error:
        return type(error), error.args


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs(program):
    """A program gives what it gives in CPython, and everything that it makes is given back."""
    compiled = njit(program)

    def run():
        for text in INPUTS:
            assert outcome(compiled, text) == outcome(program, text), text

    assert growth(run) == 0


def test_printing(capfd):
    """Made texts are printed, and are separators and ends."""

    @njit
    def show(text):
        print(text + "!", text.upper(), sep="<" + text + ">", end="|\n")

    show("straße €")
    assert capfd.readouterr().out == "straße €!<straße €>STRASSE €|\n"


def test_non_ascii_methods_in_parallel_loops():
    """Threads ask the host for Unicode's tables while the caller waits."""
    import numpy as np

    from pyopt import prange

    @njit(parallel=True)
    def lengths(text, n):
        out = np.zeros(n, np.int64)
        for i in prange(n):
            out[i] = len(text.upper() + f"{i:5}" + str(i))
        return out

    found = lengths("straße", 1000)
    assert found.tolist() == [len("STRASSE" + f"{i:5}" + str(i)) for i in range(1000)]
