"""Keys that are looked up once, and tables that change between two lookups."""

import pytest
from differential.memory import growth

from pyopt import njit, typed


def counted(d, keys):
    for k in keys:
        if k in d:
            d[k] += 1
        else:
            d[k] = 1
    return sorted(d.items())


def counted_by_get(d, keys):
    for k in keys:
        d[k] = d.get(k, 0) + d.get(k, 1)
    return sorted(d.items())


def taken_out_between(d, keys):
    found = []
    for k in keys:
        if k in d:
            found.append(d[k])
            del d[k]
            found.append(d.get(k, -1))
            found.append(1 if k in d else 0)
            d[k] = 5
            found.append(d.pop(k))
            found.append(d.setdefault(k, 7))
    return found, sorted(d.items())


def cleared_between(d, keys):
    k = keys[0]
    d[k] = 3
    before = d[k], k in d
    d.clear()
    after = k in d, d.get(k, -1)
    for other in keys:
        d[other] = d.get(k, 2)
    return before, after, d[k], sorted(d.items())


@njit
def change(d, k):
    d.pop(k, 0)


def changed_by_a_function(d, keys):
    k = keys[-1]
    d[k] = 1
    first = d[k]
    change(d, k)
    return first, k in d, d.get(k, -1)


def changed_by_another_name(d, keys):
    k = keys[0]
    tables = [d]
    d[k] = 1
    first = k in d
    tables[0].pop(k)
    second = k in d
    tables.append({k: 9})
    tables[1][k] += 1
    return first, second, tables[1][k], k in d


def grown_between(d, keys):
    k = keys[0]
    d[k] = 1
    total = d[k]
    for n in range(100):
        total += d[k]
        d[keys[n % len(keys)]] = n
        total += d[k]
    return total, sorted(d.items())


def in_a_loop(d, keys):
    k = keys[0]
    d[k] = 0
    seen = 0
    while k in d and d[k] < 5:
        d[k] += 1
        seen += d[k]
        if d[k] == 4:
            d.pop(k)
    return seen, k in d


def caught(d, keys):
    found = []
    for k in keys:
        try:
            found.append(d[k])
            d.pop(k)
            found.append(d[k])
        except KeyError:
            found.append(-1)
            d[k] = 2
        found.append(d[k])
    return found


def items_of_a_set(d, keys):
    s = set(d)
    found = []
    for k in keys:
        if k not in s:
            s.add(k)
            found.append(k in s)
        else:
            s.discard(k)
            found.append(k in s)
            s.add(k)
            s.remove(k)
            found.append(k in s)
    return found, sorted(s)


PROGRAMS = [
    counted,
    counted_by_get,
    taken_out_between,
    cleared_between,
    changed_by_a_function,
    changed_by_another_name,
    grown_between,
    in_a_loop,
    caught,
    items_of_a_set,
]

ARGUMENTS = [
    ({1: 2, 5: 6}, [1, 5, 9, 1, 1, -3, 5]),
    ({"a": 2, "bc": 6}, ["a", "€", "bc", "a", "", "🐍"]),
    ({0.0: 2, 2.5: 6}, [-0.0, 0.0, 2.5, 1e300, 2.5]),
    ({(1, "a"): 2, (2, "b"): 6}, [(1, "a"), (1, "b"), (2, "b"), (1, "a")]),
    ({b"x": 1, b"": 2}, [b"", b"x", b"y", b"x"]),
    ({True: 1, False: 3}, [True, False, True]),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs(program):
    compiled = njit(program)
    for table, keys in ARGUMENTS:
        mine, theirs = dict(table), dict(table)
        assert compiled(mine, keys) == program(theirs, keys)
        assert mine == theirs


def test_one_table_by_two_parameters():
    compiled = njit(lambda d, e, k: (k in d, e.pop(k, 0), k in d))
    table = {"a": 1, "b": 2}
    assert compiled(table, table, "a") == (True, 1, False)
    mine = typed.Dict()
    mine["a"] = 1
    assert compiled(mine, mine, "a") == (True, 1, False)


def test_lookups_of_other_types_of_keys():
    compiled = njit(lambda d, x: (x in d, d.get(x, -1.0), x in d))
    assert compiled({1: 2.0, 3: 4.0}, 3.0) == (True, 4.0, True)
    assert compiled({1: 2.0, 3: 4.0}, 3.5) == (False, -1.0, False)


def test_a_missing_key_is_told():
    compiled = njit(lambda d, k: d[k] if k not in d else 0)
    with pytest.raises(KeyError, match="zz"):
        compiled({"a": 1}, "zz")


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_nothing_leaks(program):
    compiled = njit(program)
    table, keys = ARGUMENTS[1]
    assert growth(lambda: compiled(dict(table), keys)) == 0
