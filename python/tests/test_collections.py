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


@pytest.mark.parametrize(
    "function",
    [queue, breadth_first, both_ends, texts, counted, counted_words, ints, floats, ordered],
    ids=lambda function: function.__name__,
)
def test_like_cpython(function):
    for n in (4, 5, 50):
        found, expected = njit(function)(n), function(n)
        assert found == expected
        first = expected[0] if isinstance(expected, tuple) else expected
        assert type(found[0] if isinstance(found, tuple) else found) is type(first)


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
    with pytest.raises(errors.TypingError, match="greatest length"):
        njit(lambda: len(deque([1], 3)))()
    with pytest.raises(errors.TypingError, match="setdefault"):
        njit(lambda: len(defaultdict(list)))()

    @njit
    def never_known():
        d = deque()
        return d.pop()

    with pytest.raises(errors.TypingError, match="isn't known"):
        never_known()


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
