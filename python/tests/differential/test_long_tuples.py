"""Tuples of so many items as there are at run time: `tuple(list)` and `zip(*rows)`, against CPython."""

import copy
import re
from collections import Counter, deque
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np
import pytest
from differential.memory import growth
from differential.programs import Programs

from pyopt import TypingError, njit, prange

PROGRAMS = program = Programs()


class P(NamedTuple):
    x: int
    y: float


@dataclass(frozen=True)
class D:
    a: int


class C(Enum):
    A = 1
    B = 2


@program([2, 1])
def of_list(b):
    return tuple(b)


@program([2, 1])
def operations(b):
    t = tuple(b)
    return t, t[0], len(t), t == (2, 1), str(t), [x for x in t], t + t, t[::-1], 2 in t


@program([2, 1])
def keys(b):
    t = tuple(sorted(b))
    d = {t: 1}
    return d, hash(t) == hash((1, 2)), {tuple(x) for x in [[1, 2], [3, 4], [1, 2]]}


@program([[1, 2], [3]])
def of_rows(b):
    return [tuple(x) for x in b], sorted(tuple(x) for x in b), isinstance(tuple(b[0]), tuple)


@program([[1, 2], [3]])
def unpacked(b):
    a, c = tuple(b[0])
    return a, c


@program("abc")
def of_iterables(s):
    return tuple(s), tuple(range(3)), tuple(c for c in s), tuple({1: 2}), tuple(map(ord, s))


@program([1, 2, 3])
def items_of_sets(b):
    seen = set()
    seen.add(tuple(b))
    b[0] = 9
    seen.add(tuple(b))
    return len(seen), (1, 2, 3) in seen, sorted(seen)


@program([3, 1, 2])
def states(v):
    start = tuple(v)
    goal = tuple(sorted(v))
    q = deque([start])
    dist = {start: 0}
    while q:
        s = q.popleft()
        if s == goal:
            return dist[s], s
        for i in range(len(s) - 1):
            swapped = list(s)
            swapped[i], swapped[i + 1] = swapped[i + 1], swapped[i]
            t = tuple(swapped)
            if t not in dist:
                dist[t] = dist[s] + 1
                q.append(t)
    return -1, start


@program([[1, 2], [3, 4]])
def nested(g):
    t = tuple(tuple(r) for r in g)
    return t, t[1][0], {t: 1}, str(t), hash(t) == hash(t), len({t, t})


@program([2, 1, 2])
def builtins_of_tuples(v):
    t = tuple(v)
    return (
        sum(t),
        min(t),
        max(t),
        sorted(t),
        sorted(t, key=lambda x: -x),
        list(reversed(t)),
        [a * b for a, b in zip(t, t)],
        list(enumerate(t)),
        set(t),
        [*t],
        {*t},
        bool(t),
        t * 2,
        t == tuple(v),
        t != tuple([1]),
        t < tuple([3]),
        t.index(1),
        t.count(2),
        any(t),
        all(t),
        Counter(t).most_common(1),
        list(map(str, t)),
        tuple(t),
    )


@program([2, 1])
def starred_targets(v):
    a, b = tuple(v)
    x, *y = tuple(v)
    return a, b, x, y


@program("abc")
def of_texts(s):
    t = tuple(s)
    return (
        "".join(t),
        t,
        tuple(s.split("b")),
        str(t),
        repr(tuple(s[:1])),
        f"{t}",
        "%s" % (t,),  # noqa: UP031
        tuple(sorted(s, reverse=True)),
        "-".join(tuple(sorted(s))),
    )


@program({"a": 1, "b": 2})
def of_dicts(d):
    return tuple(d.items()), tuple(d), tuple(d.values()), tuple(sorted(d.items(), key=lambda kv: -kv[1]))


@program([1.5, 2.0])
def of_arrays(v):
    return (
        np.array(tuple(v)),
        tuple(np.array(v)),
        tuple(x * 2 for x in v),
        tuple(range(3)),
        tuple(map(int, v)),
        tuple(zip(v, v)),
        tuple(reversed(v)),
        tuple(enumerate(v)),
    )


@program([1, 2])
def index_out_of_range(v):
    t = tuple(v)
    return t[2]


@program([1, 2])
def indices(v):
    t = tuple(v)
    return t[-2], t[-1:], t[::-1], t[:0], t.index(9)


@program([])
def lists_that_grow_later(v):
    out = []
    cur = [1]
    cur.pop()
    out.append(tuple(cur))
    cur.append(3)
    out.append(tuple(cur))
    return out, str(out[0]), len(out[0])


@program([1, 2, 3])
def subsets(v):
    res = set()
    cur = []

    def go(i):
        if i == len(v):
            res.add(tuple(cur))
            return
        go(i + 1)
        cur.append(v[i])
        go(i + 1)
        cur.pop()

    go(0)
    return res


@program(["eat", "tea", "tan"])
def sorted_texts_as_keys(ws):
    d = {}
    for w in ws:
        d.setdefault(tuple(sorted(w)), []).append(w)
    return d


@program(["eat", "tea", "tan"])
def counts_as_keys(ws):
    d = {}
    for w in ws:
        c = [0] * 26
        for ch in w:
            c[ord(ch) - 97] += 1
        d.setdefault(tuple(c), []).append(w)
    return list(d.values())


@program([1, 2])
def classes(v):
    t = tuple(v)
    return (
        isinstance(t, tuple),
        isinstance(t, list),
        type(t) is tuple,
        isinstance(t, (int, tuple)),
        t is t,
        type(t).__name__,
    )


@program([1, 2])
def compared_with_known_lengths(v):
    t = tuple(v)
    return t == (1, 2), (1, 2) == t, t == (1, 2, 3), t < (1, 3), (0,) < t, t != (1, 2), t == [1, 2]


@program([1, 2])
def joined_with_known_lengths(v):
    t = tuple(v)
    return t + tuple([3]), tuple([0]) + t


@program([3, 4], 2)
def results_by_tuples(v, k):
    m = {}

    def f(t, k):
        if (t, k) in m:
            return m[(t, k)]
        r = sum(t) + k if k == 0 else f(t + tuple([k]), k - 1)
        m[(t, k)] = r
        return r

    return f(tuple(v), k), len(m)


@program([[3, 1], [2]])
def sorted_tuples(rows):
    ts = [tuple(r) for r in rows]
    ts.sort()
    return (
        ts,
        max(ts),
        min(ts, key=len),
        sorted(ts, key=lambda t: -len(t)),
        ts.index(tuple([2])),
        [len(t) for t in ts],
        ts.count(tuple([3, 1])),
    )


@program([1, 2])
def carried_by_loops(v):
    t = tuple(v)
    for i in range(3):
        t = t + tuple([i])
        t = tuple(x + 1 for x in t if x < 4)
    s = 0
    for x in t:
        s += x
    for i, x in enumerate(t):
        s += i * x
    return t, s


@program([1, 2])
def none_or_a_tuple(v):
    best = None
    for i in range(2):
        t = tuple(v[i:])
        if best is None or len(t) < len(best):
            best = t
    return best


@program([1, 2])
def either_length(v):
    return tuple(v) if len(v) > 1 else tuple([0])


@program([[1, 2, 3], [4, 5, 6]])
def transposed(m):
    return list(zip(*m)), [list(c) for c in zip(*m)], list(map(list, zip(*m)))


@program([[1, 2, 3], [4, 5, 6]])
def turned(m):
    return [list(r) for r in zip(*m[::-1])], [sum(c) for c in zip(*m)], [max(c) for c in zip(*m)]


@program([(1, 2), (3, 4), (5, 6)])
def columns_of_points(p):
    xs, ys = zip(*p)
    return xs, ys, max(xs), sum(ys)


@program([("a", 1, 2.5), ("b", 2, 3.5)])
def unpacked_columns_of_several_types(rows):
    names, ints, floats = zip(*rows)
    first, second = zip(*[(n * 2, i) for n, i, _ in rows if i > 0])
    return names, sum(ints), list(floats), first[-1], second


@program(3)
def columns_of_known_rows(n):
    names, ints = zip(*[("a", n), ("bb", n + 1)])
    rows = [(n, "x")]
    one, other = zip(*rows)
    return names, sum(ints), one, other


@program([("a", 1)])
def no_columns_of_several_types(rows):
    rows.pop()
    names, ints = zip(*rows)
    return names, ints


@program({"b": 1, "a": 2})
def columns_of_items(table):
    keys, values = zip(*table.items())
    names, counts = zip(*sorted(table.items()))
    return keys, values, names, counts


@program(["flower", "flow", "flight"])
def common_prefix(ws):
    out = ""
    for cs in zip(*ws):
        if len(set(cs)) > 1:
            break
        out += cs[0]
    return out


@program([[1]])
def no_rows(m):
    m.pop()
    return list(zip(*m)), [c for c in zip(*m)]


@program([[1, 2], [3]])
def rows_of_several_lengths(m):
    return list(zip(*m))


@program([1, 2, 3, 4])
def known_rows(v):
    return list(zip(*[v, v])), list(zip(*(v, v)))


@program([[1, 2], [3, 4]])
def numbered_columns(m):
    out = []
    for i, c in enumerate(zip(*m)):
        out.append((i, c))
    d = {c: i for i, c in enumerate(zip(*m))}
    return out, d


@program([[1, 2], [3]])
def lists_that_are_passed(m):
    t = tuple(m)
    t[0].append(9)
    m[1].append(8)
    return m, t[0], t[1], len(t[1])


@program([[1, 2], [3]])
def lists_that_are_made(m):
    rows = [[x] for x in range(3)]
    t = tuple(rows)
    t[0].append(5)
    rows[1].append(6)
    return rows, list(t)


@program([1, 2])
def of_list_of_arrays(v):
    a = [np.ones(2), np.zeros(2)]
    t = tuple(a)
    t[0][0] = 7
    return a[0][0], t[1].sum(), len(t)


@program([1, 2])
def of_named_tuples(v):
    t = tuple([P(x, x * 0.5) for x in v])
    return t, t[0].y, sum(p.x for p in t)


@program([1, 2])
def of_dataclasses(v):
    t = tuple([D(x) for x in v])
    return t[1].a, t == tuple([D(1), D(2)]), {t: 1}[t]


@program([1, 2])
def of_enumerations(v):
    t = tuple([C(x) for x in v])
    return t, C.A in t, str(t)


@program([1, 2, 3])
def with_none(v):
    t = tuple([x if x > 1 else None for x in v])
    return t, t[0] is None, None in t


@program([1, 2, 3])
def parts_as_keys(v):
    d = {}
    for i in range(3):
        d.setdefault(tuple(v[:i]), []).append(i)
    return d, sorted(d), [k for k in d if len(k) > 1]


@program([True, False])
def of_bools(v):
    t = tuple(v)
    return t, str(t), sum(t), tuple([int(x) for x in t])


@program([3 + 1j])
def of_complex_numbers(v):
    return tuple(v), str(tuple(v))


@program([b"a", b"b"])
def of_bytes(v):
    return tuple(v), b"".join(tuple(v))


@program([(1, "a"), (2, "b")])
def of_pairs(v):
    t = tuple(v)
    return t, dict(t), [a for a, b in t], t[0][1], sorted(t, key=lambda p: -p[0])


@program([1, 2])
def from_generators(v):
    def g():
        for i in range(3):
            yield tuple(v[:i])

    return list(g()), tuple(g())


@program(5)
def appended(n):
    def f(t):
        return t + tuple([t[-1] + t[-2]]) if len(t) < n else t

    t = tuple([k for k in range(2)])
    while len(t) < n:
        t = f(t)
    return t


@program([1, 2, 3])
def behind_stars(v):
    t = tuple(v)
    a, *b = t

    def f(*args):
        return len(args)

    return a, b, [*t, 4], [0, *t], (*[1], 2)


@program([1, 2, 3])
def passed_to_functions(v):
    def total(t, k=0):
        return sum(t) + k

    return (
        total(tuple(v)),
        total(tuple(v), k=2),
        max(tuple(v), default=0),
        min(tuple(v[:0]), default=-1),
        sum(tuple(v), 10),
    )


@program([1, 2, 3])
def taken_out(v):
    s = {tuple(v), tuple(v[1:])}
    s.discard(tuple(v))
    d = {tuple(v): 1}
    d.pop(tuple(v))
    return s, d, tuple(v) in d


@program([1, 2, 3])
def to_arrays(v):
    return np.array(tuple(v)).sum(), np.sum(np.asarray(tuple(v))), np.mean(np.array(list(tuple(v))))


@program([1, 2])
def with_empty_tuples(v):
    t = tuple(v)
    return t + (), () + t, t == (), () < t, t <= (), tuple(v[:0]) == (), t + (3, 4), (0,) + t


class Added(NamedTuple):
    x: int
    y: int

    def __add__(self, other):
        return Added(self.x + other.x, self.y + other.y)


@program([1, 2])
def beside_tuples_of_known_length(v):
    several = (1, "a") + (2.5,)
    return tuple(v), several, (1, 2) + (3,), (1, 2) == (1, 2), (1, 2) < (1, 3), Added(1, 2) + Added(3, 4)


def outcome(function, arguments):
    """What a function does; numbers are those of Python, whichever of both gives NumPy's."""
    try:
        result = re.sub(r"np\.\w+\(([^()]*)\)", r"\1", repr(function(*arguments)))
        return "result", result, repr(arguments)
    except (IndexError, ValueError) as error:
        return type(error), str(error), repr(arguments)


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS, ids=[one.__name__ for one, _ in PROGRAMS])
def test_programs(function, arguments):
    found = outcome(njit(function), copy.deepcopy(arguments))
    assert found == outcome(function, copy.deepcopy(arguments))


@pytest.mark.parametrize(
    "function",
    [
        states,
        nested,
        of_texts,
        subsets,
        transposed,
        of_list_of_arrays,
        results_by_tuples,
        lists_that_are_made,
    ],
)
def test_nothing_leaks(function):
    compiled = njit(function)
    arguments = next(given for one, given in PROGRAMS if one is function)
    assert growth(lambda: compiled(*copy.deepcopy(arguments))) == 0


def test_code_that_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("PYOPT_CACHE_DIR", str(tmp_path))
    for hits in (0, 1):
        compiled = njit(cache=True)(transposed)
        assert compiled([[1, 2], [3, 4]]) == transposed([[1, 2], [3, 4]])
        assert sum(compiled.stats.cache_hits.values()) == hits


def test_loops_on_threads():
    @njit(parallel=True)
    def total(v, n):
        items = tuple(v)
        found = 0
        for i in prange(n):
            found += items[i % len(items)]
        return found

    assert total([1, 2, 4], 3000) == 7000


def test_printing(capfd):
    @njit
    def show(v):
        print(tuple(v), tuple(v[:1]), tuple(v[:0]))

    show([1, 2])
    assert capfd.readouterr().out == "(1, 2) (1,) ()\n"


def changed(v):
    items = tuple(v)
    items[0] = 3
    return items


def of_several_types(flag):
    return tuple(1 if flag else "a" for _ in range(3))


def joined_with_several_types(v):
    return tuple(v) + (1, "a")


def columns_of_several_types(pairs):
    return list(zip(*pairs))


@pytest.mark.parametrize(
    ("function", "argument", "message"),
    [
        (changed, [1, 2], "no implementation of setitem for"),
        (joined_with_several_types, [1, 2], r"no implementation of \+ for \(tuple\[int64\], Tuple"),
        (columns_of_several_types, [(1, "a")], "the arguments behind '\\*' must be a tuple, not list"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_refused(function, argument, message):
    with pytest.raises(TypingError, match=message):
        njit(function)(argument)
