"""Texts of the views of dicts."""

from collections import Counter, OrderedDict, defaultdict

import pytest

from pyopt import njit


def of_ints(n):
    d = {}
    for i in range(n):
        d[i] = i * 0.5
    return str(d.keys()), repr(d.values()), f"{d.items()}", f"{d.keys()!r:>40}", "%s" % d.keys()  # noqa: UP031


def of_classes(n):
    o, c, d = OrderedDict(), Counter(), defaultdict(int)
    for i in range(n):
        o[i] = str(i)
        c[i % 2] += 1
        d[i] += i
    ordered = str(o.keys()), repr(o.values()), f"{o.items()}"
    return ordered, str(c.keys()), str(c.items()), str(d.values())


def of_ordered(n):
    o = OrderedDict()
    for i in range(n):
        o[i] = str(i)
    pairs = [(key, value) for key, value in o.items()]
    reverse = list(reversed(o.keys())), list(reversed(o.items())), list(reversed(o.values()))
    asked = 1 in o.keys(), "1" in o.values(), (1, "1") in o.items(), len(o.keys())  # noqa: SIM118
    sets = sorted(o.keys() & {0, 1}), sorted(o.keys() - {0}), o.keys().isdisjoint({99})
    return pairs, reverse, asked, sets, dict(o.items()), sorted(o.values()), list(o), o == o


def changed(n):
    d = {1: 2}
    keys = d.keys()
    before = str(keys)
    for i in range(n):
        d[10 + i] = i
    return before, str(keys)


@pytest.mark.parametrize("function", [of_ints, of_classes, of_ordered, changed])
@pytest.mark.parametrize("n", [0, 1, 5])
def test_texts_of_views(function, n):
    assert njit(function)(n) == function(n)


@pytest.mark.parametrize("n", [1, 5])
def test_texts_of_views_with_texts(n):
    def of_texts(n):
        d = {str(i): (i, [i]) for i in range(n)}
        return str(d.keys()), str(d.values()), "{} {}".format(d.items(), 1)  # noqa: UP032

    assert njit(of_texts)(n) == of_texts(n)


def test_views_of_arguments_and_of_none():
    def passed(d):
        return str(d.keys()), str(d.values()), str(d.items())

    def empty():
        d = {}
        return str(d.keys()), len(d)

    for d in (
        {1: 2.5},
        {"a": [1]},
        {(1, "x"): {2}},
        OrderedDict(a=1),
        Counter("aab"),
        defaultdict(int, {3: 4}),
    ):
        assert njit(passed)(d) == passed(d)
    assert njit(empty)() == empty()


def test_views_are_printed(capfd):
    def use(d):
        print(d.keys(), d.values(), sep="|")
        print(d.items())

    njit(use)({1: "a", 2: "b"})
    assert (
        capfd.readouterr().out
        == "dict_keys([1, 2])|dict_values(['a', 'b'])\ndict_items([(1, 'a'), (2, 'b')])\n"
    )


def test_code_that_is_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("PYOPT_CACHE_DIR", str(tmp_path))
    for _ in range(2):
        assert njit(cache=True)(of_ints)(3) == of_ints(3)
