"""The containers of ``collections`` in compiled code, against CPython."""

import collections
from collections import Counter, OrderedDict, defaultdict, deque

import pytest
from differential.memory import growth

from pyopt import errors, njit


def queue(n):
    d = deque([1, 2, 3])
    d.appendleft(0)
    d.append(n)
    first, last = d.popleft(), d.pop()
    d.rotate(1)
    return d, first, last, len(d), d[0], d[-1], [x for x in d], 2 in d


def breadth_first(n):
    d = deque()
    d.append(0)
    seen = []
    while d:
        x = d.popleft()
        seen.append(x)
        for y in (2 * x + 1, 2 * x + 2):
            if y < n:
                d.append(y)
    return seen


def both_ends(n):
    d = deque()
    for i in range(n):
        if i % 3:
            d.append(i)
        else:
            d.appendleft(i)
    d.extendleft([1, 2])
    d.extend((7, 8))
    d.insert(1, 99)
    d.remove(8)
    d.reverse()
    d.rotate(-2)
    return d, d.count(1), d.index(99), sum(d), list(d), max(d)


def texts(n):
    d = deque()
    for i in range(n):
        d.append(str(i))
    del d[1]
    d[0] = "first"
    return d, "-".join(list(d))


def counted(n):
    c = Counter("abracadabra")
    c["z"] += n
    return c, c["a"], c["missing"], c.most_common(2), c.total(), len(c), "a" in c


def counted_words(n):
    c = Counter()
    for word in "a b a c a b".split():
        c[word] += 1
    c.update(["a", "d"])
    c.subtract(["b"])
    return dict(c.items()), sorted(c.elements())


def ints(n):
    d = defaultdict(int)
    for i in range(n):
        d[i % 3] += i
    return d, d[77], len(d), sorted(d)


def floats(n):
    d = defaultdict(float)
    d["a"] += 1.5
    d["b"] -= n
    return d, [(k, v) for k, v in d.items()]


def ordered(n):
    d = OrderedDict()
    for i in range(n):
        d[i] = i * 0.5
    d.move_to_end(0)
    d.move_to_end(2, last=False)
    return d, d.popitem(), list(d), [v for v in d.values()]


def recent(n):
    """Keep what was asked for last."""
    d, gone = OrderedDict(), []
    for i in range(5 * n):
        key = str(i * i % 7)
        if key in d:
            d.move_to_end(key)
        elif len(d) >= 3:
            gone.append(d.popitem(last=False))
        d[key] = i
    return d, gone


def lists(n):
    d = defaultdict(list)
    for i in range(n):
        d[i % 3].append((i, str(i)))
    return d, {key: max(value) for key, value in d.items()}, 7 in d, d[7], 7 in d, dict(d)


def sets(n):
    d = defaultdict(set)
    for i in range(n):
        d[i % 2, "x"].add(i % 5)
    a, b = d[0, "x"], d[1, "x"]
    return d, a | b, a & {1, 2}, a - b, a ^ b, a == b, a < {0, 1, 2, 3, 4}, sorted(a), a != {7}


def dicts(n):
    d = defaultdict(dict)
    for i in range(n):
        d[i % 3][i % 2] = d[i % 3].get(i % 2, 0) + i
    return d, [list(value.items()) for value in d.values()], dict(d)


def graph(n):
    d = defaultdict(list)
    for i in range(n):
        d[i] += [2 * i, 3 * i]
        d[2 * i].extend(d[i])
    seen, stack = set(), [1]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(d[node])
    kept = d[1]
    kept.append(-1)
    kept[0] = 5
    del d[0]
    both = kept + [4], kept * 2, [4] + kept, kept == [5, 3, -1], kept < [6], kept[1:], kept[::-1]
    return d, sorted(seen), both, d.pop(1), len(d), sum(kept), max(kept), "x" if not d[99] else "y"


def never_filled(n):
    d = defaultdict(list)
    return d, len(d), 1 in d


def bounded(n):
    d = deque(maxlen=3)
    for i in range(n):
        d.append(i)
    d.appendleft(-1)
    e = deque([1, 2, 3, 4], 2)
    e.extend([n, n + 1])
    e.extendleft([7])
    e.rotate(1)
    none = deque([1, 2], 0)
    none.append(3)
    none.appendleft(3)
    return d, e, none, d.maxlen, e.maxlen, len(none), deque([1]).maxlen is None


@pytest.mark.parametrize(
    "function",
    [
        *(queue, breadth_first, both_ends, texts, counted, counted_words, ints, floats, ordered, bounded),
        *(recent, lists, sets, dicts, graph, never_filled),
    ],
    ids=lambda function: function.__name__,
)
def test_like_cpython(function):
    compiled = njit(function)
    for n in (4, 5, 50):
        found, expected = compiled(n), function(n)
        assert found == expected
        first = expected[0] if isinstance(expected, tuple) else expected
        assert type(found[0] if isinstance(found, tuple) else found) is type(first)
        if type(first) is defaultdict:
            assert repr(found[0]) == repr(first)
        assert growth(lambda: compiled(n)) == 0


def test_the_classes_are_found_in_their_module():
    @njit
    def function():
        d = collections.deque()
        d.append(1.5)
        return d[0]

    assert function() == 1.5


@pytest.mark.parametrize("expression", ["d.pop()", "d.popleft()", "d[0]", "d[-1]"])
def test_empty_deques(expression):
    space = {"deque": deque}
    exec(f"def function():\n    d = deque([1])\n    d.pop()\n    return {expression}", space)
    with pytest.raises(IndexError):
        njit(space["function"])()


def test_what_is_refused_says_why():
    with pytest.raises(errors.TypingError, match="setdefault"):
        njit(lambda: len(defaultdict(tuple)))()
    with pytest.raises(errors.TypingError, match="isn't known"):
        njit(lambda: OrderedDict()[1])()

    with pytest.raises(errors.TypingError, match="isn't known"):
        njit(lambda: deque()[0])()


def test_an_unfilled_deque_keeps_its_greatest_length():
    assert njit(lambda: deque(maxlen=3))().maxlen == 3
    with pytest.raises(ValueError, match="non-negative"):
        njit(lambda n: deque([1], n))(-1)
    with pytest.raises(IndexError, match="maximum size"):
        njit(lambda: deque([1], 1).insert(0, 2))()


def grow(d):
    d.append(4)
    d.popleft()
    return len(d), d[0], d


def count(c):
    c["x"] += 2
    c["a"] -= 1
    del c["b"]
    return c.most_common(1)


def fill(d):
    d[5] += 1
    return d[7], len(d)


def gather(d):
    d["a"].append(4)
    d["new"] += [1, 2]
    return sum(len(value) for value in d.values()), d["a"][0], d


def join(d):
    d[7].add(9)
    return len(d), 2 in d[1], d


def nest(d):
    d[2][5] = 0.5
    return d, d[1][2]


def sums(d):
    return {key: sum(value) for key, value in d.items()}


def arrange(d):
    d.move_to_end(1)
    d[9] = 2
    return list(d)


@pytest.mark.parametrize(
    ("function", "argument"),
    [
        (grow, lambda: deque([1, 2, 3])),
        (grow, lambda: deque([1, 2], 2)),
        (count, lambda: Counter("abbccc")),
        (fill, lambda: defaultdict(int, {5: 1})),
        (gather, lambda: defaultdict(list, {"a": [1, 2], "b": [3]})),
        (join, lambda: defaultdict(set, {1: {2, 3}})),
        (nest, lambda: defaultdict(dict, {1: {2: 1.0}})),
        (sums, lambda: defaultdict(list, {"a": [1, 2], "b": [3]})),
        (arrange, lambda: OrderedDict([(1, 2), (3, 4)])),
    ],
)
def test_arguments_get_what_changes(function, argument):
    ours, theirs = argument(), argument()
    compiled = njit(function)
    assert compiled(ours) == function(theirs)
    assert ours == theirs
    assert type(ours) is type(theirs)
    assert getattr(ours, "maxlen", None) == getattr(theirs, "maxlen", None)
    assert growth(lambda: compiled(argument())) == 0


def test_one_argument_passed_twice_is_one_object():
    @njit
    def both(a, b):
        a.append(1)
        b.append(2)
        return len(a), len(b)

    d = deque([0])
    assert both(d, d) == (3, 3)
    assert d == deque([0, 1, 2])


def test_arguments_in_lists_and_before_errors():
    @njit
    def first(items):
        items[0].append(5)
        if len(items) > 2:
            raise ValueError("three")

    items = [deque([1]), deque([2])]
    first(items)
    assert items == [deque([1, 5]), deque([2])]
    with pytest.raises(ValueError, match="three"):
        first([*items, items[0]])
    assert items[0] == deque([1, 5, 5])


def test_arguments_whose_items_have_no_type():
    with pytest.raises(errors.TypingError, match="no implementation of getitem"):
        njit(lambda d: d[0])(deque([1, "a"]))
    for argument in (deque(), Counter()):
        with pytest.raises(errors.TypingError, match="what this .* holds isn't known|no implementation"):
            njit(lambda d: d[0])(argument)


def test_nothing_leaks():
    @njit
    def work(n):
        d = deque()
        for i in range(n):
            d.append(str(i))
        while len(d) > 3:
            d.popleft()
        return d, Counter("abca")

    assert growth(lambda: work(40)) == 0


@pytest.mark.parametrize(
    "passed",
    [
        deque(),
        deque(maxlen=3),
        Counter(),
        defaultdict(int),
        defaultdict(list),
        defaultdict(set),
        OrderedDict(),
    ],
    ids=repr,
)
def test_objects_without_items_are_asked(passed):
    def asked(items):
        count = 0
        for _ in items:
            count += 1
        return len(items), count, bool(items), not items, 3 in items, "a" in items, list(items), items

    got, expected = njit(asked)(passed), asked(passed)
    assert got == expected and repr(got) == repr(expected)
    assert growth(lambda: njit(lambda items: len(items))(passed)) == 0
    assert njit(lambda one, other: (len(one), len(other)))(passed, Counter("aab")) == (0, 2)

    def put(items):
        items.update({"a": 1})

    def append(items):
        items.append(1)

    with pytest.raises(
        errors.TypingError, match=f"what this {type(passed).__name__} holds isn't known|unknown"
    ):
        njit(append if type(passed) is deque else put)(passed)


def test_a_key_of_a_passed_defaultdict_without_items_is_refused():
    """What its factory makes would be put in, and what that holds isn't known."""
    for passed in (defaultdict(list), defaultdict(int)):
        with pytest.raises(errors.TypingError, match="what this defaultdict holds isn't known"):
            njit(lambda items: items[1])(passed)


@pytest.mark.parametrize("passed", [defaultdict(lambda: 7), deque([1, "a"]), Counter(a=1.5)])
def test_errors_say_why_only_the_class_is_known(passed):
    with pytest.raises(errors.TypingError) as raised:
        njit(lambda items: len(items))(passed)
    note = f"only the class of the collections.{type(passed).__name__} that is passed"
    assert any(note in one for one in raised.value.__notes__)
    assert njit(lambda items: isinstance(items, collections.deque))(passed) == isinstance(
        passed, collections.deque
    )
