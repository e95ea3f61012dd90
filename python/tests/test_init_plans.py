"""Classes whose ``__init__`` does more than to store fields: calls of methods, uses of the instance."""

from collections import Counter, OrderedDict, defaultdict, deque

import pytest

from pyopt import njit
from pyopt.errors import TypingError


class Base:
    LIMIT = 3

    def __init__(self, n):
        self.n = n


class Resets:
    SIZE = 4

    def __init__(self, n, label="x"):
        self.n = n
        self.label = label
        self.reset()
        self.area = self._area(2)
        if n > 2:
            self.grow(n)

    def reset(self):
        self.count = 0
        self.items: list[int] = []

    def _area(self, k):
        return self.n * k * self.SIZE

    def grow(self, k):
        for i in range(k):
            self.items.append(i)
            self.count += 1


class Early:
    def __init__(self, n):
        self.n = n
        self.twice()
        self.m = n

    def twice(self):
        self.n *= 2


class Derived(Base):
    def __init__(self, n, m):
        super().__init__(n)
        self.m = m
        self.total = 0
        self.bump(by=self.LIMIT)

    def bump(self, by=1):
        self.total += self.n + self.m + by


class Registry:
    def __init__(self, names):
        self.seen: dict[str, int] = {}
        for name in names:
            self.register(name)
        if len(names) > 2:
            return
        self.register("end")

    def register(self, name):
        self.seen[name] = len(self.seen)


class Child:
    def __init__(self, v: int, parent: "Child" = None):
        self.v = v
        self.parent = parent
        self.children: list[Child] = []
        if parent is not None:
            parent.children.append(self)


class Checked:
    KINDS = ("a", "b")

    def __init__(self, kind, n):
        self.kind = self.valid(kind)
        self.n = n
        if self.n < 0:
            raise ValueError(f"{self.kind}: {self.n}")

    @staticmethod
    def valid(kind):
        if kind not in Checked.KINDS:
            raise KeyError(kind)
        return kind


class Collections:
    def __init__(self, most):
        self.recent: deque[int] = deque(maxlen=3)
        self.counts: Counter[str] = Counter()
        self.groups: defaultdict[int, list[str]] = defaultdict(list)
        self.order: OrderedDict[str, int] = OrderedDict()
        self.most = most

    def add(self, word):
        self.recent.append(len(word))
        self.counts[word] += 1
        self.groups[len(word)].append(word)
        self.order[word] = len(self.order)
        self.order.move_to_end(word, last=False)
        if len(self.order) > self.most:
            self.order.popitem()


def resets(n):
    a = Resets(n)
    a.grow(2)
    a.reset()
    b = Resets(n, "y")
    return a.n, a.area, a.count, a.items, b.items, b.label, b.count


def early(n):
    made = Early(n)
    return made.n, made.m


def derived(n):
    return Derived(n, 2).total


def registry(n):
    return list(Registry(["a", "b", "c"][:n]).seen.items())


def children(n):
    parent = Child(1)
    made = [Child(at, parent) for at in range(n)]
    return (
        len(parent.children),
        sum(one.v for one in parent.children),
        all(one.parent is parent for one in made),
    )


def checked(n):
    try:
        return str(Checked("a" if n < 3 else "c", n - 2).n)
    except (ValueError, KeyError) as error:
        return str(error)


def collections(n):
    c = Collections(3)
    for word in ["x", "yy", "x", "zzz", "w", "yy"][: n + 2]:
        c.add(word)
    return list(c.recent), c.counts.most_common(1), c.groups[1], list(c.order.items())


@pytest.mark.parametrize(
    "program",
    [resets, derived, early, registry, children, checked, collections],
    ids=lambda one: one.__name__,
)
def test_programs(program):
    compiled = njit(program)
    for n in range(5):
        assert repr(compiled(n)) == repr(program(n))


class Late:
    def __init__(self, all):
        all.append(self)
        self.n = 0


class Abstract(Base):
    @property
    def half(self):
        return self.n / 2

    def __init__(self, n):
        self.m = self.half
        super().__init__(n)


class Holder:
    def __init__(self, items: list[str]):
        self.items = items


def test_refusals():
    def refused(function):
        with pytest.raises(TypingError) as raised:
            njit(function)()
        return str(raised.value)

    assert "the __init__ of Late uses 'self' before it stores 'n'" in refused(lambda: Late([1]).n)
    assert "the __init__ of Abstract uses 'self' before it stores 'm'" in refused(lambda: Abstract(1).m)

    def named():
        items = []
        made = Holder(items)
        made.items.append("a")
        return len(items)

    assert "nothing is put into this container by its own name" in refused(named)
    assert njit(lambda: len(Holder([]).items))() == 0
