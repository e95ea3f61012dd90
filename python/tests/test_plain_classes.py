"""Classes of a program of which compiled code makes instances, against CPython."""

import subprocess
import sys
from typing import Optional

import pytest
from differential.memory import growth

from pyopt import njit
from pyopt.errors import TypingError


class Point:
    SCALE = 2

    def __init__(self, x, y=0):
        self.x = x
        self.y = y

    def move(self, dx, dy):
        self.x += dx
        self.y += dy
        return self

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    def __hash__(self):
        return hash((self.x, self.y))

    @property
    def norm(self):
        return abs(self.x) + abs(self.y) * self.SCALE

    @staticmethod
    def unit():
        return Point(1, 1)

    @classmethod
    def of(cls, pair):
        return cls(pair[0], pair[1])


def members():
    p = Point(1, 2)
    p.x += 5
    q = p.move(1, 1) + Point(3)
    kinds = p == q, p != q, p is q, isinstance(p, Point), isinstance(1, Point)
    return p.x, p.y, q.x, q.y, q.norm, Point.unit().x, Point.of((4, 5)).y, Point.SCALE, kinds


def of_several_types():
    p = Point(1.5, 2.5)
    p.move(1.0, 2.0)
    ps = [Point(i, i) for i in range(3)]
    for one in ps:
        one.x += 10
    best = max(ps, key=lambda one: one.x)
    best.y = 7
    table = {Point(1, 2): "a"}
    table[Point(1, 2)] += "b"
    return p.x, [(one.x, one.y) for one in ps], table[Point(1, 2)], len(table)


class Stack:
    def __init__(self):
        self.items: list[str] = []
        self.count = 0

    def push(self, item):
        self.items.append(item)
        self.count += 1

    def pop(self):
        if not self.items:
            raise IndexError("empty stack")
        self.count -= 1
        return self.items.pop()

    def __len__(self):
        return self.count

    def __iter__(self):
        return iter(self.items)


def stack():
    s = Stack()
    s.push("a")
    s.push("€")
    s.push("c")
    return s.pop(), len(s), s.count, [item + "!" for item in s]


def exception():
    s = Stack()
    return s.pop()


class Node:
    def __init__(self, value: int, following: Optional["Node"] = None):
        self.value = value
        self.next = following


class LinkedList:
    def __init__(self):
        self.head: Node | None = None
        self.size = 0

    def add(self, value):
        self.head = Node(value, self.head)
        self.size += 1

    def reverse(self):
        before, node = None, self.head
        while node is not None:
            following = node.next
            node.next = before
            before, node = node, following
        self.head = before

    def values(self):
        out = []
        node = self.head
        while node is not None:
            out.append(node.value)
            node = node.next
        return out


def linked_list():
    items = LinkedList()
    for i in range(4):
        items.add(i * i)
    before = items.values()
    items.reverse()
    return before, items.values(), items.size


class Trie:
    def __init__(self):
        self.children: dict[str, Trie] = {}
        self.is_end = False

    def insert(self, word):
        node = self
        for letter in word:
            if letter not in node.children:
                node.children[letter] = Trie()
            node = node.children[letter]
        node.is_end = True

    def find(self, word):
        node = self
        for letter in word:
            if letter not in node.children:
                return False
            node = node.children[letter]
        return node.is_end


def trie():
    t = Trie()
    t.insert("car")
    t.insert("cat")
    return t.find("car"), t.find("ca"), t.find("cart"), len(t.children)


class Animal:
    def __init__(self, name: str, sound: str):
        self.name = name
        self.sound = sound
        self.energy = 10

    def speak(self):
        return f"{self.name} says {self.sound}"

    def tick(self):
        self.energy -= 1


class Dog(Animal):
    def __init__(self, name):
        super().__init__(name, "woof")
        self.tricks: list[str] = []

    def learn(self, trick):
        self.tricks.append(trick)
        self.tick()

    def speak(self):
        return super().speak() + "!" * len(self.tricks)


class Puppy(Dog):
    pass


def derived():
    d = Dog("rex")
    d.learn("sit")
    d.learn("roll")
    return d.speak(), d.energy, ",".join(d.tricks), isinstance(d, Animal), isinstance(d, Puppy)


def bases_are_asked_first(flag=True):
    # The base is named before what is derived from it.
    return isinstance(Puppy("a"), Animal), isinstance(Animal("b", "c"), Dog), Puppy("d").speak()


class Temperature:
    def __init__(self, celsius):
        self._celsius = celsius

    @property
    def fahrenheit(self):
        return self._celsius * 9 / 5 + 32

    @fahrenheit.setter
    def fahrenheit(self, value):
        self._celsius = (value - 32) * 5 / 9


def property_is_set():
    t = Temperature(10.0)
    t.fahrenheit = 212.0
    return t._celsius, t.fahrenheit


class Inventory:
    def __init__(self, names, width):
        self.names = sorted(names)
        self.first = self.names[0]
        self.by_name = {name: len(name) for name in names}
        self.seen = {"q"}
        self.cells = [[0] * width for _ in range(2)]
        self.rows = [[1.0, 2.0], [3.0]]
        if width > 2:
            self.kind = "wide"
        else:
            self.kind = "narrow"

    def __getitem__(self, place):
        i, j = place
        return self.cells[i][j]

    def __setitem__(self, place, value):
        i, j = place
        self.cells[i][j] = value

    def __contains__(self, name):
        return name in self.by_name


def containers():
    i = Inventory(["bb", "€"], 3)
    i.names.append("zz")
    i.by_name["k"] = 9
    i.seen.add("w")
    i.rows[1].append(4.0)
    i[1, 2] = 5
    return i.names, i.by_name, sorted(i.seen), i.rows, i.first, i[1, 2], i.cells, "k" in i, i.kind


def lists_are_shared():
    items = [1, 2]
    p = Point(items, items)
    p.x.append(5)
    items.append(7)
    return items, p.x, p.y


class Value:
    def __init__(self, data, op=""):
        self.data = data
        self.op = op

    def __add__(self, other):
        return Value(self.data + other.data, op="+")

    def __radd__(self, other):
        return Value(self.data + other)

    def __neg__(self):
        return Value(-self.data)

    def __bool__(self):
        return self.data != 0

    def __float__(self):
        return float(self.data)

    def __str__(self):
        return f"Value({self.data})"


def operators():
    a = Value(1.0)
    b = a + Value(2.0)
    c = 1.0 + b
    return (
        c.data,
        (-c).data,
        bool(Value(0.0)),
        float(c),
        str(c),
        f"{c}",
        b.op,
        a == Value(1.0),
        a == a,
        a != c,
    )


class Log:
    def __init__(self, lines):
        self.lines = lines

    def __enter__(self):
        self.lines.append(1)
        return self

    def __exit__(self, *exception):
        self.lines.append(2)


def context():
    lines = [0]
    with Log(lines) as log:
        log.lines.append(5)
    return lines


class Count:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        i = 0
        while i < self.n:
            yield i
            i += 1


class Greeter:
    def greet(self):
        return "hi"


def others():
    return list(Count(4)), sum(Count(3)), Greeter().greet()


class Particle:
    def __init__(self, x: float):
        self.x = x
        self.is_alive = True

    def step(self):
        self.x += 1.0
        if self.x > 3:
            self.is_alive = False


class World:
    def __init__(self):
        self.particles: list[Particle] = []
        self.names: list[str] = []
        self.tags: set[str] = set()
        self.by_name: dict[str, int] = {}

    def step(self):
        for p in self.particles:
            p.step()
        self.particles = [p for p in self.particles if p.is_alive]

    def clean(self):
        self.names = [name.strip() for name in self.names if name]
        self.by_name = {name: len(name) for name in self.names}
        self.tags = {name[0] for name in self.names}


def fields_get_new_containers():
    w = World()
    w.particles = [Particle(0.0), Particle(1.0)]
    for i in range(2, 4):
        w.particles.append(Particle(i * 1.0))
    kept = w.particles
    w.step()
    w.step()
    w.names = [" a", "", "bb "]
    before = w.names
    w.clean()
    w.names.append("q")
    return [p.x for p in w.particles], [p.x for p in kept], w.names, before, w.by_name, sorted(w.tags)


PROGRAMS = [
    members,
    of_several_types,
    stack,
    exception,
    linked_list,
    trie,
    derived,
    bases_are_asked_first,
    property_is_set,
    containers,
    lists_are_shared,
    operators,
    context,
    others,
    fields_get_new_containers,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs(program):
    def outcome(function):
        try:
            return repr(function())
        except IndexError as error:
            return repr(error)

    compiled = njit(program)
    for _ in range(2):
        assert outcome(compiled) == outcome(program)
    assert growth(lambda: outcome(compiled)) == 0


def test_python_gets_instances():
    made = njit(lambda: LinkedList())()
    assert type(made) is LinkedList and made.head is None and made.size == 0

    @njit
    def ring():
        one = Node(1)
        one.next = Node(2, one)
        return one

    one = ring()
    assert type(one) is Node and one.next.next is one and one.next.value == 2


def refused(function, *args):
    with pytest.raises(TypingError) as raised:
        njit(function)(*args)
    return str(raised.value)


class Unknown:
    def __init__(self):
        self.items = []


class Registered:
    def __init__(self, all):
        all.append(self)
        self.n = 0


class Holder:
    def __init__(self):
        self.held: Point | None = None


class Aliases:
    def __init__(self):
        self.one = ["a"]
        self.other = self.one


class Dynamic:
    def __init__(self):
        self.x = 1

    def __getattr__(self, name):
        return 0


def test_refusals():
    def unknown():
        return Unknown().items

    assert "it isn't known what the field 'items' of Unknown holds: annotate it" in refused(unknown)
    assert "the __init__ of Registered uses 'self' before it stores 'n'" in refused(lambda: Registered([1]).n)
    assert "fields are instances of Point where its own are annotated" in refused(
        lambda: Holder().held is None
    )
    assert "a list(unicode_type) doesn't become a field" in refused(lambda: Aliases().one)

    def names_of_two():
        w = World()
        w.names = names = ["a"]
        return w.names, names

    assert "a list(unicode_type) doesn't become a field" in refused(names_of_two)

    def names_of_a_variable(n):
        w = World()
        for i in range(n):
            names = [str(i)]
            if i == 1:
                w.names = names
            names.append("b")
        return w.names

    assert "a list(unicode_type) doesn't become a field" in refused(names_of_a_variable, 3)
    assert "the class 'Dynamic' can't be compiled" in refused(lambda: Dynamic().x)

    def fraction():
        p = Point(1, 2)
        p.x = 1.5
        return p.x

    assert "the field 'x' of Point is int64 in compiled code, and gets float64" in refused(fraction)


PROGRAM = """
from pyopt import njit

class Pair:
    def __init__(self, a, b: "Pair | None" = None):
        self.a = a
        self.b = b
        self.names: list[str] = []

@njit(cache=True)
def build(n):
    p = Pair(0)
    for i in range(n):
        p = Pair(i, p)
        p.names.append(str(i))
    return p

p = build(2)
print(p.a, p.names, p.b.a, p.b.names, p.b.b.b, sum(build.stats.cache_hits.values()))
"""


def test_code_is_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("PYOPT_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "program.py").write_text(PROGRAM)
    for hits in (0, 1):
        run = subprocess.run(
            [sys.executable, tmp_path / "program.py"], capture_output=True, text=True, check=True
        )
        assert run.stdout.strip() == f"1 ['1'] 0 ['0'] None {hits}"
