"""What may be None is the plain value where the program has asked: against CPython."""

import math

import pytest
from differential.memory import growth

from pyopt import njit
from pyopt.definitions import define


def as_key(d, k):
    v = d.get(k)
    if v is None:
        return {}
    return {v: v + 1}


def as_item(d, k):
    v = d.get(k)
    if v is not None:
        s = {v}
        s.add(v + 1)
        items = [v]
        items.append(v)
        return len(s) + sum(items)
    return 0


# What pytest doesn't rewrite.
ASSERTED = """
def asserted(d, k):
    v = d.get(k)
    assert v is not None
    e = {v: 1}
    return e[v]
"""


def in_condition(d, k):
    v = d.get(k)
    return v is not None and v in {2, 3}, v is None or v in {2, 3}


def in_loop(d, k):
    seen = set()
    v = d.get(k)
    while v is not None and v not in seen:
        seen = seen | {v}
        v = d.get(v)
    return sorted(seen)


def by_truth(d, k):
    v = d.get(k)
    if not v:
        return {0: 0}
    return {v: v + 1}


def by_equality(d, k):
    v = d.get(k)
    if v == None:  # noqa: E711
        return {0: 0}
    return {v: v + 1} if v != None else {5: 5}  # noqa: E711


def of_two(d, k):
    x, y = d.get(k), d.get(k + 2)
    if x is None or y is None:
        return set()
    return {x, y}


def pair_as_key(d, k):
    x, y = d.get(k), d.get(k + 2)
    if x is not None and y is not None:
        return {(x, y): 1}
    return {(0, 0): 0}


def chosen(d, k):
    v = d.get(k)
    return {v if v is not None else -1}


def given_value(d, k):
    v = d.get(k)
    if v is None:
        v = 7
    return {v}


def by_walrus(d, k):
    path = set()
    while (v := d.get(k)) is not None:
        path |= {v}
        k = v + 10
    return path


def as_bounds(d, k):
    v = d.get(k)
    text = "abcdef"
    if v is None:
        return text
    return text[v:] + text[:v] + "".join([text[i] for i in range(v)])


def in_functions(d, k):
    v = d.get(k)
    if v is None:
        return 0.0
    return math.sqrt(v) + abs(v) + divmod(v, 2)[0] + len(str(v)) + min(v, 2) + pow(v, 2)


def reassigned(d, k):
    v = d.get(k)
    if v is not None:
        first = {v}
        v = d.get(v)
        if v is None:
            return first, True
        return first | {v}, False
    return {-1}, v is None


def reassigned_in_loop(d, k):
    v = d.get(k)
    out = []
    for _ in range(4):
        if v is not None:
            out += [{v}]
            v = d.get(v)
        else:
            out += [{-1}]
            v = d.get(k)
    return out


def in_handler(d, k):
    v = d.get(k)
    found = {0}
    if v is not None:
        try:
            found = {v}
            if v > 2:
                raise ValueError(f"{v}")
        except ValueError:
            found = found | {v + 100}
        finally:
            found = found | {v + 1000}
    return found


def matched(d, k):
    v = d.get(k)
    match v:
        case None:
            return {-1}
        case 2:
            return {-2}
        case _:
            return {v}


def passed_on(d, k):
    def plus(one, other):
        return {one: other}

    v = d.get(k)
    return plus(v, k) if v is not None else plus(k, k)


def listed(d, k):
    return {v: 1 for v in [d.get(k), d.get(k + 1), d.get(k + 2)] if v is not None}


def previous(d, k):
    before = None
    counts = {}
    for now in [*d.keys(), k]:
        if before is not None:
            counts[(before, now)] = counts.get((before, now), 0) + 1
        before = now
    return counts


def yielded(d, k):
    def present(keys):
        for key in keys:
            v = d.get(key)
            if v is None:
                continue
            yield v

    return {v for v in present([k, k + 1, k + 2])}


def called(d, k):
    operations = {2: lambda x: x + 1, 3: lambda x: x * 2}
    f = operations.get(d.get(k, 0))
    return f(k) if f is not None else -1


PROGRAMS = [
    as_key,
    as_item,
    define(ASSERTED, "asserted", {}),
    in_condition,
    in_loop,
    by_truth,
    by_equality,
    of_two,
    pair_as_key,
    chosen,
    given_value,
    by_walrus,
    as_bounds,
    in_functions,
    reassigned,
    reassigned_in_loop,
    in_handler,
    matched,
    passed_on,
    listed,
    previous,
    yielded,
    called,
]
DICTS = [{1: 2}, {1: 2, 2: 3, 3: 4}, {1: 0, 3: 5}, {3: 1, 1: 3}]


def outcome(function, *args):
    try:
        return function(*args)
    except AssertionError as error:
        return repr(error)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_ints(program):
    compiled = njit(program)
    for d in DICTS:
        for k in (1, 2, 3, 9):
            assert repr(outcome(compiled, d, k)) == repr(outcome(program, d, k))
    assert growth(lambda: outcome(compiled, DICTS[1], 1)) == 0


def texts(d, k):
    v = d.get(k)
    if v is None:
        return {"none"}
    return {v, v.upper(), f"{v}{len(v)}"}


def lists(d, k):
    v = d.get(k)
    if v is None:
        return [k]
    v.append(v[0] + "!")
    return v + [k]


def a_list_is_shared(d, k):
    e = {key: [key] for key in d}
    v = e.get(k)
    if not v:
        return e
    v.append("new")
    return e


@pytest.mark.parametrize(
    ("program", "make"),
    [
        (texts, lambda: {"a": "b", "b": "€"}),
        (lists, lambda: {"a": ["x"], "b": ["y", "z"]}),
        (a_list_is_shared, lambda: {"a": 1, "b": 2}),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_texts_and_lists(program, make):
    compiled = njit(program)
    for k in ("a", "b", "c"):
        found, wanted = make(), make()
        assert repr((compiled(found, k), found)) == repr((program(wanted, k), wanted))
    assert growth(lambda: compiled(make(), "a")) == 0


def test_what_was_not_asked_is_checked():
    def key(d, k):
        v = d.get(k)
        if v is not None:
            k = v
        e = {}
        e[k] = 1
        v = d.get(k)
        return [10, 20, 30][v]

    compiled = njit(key)
    assert compiled({1: 2, 2: 0}, 1) == key({1: 2, 2: 0}, 1)
    with pytest.raises(TypeError):
        compiled({1: 2}, 1)


def test_the_class_of_none():
    def asked(d, k):
        v = d.get(k)
        return (
            isinstance(v, type(None)),
            isinstance(v, (int, type(None))),
            isinstance(v, (str, type(None))),
            type(v) is int if v is not None else False,
        )

    def of_argument(x):
        return (
            type(x) is type(None),
            type(None) is not type(x),
            isinstance(x, type(None)),
            isinstance(None, int),
        )

    compiled = njit(asked)
    for k in (1, 2):
        assert compiled({1: 2}, k) == asked({1: 2}, k)
    for x in (None, 1, "a"):
        assert njit(of_argument)(x) == of_argument(x)
