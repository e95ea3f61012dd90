"""``defaultdict`` with factories that are lambdas and functions; equality of dicts of classes."""

from collections import Counter, OrderedDict, defaultdict

import pytest

from pyopt import errors, njit


def seven():
    return 7


@njit
def compiled_pair():
    return [1.5, 2.5]


def ints(n):
    d = defaultdict(lambda: 0)
    for i in range(n):
        d[i % 3] += i
    return d, d[77], len(d), 5 in d, sorted(d)


def other_numbers(n):
    d = defaultdict(lambda: -1.5)
    flags = defaultdict(lambda: True)
    flags[n] = False
    return d[n], d, flags[n], flags[n + 1], flags


def lists(n):
    d = defaultdict(lambda: [0, 0])
    for i in range(n):
        d[i % 3][i % 2] += i
        d[i].append(i)
    return d, d[100], [(key, sum(value)) for key, value in d.items()]


def empty(n):
    d = defaultdict(lambda: [])
    e = defaultdict(lambda: {})
    f = defaultdict(lambda: set())
    for i in range(n):
        d[i % 2].append(str(i))
        e[i % 2][i] = 1
        f[i % 2].add(i % 5)
    return d, e, f, len(d[7])


def texts(n):
    d = defaultdict(lambda: "<")
    for i in range(n):
        d[str(i % 2)] += str(i)
    return d, d["none"]


def counters_of_the_class(n):
    d = defaultdict(Counter)
    e = defaultdict(OrderedDict)
    for i in range(n):
        d[i % 2][str(i % 3)] += 1
        d[i % 2].update("ab")
        e[i % 2][i] = -i
    return d, e, d[7]["none"], d[0].most_common(1), len(d)


def tuples(n):
    d = defaultdict(lambda: (0, "none"))
    for i in range(n):
        count, _ = d[i % 2]
        d[i % 2] = (count + 1, str(i))
    return d, d[9]


def sets_and_dicts(n):
    d = defaultdict(lambda: {1, 2})
    e = defaultdict(lambda: {"a": 1.0})
    d[0].add(n)
    e[0]["b"] = n / 2
    return d, e, d[5], e[5]


def nested(n):
    d = defaultdict(lambda: defaultdict(int))
    for i in range(n):
        d[i % 3][i % 2] += i
    return d, d[7], [(key, dict(value)) for key, value in d.items()]


def counters(n):
    d = defaultdict(lambda: Counter())
    for i in range(n):
        d[i % 3][str(i % 2)] += 1
    return d, len(d)


def functions(n):
    d = defaultdict(seven)
    e = defaultdict(compiled_pair)
    d[n] += 1
    e[n][0] = n
    return d, e, d[0], e[0]


def several(n):
    a = defaultdict(lambda: 1)
    b = defaultdict(lambda: 2)
    a[n] += b[n]
    b[n] += a[n + 1]
    return dict(a), dict(b), a == b, a != b


def calls(n):
    def made():
        return [n_items for n_items in range(3)]

    d = defaultdict(made)
    d[n].append(9)
    return d[n], d[n + 1]


def never_filled(n):
    d = defaultdict(lambda: 3)
    return len(d), d


FUNCTIONS = [
    ints,
    other_numbers,
    lists,
    empty,
    texts,
    counters_of_the_class,
    tuples,
    sets_and_dicts,
    nested,
    counters,
    functions,
    several,
    calls,
    never_filled,
]


def plain(found):
    """Give what is in dicts of any class, to be compared with their order."""
    if isinstance(found, dict):
        return type(found), [(key, plain(value)) for key, value in found.items()]
    return [plain(one) for one in found] if isinstance(found, (list, tuple)) else found


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("n", [0, 1, 12])
def test_factories(function, n):
    assert plain(njit(function)(n)) == plain(function(n))


def test_what_is_returned_has_the_factory():
    for made in (njit(ints)(3)[0], njit(never_filled)(0)[1]):
        assert made["new"] == made.default_factory() and "new" in made
    assert njit(lists)(0)[0]["x"] == [0, 0]
    assert njit(lambda: defaultdict(seven))().default_factory is seven
    a, b = njit(lists)(0)[0], njit(lists)(0)[0]
    a[0].append(1)
    assert b[0] == a[1] == [0, 0]


def test_factories_that_python_cannot_have():
    def with_parameter(n):
        d = defaultdict(lambda x=3: x)
        d[n] += 1
        return d

    with pytest.raises(TypeError, match="can't be returned"):
        njit(with_parameter)(1)

    def maker_of(value):
        def made():
            return value

        return made, njit(lambda: defaultdict(made)), njit(lambda: defaultdict(made)[0])

    first, second = maker_of(1), maker_of(2)
    assert first[1]().default_factory is first[0]
    assert (first[2](), second[2]()) == (1, 2)
    # Two functions of one name, of which it isn't known which one was compiled.
    with pytest.raises(TypeError, match="can't be returned"):
        second[1]()


def test_a_factory_that_prints_is_called_as_often_as_by_python(capfd):
    def loud():
        print("made")
        return 0

    def use():
        d = defaultdict(loud)
        d[1] += 1
        d[1] += 1
        return d[2]

    assert njit(use)() == 0
    assert capfd.readouterr().out == "made\n" * 2


def with_variable(n):
    d = defaultdict(lambda: n)
    return d[0]


def of_none():
    return defaultdict(lambda: None)[0]


def of_floats():
    d = defaultdict(lambda: 0)
    d[0] += 0.5
    return d[0]


def test_what_is_refused():
    with pytest.raises(errors.TypingError, match="uses variables of another function"):
        njit(with_variable)(3)
    with pytest.raises(errors.TypingError, match="not none, which its factory makes"):
        njit(of_none)()
    with pytest.raises(errors.TypingError, match="cannot safely cast float64 to int64"):
        njit(of_floats)()
    with pytest.raises(errors.TypingError):
        njit(lambda: defaultdict(lambda x: x)[0])()


def test_code_that_is_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("PYOPT_CACHE_DIR", str(tmp_path))
    for _ in range(2):
        assert plain(njit(cache=True)(lists)(5)) == plain(lists(5))


def equalities(n):
    d = defaultdict(int)
    e = defaultdict(lambda: 3)
    o = OrderedDict()
    p = OrderedDict()
    c = Counter()
    f = {}
    for i in range(n):
        d[i] = e[i] = o[i] = c[i] = f[i] = i
        p[n - 1 - i] = n - 1 - i
    c[n] = 0
    plain = d == f, f == d, d == o, o == f, c == f, d == c, d != f, f != o, d == e
    return plain, o == p, o != p, o == o, p == f, c == Counter(f), c != Counter(f)


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_dicts_of_any_class_are_equal_by_what_they_hold(n):
    if n:
        assert njit(equalities)(n) == equalities(n)

    def passed(a, b):
        return a == b, a != b, a == {1: 2}, {1: 2} == a

    for a in (defaultdict(int, {1: 2}), Counter({1: 2}), OrderedDict({1: 2})):
        for b in (defaultdict(int, {1: 2}), Counter({1: 2}), OrderedDict({1: 2}), {1: 2}, {1: 3}):
            assert njit(passed)(a, b) == passed(a, b)
