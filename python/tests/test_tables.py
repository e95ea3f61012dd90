"""Dicts and sets in compiled code, against CPython."""

import copy
import random

import pytest
from differential.memory import growth

from pyopt import errors, njit


def literal():
    return {1: 2.5, 3: 4.5}


def missing():
    d = {1: 2}
    return d[5]


def count(a):
    d = {}
    for x in a:
        if x in d:
            d[x] += 1
        else:
            d[x] = 1
    return d


def pairs(n):
    d = {}
    for i in range(n):
        d[(i, i * 0.5)] = i
    return d, d[(3, 1.5)], (3, 1.0) in d


def views(n):
    d = {i: i * i for i in range(n)}
    s = 0
    for k, v in d.items():
        s += k * v
    for k in d:
        s -= k
    for v in d.values():
        s ^= v
    k = d.keys()
    d[-1] = 6
    return s, len(k), -1 in k, list(d.items()), list(d.values()), list(reversed(d))


def removals(n):
    d = {i: i * i for i in range(n)}
    for i in range(0, n, 3):
        del d[i]
    return d, d.pop(1), d.popitem(), d.get(4), d.get(3), d.get(3, -1), d.pop(99, 7)


def changed(d):
    d[10] = 5
    return len(d)


def grouped(a):
    d = {}
    for i in range(len(a)):
        d.setdefault(a[i], []).append(i)
    return d


def defaults_of_none(n):
    d = {}
    d.setdefault("a")
    first = d.setdefault("b", n)
    d["c"] = n
    return d["a"] is None, first, d.setdefault("b"), d.setdefault("d") is None, len(d)


def nested(n):
    d = {}
    for i in range(n):
        d[i] = {}
        for j in range(i):
            d[i][j] = i * j
    return d


def changed_in_loop():
    d = {1: 2}
    for k in d:
        d[k + 1] = 3
    return d


def items_once(a):
    s = set()
    for x in a:
        s.add(x)
    return s


def algebra(x, y):
    a = set(x)
    b = set(y)
    return sorted(a | b), sorted(a & b), sorted(a - b), sorted(a ^ b), a < b, b <= a, a == b, 3 in a


def float_keys():
    d = {0.0: 1, float("nan"): 2}
    d[-0.0] = 5
    d[float("nan")] = 3
    return len(d), d[0.0], float("nan") in d


def equal(d, e):
    return d == e, d != e


CASES = [
    (literal,),
    (missing,),
    (count, [3, 1, 3, 3, -5, 1]),
    (count, [0.5, 1.5, 0.5]),
    (pairs, 10),
    (views, 100),
    (removals, 20),
    (changed, {1: 2}),
    (grouped, [1, 2, 1, 3]),
    (defaults_of_none, 4),
    (nested, 4),
    (changed_in_loop,),
    (items_once, [3, 1, 3, 2]),
    (algebra, [1, 2, 3, 4], [3, 4, 5]),
    (algebra, list(range(0, 3000, 3)), list(range(0, 3000, 5))),
    (float_keys,),
    (equal, {1: 2, 3: 4}, {3: 4, 1: 2}),
    (equal, {1: 2, 3: 4}, {3: 4, 1: 5}),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_a_function_does_what_cpython_does(case):
    function, *given = case
    expected = copy.deepcopy(given)
    try:
        want = function(*expected)
    except Exception as error:
        want = error
    try:
        got = njit(function)(*given)
    except Exception as error:
        got = error
    assert repr(got) == repr(want)
    assert given == expected


def operations(seed, n):
    """Put in, take out and look up what a generator of numbers says."""
    d = {}
    s = set()
    found = 0
    x = seed
    for _ in range(n):
        x = (x * 1103515245 + 12345) % 2147483648
        key = x // 65536 % 97 - 48
        what = x // 7 % 5
        if what < 2:
            d[key * 1024] = x
            s.add(key)
        elif what == 2:
            if key * 1024 in d:
                del d[key * 1024]
            s.discard(key)
        elif what == 3:
            found += d.get(key * 1024, 1)
        elif d:
            found += d.popitem()[1]
    return d, sorted(s), found


def test_random_operations_do_what_cpython_does():
    compiled = njit(operations)
    for _ in range(200):
        seed, n = random.randrange(1 << 31), random.choice([5, 50, 1000])
        got, want = compiled(seed, n), operations(seed, n)
        assert got == want and list(got[0]) == list(want[0])


def test_nothing_leaks():
    functions = [(njit(function), given) for function, *given in CASES if function is not missing]

    def run():
        for function, given in functions:
            try:
                function(*copy.deepcopy(given))
            except RuntimeError:
                pass

    run()
    assert growth(run) == 0


def test_a_dict_that_is_passed_twice_is_one():
    @njit
    def both(d, e):
        d[1] = 10
        return e[1]

    d = {1: 2}
    assert both(d, d) == 10 and d == {1: 10}


def test_a_dict_is_made_with_the_types_of_what_a_callee_puts_in():
    @njit
    def fill(d):
        d[1] = 0.5

    @njit
    def made():
        d = {}
        fill(d)
        return d

    assert made() == {1: 0.5}


def test_an_unhashable_key_is_refused():
    @njit
    def keyed(d):
        return [1] in d

    with pytest.raises(errors.TypingError):
        keyed({1: 2})


def test_values_without_a_common_type_are_refused():
    @njit
    def mixed():
        d = {}
        d[1] = 2
        d[2] = (1, 2)
        return d

    with pytest.raises(errors.TypingError, match="its values are int64"):
        mixed()


def test_dicts_of_names_and_keys():
    def made(n):
        one = dict(a=1, b=n)
        two = dict({"a": 5}, c=n)
        three = dict.fromkeys([1, 2, n], 0.5)
        four = {1: None, 2: n}
        five = dict.fromkeys("ab")
        return one, two, three, four, four[2], five, len(dict())

    for n in (1, 7):
        assert njit(made)(n) == made(n)


def record(n, x):
    options = {"size": n, "step": x, "flag": n > 2, "wave": 2j}
    total = 0.0
    for _ in range(options["size"]):
        total += options["step"]
    return options["size"], total, options["flag"], options["wave"], [5, 6, 7, 8][options["size"] - 1]


def grown_record(n, x):
    # What is put in later, or asked for by another key, is in a dict of one type.
    options = {"size": n, "step": x}
    options["more"] = 1.5
    return sorted(options.items())


def test_items_that_are_asked_for_by_constant_keys_have_types_of_their_own():
    for n in (1, 3):
        assert repr(njit(record)(n, 0.5)) == repr(record(n, 0.5))
    assert njit(lambda n: {"big": n, "small": 0.5}["big"])(2**53 + 1) == 2**53 + 1
    assert njit(grown_record)(2, 0.5) == grown_record(2, 0.5)


def test_values_that_may_be_none():
    """A dict or list that holds nothing yet, or has None already, may get None among its items."""

    def fill(n):
        made, names, items = {}, {}, [None] * n
        for i in range(n):
            half = i / 2 if i % 2 else None
            made[i] = half
            names[str(i)] = "odd" if i % 2 else None
            items[i] = half
        return made, names, items, [key for key, value in made.items() if value is None]

    for n in (1, 5):
        assert njit(fill)(n) == fill(n)

    @njit
    def into(table, value):
        table[1] = value if value > 0 else None
        return table

    with pytest.raises(TypeError, match="expected float64, got None"):
        into({0: 1.5}, -1.0)


def copies_that_change(n, removed):
    """Copies of a dict and a set with and without holes, which grow and shrink by themselves."""
    d = {}
    s = set()
    for i in range(n):
        d["k" + str(i)] = [i]
        s.add("k" + str(i))
    for i in range(0, removed, 2):
        del d["k" + str(i)]
        s.remove("k" + str(i))
    other, more = d.copy(), s | {"k1"}
    for i in range(n, 2 * n + 3):
        other["k" + str(i)] = [i]
        more.add("k" + str(i))
    for i in range(0, n, 3):
        other.pop("k" + str(i), [0])
        more.discard("k" + str(i))
        d["k" + str(i)] = [-i]
    found = [0]
    for key, value in d.items():
        found.append(len(key) + value[0])
    for key, value in other.items():
        found.append(len(key) * 1000 + value[0])
    for i in range(2 * n + 3):
        found.append(int("k" + str(i) in s) + 2 * int("k" + str(i) in more) + 4 * int("k" + str(i) in other))
    return found, len(d), len(other), len(s), len(more)


def test_copies_are_tables_of_their_own():
    compiled = njit(copies_that_change)
    for n in (0, 1, 7, 8, 9, 15, 16, 17, 100, 1000):
        for removed in (0, n // 2, n):
            assert compiled(n, removed) == copies_that_change(n, removed), (n, removed)
    assert growth(lambda: compiled(100, 50)) == 0


def test_a_difference_with_itself_is_empty():
    @njit
    def emptied(n):
        s = set(range(n))
        t = s.copy()
        s.difference_update(s)
        t -= t
        return len(s), len(t), s.issubset(t), len(s ^ s)

    assert emptied(10) == (0, 0, True, 0)


def test_items_that_are_known_late_widen_nothing():
    def pairs(numbers, words):
        numbers = [x * y for x in numbers[:4] for y in numbers[-2:]]
        return numbers, sorted(dict(zip(words, numbers)).items())

    given = [1, 2, 3], ["a", "b", "c"]
    assert njit(pairs)(*given) == pairs(*given)


def test_dicts_are_updated_by_keywords():
    def update():
        d = {"a": 1}
        d.update(b=2, a=3)
        d.update([("c", 4)], d=5)
        d.update()
        return d

    assert njit(update)() == update()


def test_views_go_backwards():
    def backwards():
        d = {1: "a", 2: "b", 3: "c"}
        del d[2]
        return list(reversed(d.keys())), list(reversed(d.values())), list(reversed(d.items()))

    assert njit(backwards)() == backwards()


def test_nothing_is_taken_out_of_what_is_never_filled():
    @njit
    def of_dict():
        return {}.popitem()

    @njit
    def of_set():
        return set().pop()

    for function, text in ((of_dict, "dictionary is empty"), (of_set, "pop from an empty set")):
        with pytest.raises(KeyError, match=text):
            function()


@pytest.mark.parametrize("part", ["table", "table.values()", "table.items()"])
@pytest.mark.parametrize(
    "change", ["table[count] = 1", "del table[2]", "table[1] = 7", "table[count] = table.pop(1)"]
)
def test_changes_during_a_loop_over_a_dict(part, change):
    """Keys that are more, less or others are errors, new values aren't."""
    space = {}
    lines = (
        "def changing():",
        " table, count = {1: 1, 2: 2, 3: 3}, 10",
        f" for _ in {part}:",
        "  count += 1",
    )
    exec("\n".join([*lines, f"  {change}", " return table"]), space)

    def outcome(function):
        try:
            return function()
        except (RuntimeError, KeyError) as error:
            return type(error), str(error)

    assert outcome(njit(space["changing"])) == outcome(space["changing"])
