"""Dataclasses whose fields compiled code assigns: instances that all their names share, against CPython."""

import copy
import subprocess
import sys
from collections import Counter, defaultdict, deque
from dataclasses import asdict, astuple, dataclass, field, replace
from enum import Enum
from typing import Optional

import pytest
from differential.memory import growth

from pyopt import njit
from pyopt.errors import TypingError


@dataclass
class Point:
    x: int
    y: int = 0

    def move(self, dx, dy):
        self.x += dx
        self.y += dy
        return self

    @property
    def total(self):
        return self.x + self.y

    @classmethod
    def origin(cls):
        return cls(0, 0)


ORIGIN = Point(0, 0)


def assigned():
    p = Point(1, 2)
    p.x += 1
    p.x, p.y = p.y, p.x
    return p.x, p.y, p


def shared():
    p = Point(1)
    q = p
    q.y = 7
    return p.y, p == q, p is q, p == Point(1, 7), p is Point(1, 7), p != Point(0, 0), p == ORIGIN


def in_lists():
    ps = [Point(i * 7 % 5, i) for i in range(5)]
    for p in ps:
        p.x *= 2
    ps.sort(key=lambda p: p.x)
    ps[0].y = 100
    twice = [ps[0]] * 2
    twice[0].x = 9
    found = max(ps, key=lambda p: p.y)
    ps.remove(Point(4, 1))
    return ps, found, ps.index(Point(8, 2)), Point(9, 9) in ps, twice[0] is twice[1]


def in_dicts():
    d = {}
    for i in range(7):
        if i % 3 not in d:
            d[i % 3] = Point(0)
        d[i % 3].x += i
    for key, p in d.items():
        p.y = key
    for p in d.values():
        p.move(1, 1)
    return d


def in_collections():
    queue = deque([Point(1), Point(2)])
    queue[0].x = 4
    queue.append(queue.popleft())
    made = defaultdict(lambda: Point(0))
    made["a"].x += 1
    return [p.x for p in queue], made["a"]


def members():
    p = Point(1, 2).move(3, 4).move(1, 1)
    return p, p.total, Point.origin(), isinstance(p, Point)


def functions_of_dataclasses():
    p = Point(1)
    p.x = 2
    q = copy.copy(p)
    q.x = 5
    r = replace(p, y=3)
    return p, q, r, asdict(r), astuple(q)


def matched():
    p = Point(1, 2)
    p.x = 5
    match p:
        case Point(5, y=v):
            return v
        case _:
            return 0


def best():
    found = None
    for i in range(5):
        p = Point(i * 3 % 7)
        p.y = i
        if found is None or p.x > found.x:
            found = p
    return found


def changed_by_closures():
    p = Point(1)

    def inner(by):
        p.x += by

    inner(5)
    inner(6)
    return p.x


@dataclass
class Account:
    owner: str
    balance: float = 0.0
    history: list[str] = field(default_factory=list)

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("bad amount")
        self.balance += amount
        self.history.append(f"+{amount}")

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError(f"insufficient: {self.balance}")
        self.balance -= amount
        self.history.append(f"-{amount}")


def transfer(amount):
    one, other = Account("ann"), Account("bob", 5.0)
    one.deposit(10.5)
    one.withdraw(amount)
    other.deposit(amount)
    return one, other


def bank():
    accounts = {name: Account(name) for name in ["x", "€"]}
    accounts["x"].balance += 4
    accounts["€"].history.append("z")
    return sorted((a.owner, a.balance, len(a.history)) for a in accounts.values())


@dataclass
class Node:
    value: int
    next: Optional["Node"] = None  # noqa: UP045


def reversed_chain():
    head = None
    for i in range(5):
        head = Node(i, head)
    before, node = None, head
    while node is not None:
        following = node.next
        node.next = before
        before, node = node, following
    return before


@dataclass
class Tree:
    key: int
    left: "Tree | None" = None
    right: "Tree | None" = None


def searched():
    root = Tree(5)
    for key in [2, 8, 1, 9, 3]:
        t = root
        while True:
            if key < t.key:
                if t.left is None:
                    t.left = Tree(key)
                    break
                t = t.left
            else:
                if t.right is None:
                    t.right = Tree(key)
                    break
                t = t.right
    out, stack, node = [], [], root
    while stack or node is not None:
        while node is not None:
            stack.append(node)
            node = node.left
        node = stack.pop()
        out.append(node.key)
        node = node.right
    return out, root


@dataclass
class Folder:
    name: str
    children: list["Folder"] = field(default_factory=list)
    by_name: dict[str, "Folder"] = field(default_factory=dict)
    size: int = 0

    def add(self, child):
        self.children.append(child)
        self.by_name[child.name] = child
        self.size += 1
        return child


def folders():
    root = Folder("r")
    root.add(Folder("a")).add(Folder("b"))
    root.by_name["a"].size = 42
    stack, names = [root], []
    while stack:
        folder = stack.pop()
        names.append((folder.name, folder.size))
        stack.extend(folder.children)
    return names, root


@dataclass
class Graph:
    edges: dict[str, dict[str, int]] = field(default_factory=dict)
    rows: list[list[str]] = field(default_factory=list)
    tags: dict[str, set[str]] = field(default_factory=dict)
    count: int = 0

    def add(self, a, b, weight):
        if a not in self.edges:
            self.edges[a] = {}
        self.edges[a][b] = weight
        self.edges.setdefault(b, {})[a] = weight
        self.count += 1


def containers_in_containers():
    g = Graph()
    g.add("a", "b", 1)
    g.add("b", "c", 2)
    g.rows.append([])
    g.rows[-1] += ["y", "z"]
    g.tags["k"] = set()
    g.tags["k"].add("q")
    g.tags.setdefault("z", set()).update(["r", "s"])
    return (
        g,
        sorted(g.tags["z"]),
        "-".join(g.rows[0]),
        [len(row) for row in g.edges.values()],
        "y" in g.rows[0],
    )


class Color(Enum):
    RED = 1
    BLUE = 2


@dataclass
class Car:
    color: Color
    place: tuple[int, int] = (0, 0)
    tags: set[str] = field(default_factory=set)
    grid: list[list[int]] = field(default_factory=list)
    data: list[float] = field(default_factory=list)


def of_many_types():
    car = Car(Color.RED)
    car.color = Color.BLUE
    car.place = (3, car.place[1] + 1)
    car.tags.add("q")
    car.grid.append([1, 2])
    car.grid[0].append(3)
    car.data = [0.5] * 3
    return car


def lists_are_shared():
    items = [[1, 2]]
    car = Car(Color.RED, grid=items)
    items.append([3])
    car.grid[0].append(4)
    car.place = (len(car.grid), 0)
    return items, car


@dataclass
class Rectangle:
    width: float
    height: float
    area: float = field(init=False)

    def __post_init__(self):
        self.area = self.width * self.height

    def scale(self, by):
        self.width *= by
        self.height *= by
        self.area = self.width * self.height


def scaled():
    r = Rectangle(2.0, 3.0)
    r.scale(2.0)
    return r


@dataclass(order=True)
class Task:
    priority: int
    name: str = field(compare=False)
    done: bool = False


def ordered():
    tasks = sorted([Task(3, "c"), Task(1, "a"), Task(2, "b")])
    tasks[0].done = True
    return tasks, Task(1, "a") < Task(2, "b"), min(tasks).name


@dataclass
class Stack:
    items: list[int] = field(default_factory=list)
    top: int = -1

    def push(self, x):
        self.items.append(x)
        self.top = x

    def __len__(self):
        return len(self.items)

    def __getitem__(self, at):
        return self.items[at]

    def __iadd__(self, x):
        self.push(x)
        return self


def with_operators():
    s = Stack()
    s.push(1)
    s += 2
    return len(s), s[0], s.top, bool(s), bool(Stack())


@dataclass
class Base:
    a: int

    def grow(self):
        self.a += 1


@dataclass
class Derived(Base):
    b: int = 5

    def grow(self):
        super().grow()
        self.b += self.a


def derived():
    d = Derived(1)
    d.grow()
    d.grow()
    return d, isinstance(d, Base)


@dataclass(slots=True)
class Slots:
    a: int
    b: str = field(default="q", kw_only=True)
    n: int = field(init=False, default=0)


def slots():
    s = Slots(1)
    s.b += "z"
    try:
        s.n -= 1
        if s.a == 1:
            raise ValueError("neg")
    except ValueError as error:
        s.b = str(error)
    return s, Slots(4, b="€")


PROGRAMS = [
    assigned,
    shared,
    in_lists,
    in_dicts,
    in_collections,
    members,
    functions_of_dataclasses,
    matched,
    best,
    changed_by_closures,
    bank,
    reversed_chain,
    searched,
    folders,
    containers_in_containers,
    of_many_types,
    lists_are_shared,
    scaled,
    ordered,
    with_operators,
    derived,
    slots,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs(program):
    compiled = njit(program)
    for _ in range(2):
        assert repr(compiled()) == repr(program())
    assert growth(compiled) == 0


@pytest.mark.parametrize("amount", [3.0, 100.0, -1.0])
def test_exceptions_leave_methods(amount):
    def outcome(function):
        try:
            return repr(function(amount))
        except ValueError as error:
            return str(error)

    compiled = njit(transfer)
    assert outcome(compiled) == outcome(transfer)
    assert growth(lambda: outcome(compiled)) == 0


def test_what_is_returned_is_made_once():
    def cycle():
        one, other = Node(1), Node(2)
        one.next, other.next = other, one
        return one

    made = njit(cycle)()
    assert made.next.next is made and (made.value, made.next.value) == (1, 2)


def test_long_chains():
    def chain(n):
        head = Node(0)
        for i in range(1, n):
            head = Node(i, head)
            head.value += 1
        return head

    node, count = njit(chain)(20000), 0
    while node is not None:
        node, count = node.next, count + 1
    assert count == 20000


def test_instances_of_callees_are_shared():
    @dataclass
    class Counter:
        n: int

    @njit
    def make(n):
        return Counter(n)

    assert make(3) == Counter(3)

    @njit
    def bump(counter):
        counter.n += 1

    @njit
    def count():
        counter = make(1)
        bump(counter)
        bump(counter)
        return counter

    assert count() == Counter(3)
    # Others have values, as before.
    assert make(5) == Counter(5)


def test_methods_that_nobody_calls_assign_nothing():
    @dataclass
    class Unused:
        x: int

        def grow(self):
            self.x += 1

    def joined(ones):
        found = [one for one in ones]
        found.append(Unused(3))
        return [one.x for one in found]

    # What is passed is a value, and so is what is made here.
    assert njit(joined)([Unused(1)]) == [1, 3]

    def grown():
        one = Unused(1)
        one.grow()
        return one.x

    assert njit(grown)() == 2


class Bank:
    def __init__(self):
        self.accounts: dict[str, Account] = {}

    def open(self, name):
        self.accounts[name] = Account(name)

    def pay(self, name, amount):
        self.accounts[name].deposit(amount)


def test_methods_of_other_classes_assign():
    def paid():
        bank = Bank()
        bank.open("x")
        bank.pay("x", 2.5)
        one = Account("y")
        one.deposit(1.0)
        bank.accounts["y"] = one
        return bank.accounts["x"].balance, one.balance

    assert njit(paid)() == paid()


def refused(function, *args):
    with pytest.raises(TypingError) as raised:
        njit(function)(*args)
    return str(raised.value)


def test_refusals():
    def fraction():
        p = Point(1)
        p.x = 1.5
        return p

    assert "the field 'x' of Point is int64 in compiled code, and gets float64" in refused(fraction)

    def truth():
        p = Point(True)
        p.x = 2
        return p

    assert "the field 'x' of Point is int64 in compiled code, and gets" in refused(truth)

    def texts():
        a = Account("a", 1.0, ["b"])
        a.balance = 2.0
        return a

    assert "a list(unicode_type) doesn't become a field" in refused(texts)

    def of_other_classes(what):
        def call():
            a = Account("a", 1.0, what())
            a.balance = 2.0
            return a

        return call

    for what in (dict, set, Counter, deque):
        assert "the field 'history' of Account is list[unicode_type]" in refused(of_other_classes(what))

    def list_for_dict():
        g = Graph()
        g.edges["a"] = []
        g.count = 1
        return g

    assert "isn't put into a dict in compiled code" in refused(list_for_dict)

    @dataclass
    class Untyped:
        x: object

    def untyped():
        u = Untyped(1)
        u.x = 2
        return u.x

    assert "fields of Untyped can't be assigned in compiled code" in refused(untyped)

    @dataclass(frozen=True)
    class Frozen:
        x: int

    def frozen():
        f = Frozen(1)
        f.x = 2
        return f.x

    assert "has no attribute 'x' that can be set" in refused(frozen)


PROGRAM = """
import sys
from dataclasses import dataclass, field
from typing import Optional
from pyopt import njit

@dataclass
class Node:
    value: int
    names: list[str] = field(default_factory=list)
    next: Optional["Node"] = None

@njit(cache=True)
def build(n):
    head = Node(0)
    for i in range(n):
        head = Node(i, next=head)
        head.value += 1
        head.names.append(str(i))
    return head

print(build(2), sum(build.stats.cache_hits.values()))
"""


def test_code_is_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("PYOPT_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "program.py").write_text(PROGRAM)
    for hits in (0, 1):
        run = subprocess.run(
            [sys.executable, tmp_path / "program.py"], capture_output=True, text=True, check=True
        )
        value, _, found = run.stdout.strip().rpartition(" ")
        assert value == (
            "Node(value=2, names=['1'], next=Node(value=1, names=['0'], "
            "next=Node(value=0, names=[], next=None)))"
        )
        assert int(found) == hits
