"""Instances of classes as arguments: copied in, and given what compiled code has changed of them."""

import copy
import random
from abc import ABC, abstractmethod
from collections import Counter as PyCounter
from collections import OrderedDict, defaultdict, deque
from dataclasses import dataclass, field

import numpy as np
import pytest
from memory_checks import holds_its_memory

from pyopt import njit
from pyopt.errors import TypingError


class Counter:
    LIMIT = 100

    def __init__(self, start):
        self.n = start
        self.names = ["z"]
        self.weights = [1.5]
        self.places = {"a": 1}
        self.seen = {start}

    def add(self, by=1):
        self.n += by
        self.names.append(str(self.n))
        self.weights.append(self.n / 2)
        self.places[f"k{by}"] = self.n
        self.seen.add(by)
        return self.n

    @property
    def double(self):
        return 2 * self.n

    @staticmethod
    def half(x):
        return x / 2


class Node:
    def __init__(self, value):
        self.value = value
        self.left = None
        self.right = None

    def __eq__(self, other):
        raise AssertionError("nobody asks")

    __hash__ = None


class Slotted:
    __slots__ = ("x", "name")

    def __init__(self, x, name):
        self.x = x
        self.name = name


class Shape(ABC):
    @abstractmethod
    def area(self):
        """Give the area."""

    def doubled(self):
        return 2 * self.area()


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2


@dataclass
class Point:
    x: float
    y: float = 0.0

    def move(self, dx):
        self.x += dx


@dataclass
class Team:
    name: str
    points: list[int] = field(default_factory=list)
    home: Point = field(default_factory=lambda: Point(0.0))

    def win(self):
        self.points.append(3)
        self.home.move(1.0)


class Ring:
    def __init__(self, name: str):
        self.name = name
        self.next: Ring = None
        self.friends: list[Ring] = []


class Mixed:
    def __init__(self):
        self.data = np.arange(4.0)
        self.queue = deque([1, 2], maxlen=3)
        self.pair = (1, 2.5)
        self.maybe = None
        self.unknown = object()


def state(value, seen=None):
    """Give all that an object holds, with a number for each that is met again."""
    seen = {} if seen is None else seen
    if isinstance(value, np.ndarray):
        return value.tolist()
    if not hasattr(value, "__dict__") and not hasattr(value, "__slots__"):
        if isinstance(value, (list, deque, tuple)):
            return type(value).__name__, [state(one, seen) for one in value]
        if isinstance(value, dict):
            return [(key, state(one, seen)) for key, one in value.items()]
        return sorted(value) if isinstance(value, set) else repr(value)
    if id(value) in seen:
        return seen[id(value)]
    seen[id(value)] = len(seen)
    names = sorted(vars(value) if hasattr(value, "__dict__") else value.__slots__)
    return type(value).__name__, {
        name: state(getattr(value, name), seen) for name in names if name != "unknown"
    }


def check(function, *args):
    """Compare a call with Python's: the result, and what the arguments are afterwards."""
    compiled = njit(function)
    for _ in range(2):
        own, other = copy.deepcopy(args), copy.deepcopy(args)
        found, wanted = compiled(*own), function(*other)
        assert state((found, *own)) == state((wanted, *other))


def add_some(c, k):
    for i in range(k):
        c.add(i)
    return c.double, c.names[-1], c.half(c.n), c.LIMIT


def rebind(c):
    c.names = ["new"]
    c.weights = []
    c.n = 7
    return c.n


def read(c):
    return c.n + len(c.names)


def clear(c):
    c.names.clear()
    c.places.clear()
    c.seen.clear()
    return len(c.names)


@pytest.mark.parametrize("function", [add_some, rebind, read, clear], ids=lambda one: one.__name__)
def test_fields_are_given_back(function):
    args = (3,) if function is add_some else ()
    check(function, Counter(3), *args)


def test_containers_that_stay_are_the_same_objects():
    c = Counter(1)
    names, weights = c.names, c.weights
    njit(add_some)(c, 2)
    assert c.names is names and names == ["z", "1", "2"]
    njit(rebind)(c)
    assert c.names is not names and names == ["z", "1", "2"]
    assert c.weights is not weights and c.weights == []


def test_what_is_unchanged_is_left_alone():
    c = Counter(1)
    before = {name: id(value) for name, value in vars(c).items()}
    njit(read)(c)
    assert {name: id(value) for name, value in vars(c).items()} == before


def tree(values):
    root = Node(values[0])
    for value in values[1:]:
        at = root
        while True:
            side = "left" if value < at.value else "right"
            if getattr(at, side) is None:
                setattr(at, side, Node(value))
                break
            at = getattr(at, side)
    return root


def total(node):
    return 0 if node is None else node.value + total(node.left) + total(node.right)


def mirror(node):
    if node is not None:
        node.left, node.right = node.right, node.left
        node.value += 1
        mirror(node.left)
        mirror(node.right)
    return node


def cut(node):
    node.left = None
    return node.right


@pytest.mark.parametrize("function", [total, mirror, cut], ids=lambda one: one.__name__)
def test_trees(function):
    check(function, tree([5, 2, 8, 1, 9, 3]))


def test_what_is_returned_is_what_was_passed():
    root = tree([5, 2, 8])
    right = root.right
    assert njit(cut)(root) is right and root.left is None
    assert njit(mirror)(root) is root


def ring(count):
    made = [Ring(f"r{at}") for at in range(count)]
    for at, one in enumerate(made):
        one.next = made[(at + 1) % count]
        one.friends = [made[at // 2], made[(at * 3) % count]]
    return made


def insert(one):
    new = Ring("new")
    new.next = one.next
    one.next = new
    new.friends.append(one)
    one.friends.append(new)
    return new


def walk(one):
    names, at = [one.name], one.next
    while at is not one:
        at.name += "!"
        names.append(at.name)
        at = at.next
    return names


@pytest.mark.parametrize("function", [insert, walk], ids=lambda one: one.__name__)
def test_cycles(function):
    check(function, ring(4)[0])


def test_what_compiled_code_makes_is_one_object():
    one = ring(3)[0]
    new = njit(insert)(one)
    assert one.next is new and one.friends[-1] is new and new.friends == [one]


def test_the_same_instance_twice_is_one():
    def both(a, b):
        a.n += 1
        b.n += 10
        return a is b, a.n

    c = Counter(0)
    assert njit(both)(c, c) == (True, 11) and c.n == 11
    d = Counter(0)
    assert njit(both)(c, d) == (False, 12) and d.n == 10


def test_instances_in_lists_and_dicts():
    def move_all(points, named):
        for p in points:
            p.move(1.0)
        named["a"].move(10.0)
        points.append(Point(7.0, 8.0))
        return points[0]

    p, q = Point(1.0), Point(2.0)
    points, named = [p, q, p], {"a": q}
    assert njit(move_all)(points, named) is p
    assert points == [Point(3.0), Point(13.0), Point(3.0), Point(7.0, 8.0)]
    assert points[0] is p and points[1] is q and points[2] is p


def season(team):
    team.win()
    team.win()
    return team.home.x


def test_data_classes_in_fields():
    check(season, Team("a"))
    team = Team("b", [1])
    home, points = team.home, team.points
    assert njit(season)(team) == 2.0
    assert (team.home, team.points) == (Point(2.0), [1, 3, 3]) and team.home is home and team.points is points


def test_slots_abstract_bases_and_other_values():
    def change(s):
        s.x *= 2
        s.name += "?"
        return s.x

    check(change, Slotted(4, "é"))
    check(lambda s: s.doubled(), Square(3.0))

    def use(m):
        m.data[0] = 5.0
        m.queue.append(3)
        m.queue.append(4)
        return float(m.data.sum()), m.pair[1], m.maybe is None

    check(use, Mixed())
    m = Mixed()
    data, queue = m.data, m.queue
    njit(use)(m)
    assert m.data is data and data[0] == 5.0 and m.queue is queue and list(queue) == [2, 3, 4]


class Window:
    def __init__(self):
        self.queue = deque([0], maxlen=3)
        self.empty: deque[int] = deque(maxlen=2)
        self.counts = PyCounter("a")
        self.groups = defaultdict(list, {1: [2]})
        self.order = OrderedDict(a=1, b=2)

    def push(self, x):
        self.queue.append(x)
        self.empty.append(x)
        self.counts[f"k{x}"] += 1
        self.groups[x % 2].append(x)
        self.order["z"] = x
        self.order.move_to_end("a")


class Cell:
    __slots__ = ("at", "wall", "distance")

    def __init__(self, at, wall):
        self.at, self.wall, self.distance = at, wall, -1


class Grid:
    def __init__(self, rows):
        self.cells = [[Cell((r, c), x == "#") for c, x in enumerate(row)] for r, row in enumerate(rows)]
        self.named = {"first": [self.cells[0][0]]}
        self.names = [["a"], []]

    def flood(self):
        waiting = [(0, 0, 0)]
        while waiting:
            r, c, distance = waiting.pop(0)
            if not (0 <= r < len(self.cells) and 0 <= c < len(self.cells[0])):
                continue
            cell = self.cells[r][c]
            if cell.wall or cell.distance >= 0:
                continue
            cell.distance = distance
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                waiting.append((r + dr, c + dc, distance + 1))
        self.names[1].append("b")
        self.named["first"].append(self.cells[1][1])
        return self.named["first"][1].distance


def test_collections_and_nested_containers():
    def push(w, xs):
        for x in xs:
            w.push(x)
        return sum(w.queue), list(w.empty), w.counts["k1"], len(w.groups[0])

    check(push, Window(), [1, 2, 3, 1])
    check(push, Window(), [0])
    check(lambda grid: grid.flood(), Grid(["..#", "#..", "..."]))


def test_exceptions_give_back_too():
    def fail(c):
        c.add(5)
        raise ValueError(c.names[-1])

    c = Counter(1)
    with pytest.raises(ValueError, match="6"):
        njit(fail)(c)
    assert c.n == 6 and c.names == ["z", "6"]


def test_what_cannot_be_passed_is_refused():
    shared = ["a"]
    one, other = Counter(1), Counter(2)
    one.names = other.names = shared
    with pytest.raises(TypingError, match="have one list together"):
        njit(lambda a, b: a.n + b.n)(one, other)
    with pytest.raises(TypingError, match="beside an instance that has it"):
        njit(lambda a, names: a.n + len(names))(one, shared)
    with pytest.raises(TypingError, match="beside an instance that has it"):
        njit(lambda names, a: a.n + len(names))(shared, one)
    root = tree([2, 1])
    del root.left.value
    with pytest.raises(TypingError, match="not all Node that are passed have the attribute 'value'"):
        njit(cut)(root)
    with pytest.raises(TypingError, match="unknown"):
        njit(lambda m: m.unknown)(Mixed())


class Link:
    def __init__(self, value: int):
        self.value = value
        self.a: Link = None
        self.b: Link = None


def scramble(links, steps):
    at = links[0]
    for step in steps:
        kind, to = step % 5, links[step % len(links)]
        if kind == 0:
            at.a = to
        elif kind == 1:
            at.b = to.a
        elif kind == 2:
            new = Link(step)
            new.a = at
            at.b = new
            links.append(new)
        elif kind == 3:
            at.value += step
        elif at.a is not None:
            at = at.a
    return at


@pytest.mark.parametrize("seed", range(40))
def test_random_graphs(seed):
    draw = random.Random(seed)
    links = [Link(at) for at in range(draw.randrange(1, 6))]
    for link in links:
        link.a, link.b = (draw.choice([None, *links]) for _ in range(2))
    steps = [draw.randrange(1000) for _ in range(draw.randrange(12))]
    own, other = copy.deepcopy((links, steps or [4])), copy.deepcopy((links, steps or [4]))
    found, wanted = _scramble(*own), scramble(*other)
    assert state((found, own[0])) == state((wanted, other[0]))


_scramble = njit(scramble)


def test_memory_is_given_back():
    calls = njit(mirror), njit(add_some), njit(season)
    assert holds_its_memory(lambda: calls[0](tree([3, 1, 2])))
    assert holds_its_memory(lambda: calls[1](Counter(3), 4))
    assert holds_its_memory(lambda: calls[2](Team("a")))


def test_threads_have_copies_of_their_own():
    from concurrent.futures import ThreadPoolExecutor

    call = njit(nogil=True)(add_some)
    call(Counter(1), 2)

    def work(at):
        c = Counter(at)
        call(c, 3)
        return c.n

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(100))) == [at + 3 for at in range(100)]


def test_code_is_kept_on_disk():
    compiled = njit(cache=True)(add_some)
    c = Counter(5)
    assert compiled(c, 2) == add_some(Counter(5), 2) and c.n == 6
    assert len(compiled.signatures) == 1
