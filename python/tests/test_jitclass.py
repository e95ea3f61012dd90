"""Classes that ``jitclass`` compiles: in Python, in compiled code, and across."""

import gc
import pickle
import random
import subprocess
import sys
from collections import deque
from typing import Optional  # noqa: F401

import numpy as np
import pytest
from pyopt._core import memory_stats

from pyopt import deferred_type, errors, njit, optional, types
from pyopt.experimental import jitclass
from pyopt.types import float64, int32, int64


@jitclass([("x", float64), ("y", int64)])
class Point:
    """A point."""

    def __init__(self, x, y=3):
        self.x = x
        self.y = y

    def norm(self):
        """Compute the length."""
        return (self.x**2 + self.y**2) ** 0.5

    def scaled(self, by=2, *more, shift=0):
        """Scale."""
        return self.x * by + len(more) + shift

    @property
    def double(self):
        """Twice x."""
        return 2 * self.x

    @double.setter
    def double(self, value):
        self.x = value / 2

    @staticmethod
    def multiplied(a, b=2):
        return a * b

    def up_to_y(self):
        for at in range(self.y):
            yield at + self.x

    def raises(self):
        if self.y > 0:
            raise ValueError("too large", self.y)
        return 1

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __rmul__(self, by):
        return Point(self.x * by, self.y)

    def __iadd__(self, other):
        self.x += other
        return self

    def __neg__(self):
        return Point(-self.x, self.y)

    def __len__(self):
        return self.y

    def __getitem__(self, index):
        return self.x + index

    def __setitem__(self, index, value):
        self.x = index + value

    def __contains__(self, value):
        return value == self.x

    def __eq__(self, other):
        return self.x == other.x

    def __lt__(self, other):
        return self.x < other.x

    def __hash__(self):
        return 7

    def __call__(self, value):
        return self.x + value

    def __iter__(self):
        return range(self.y)

    def __int__(self):
        return int(self.x)

    def __float__(self):
        return self.x

    def __abs__(self):
        return abs(self.x)

    def __bool__(self):
        return self.x != 0


USES = [
    lambda p: (p.x, p.y, p.norm(), p.double, p.multiplied(3), p.multiplied(3, 4), Point.multiplied(5)),
    lambda p: (p.scaled(), p.scaled(5), p.scaled(1, 2, 3), p.scaled(1, shift=9)),
    lambda p: ((p + p).x, (2 * p).x, (-p).x, len(p), p[3], p == p, p != p, 1.5 in p, 7.0 in p, p < 2 * p),
    lambda p: (p > 2 * p, hash(p), p(4), int(p), float(p), abs(p), bool(p), 1 if p else 2),
    lambda p: (Point(4.0).y, Point(4.0, 5).y, Point(y=8, x=1).x, p is p, p is Point(1.0), p is not p),
]


@pytest.mark.parametrize("use", USES)
def test_methods_in_python_and_in_compiled_code(use):
    compiled = njit(use)
    for x in (1.5, -2.0, 0.0):
        assert compiled(Point(x)) == use(Point(x))


def test_attributes_are_shared():
    @njit
    def change(point):
        point.x += 1
        point.double = 2 * point.x + 2
        point[2] = 3
        point += 10
        return point

    point = Point(1)
    assert change(point).x == point.x == 15.0
    point.y = 2.9
    point.double = 8
    assert (point.x, point.y, type(point.x), type(point.y)) == (4.0, 2, float, int)
    assert isinstance(point, Point) and Point.__doc__ == "A point."
    assert Point.norm.__doc__ == "Compute the length." and Point.double.__doc__ == "Twice x."
    assert types.typeof(point) == Point.class_type.instance_type
    assert njit(lambda p: [at for at in p.up_to_y()])(point) == [4.0, 5.0]


def test_an_attribute_that_is_no_field():
    @njit
    def set_other(one):
        one.other = 3

    with pytest.raises(errors.TypingError, match="Point has no attribute 'other' that can be set"):
        set_other(Point(1.0))


def test_errors_in_python():
    with pytest.raises(ValueError) as caught:
        Point(1.0).raises()
    assert caught.value.args == ("too large", 3)
    point = Point(1.0)
    with pytest.raises(AttributeError):
        point.z
    with pytest.raises(AttributeError):
        point.z = 1
    with pytest.raises(TypeError):
        Point()
    with pytest.raises((errors.TypingError, errors.UnsupportedError), match="'z'"):
        njit(lambda p: p.z)(point)
    with pytest.raises(errors.TypingError):
        point.x = "text"


node_type = deferred_type()


@jitclass({"value": int64, "next": optional(node_type)})
class Node:
    def __init__(self, value, next):
        self.value = value
        self.next = next


node_type.define(Node.class_type.instance_type)


@njit
def chain(count):
    head = Node(0, None)
    for value in range(1, count):
        head = Node(value, head)
    return head


@njit
def total(head):
    found = head.value
    while head.next is not None:
        head = head.next
        found += head.value
    return found


def stats():
    """Count allocations when what earlier tests had is gone."""
    gc.collect()
    return memory_stats()


def given_back(before):
    (allocations, frees, live), (old_allocations, old_frees, old_live) = stats(), before
    return allocations - old_allocations == frees - old_frees and live == old_live


def test_linked_lists_of_a_million_nodes():
    total(chain(3))
    before = stats()
    head = chain(1_000_000)
    assert total(head) == 499999500000
    head = None
    assert given_back(before)
    inner = Node(1, None)
    outer = Node(2, inner)
    assert outer.next.value == 1 and outer.next.next is None
    inner.value = 5
    assert total(outer) == 7
    outer.next = None
    assert total(outer) == 2


tree_type = deferred_type()


@jitclass([("key", int64), ("left", optional(tree_type)), ("right", optional(tree_type))])
class Tree:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None

    def insert(self, key):
        at = self
        while True:
            if key < at.key:
                if at.left is None:
                    at.left = Tree(key)
                    return
                at = at.left
            else:
                if at.right is None:
                    at.right = Tree(key)
                    return
                at = at.right


tree_type.define(Tree.class_type.instance_type)


def test_trees():
    @njit
    def height(tree):
        if tree is None:
            return 0
        return 1 + max(height(tree.left), height(tree.right))

    @njit
    def build(keys):
        tree = Tree(keys[0])
        for key in keys[1:]:
            tree.insert(key)
        return tree

    keys = list(range(100))
    random.Random(1).shuffle(keys)
    before = stats()
    tree = build(np.array(keys))
    found, waiting = [], deque([tree])
    while waiting:
        one = waiting.popleft()
        found.append(one.key)
        waiting += filter(None, [one.left, one.right])
    assert sorted(found) == list(range(100))
    tree = one = None
    assert given_back(before)


@jitclass([("point", Point.class_type.instance_type), ("values", float64[:]), ("name", types.unicode_type)])
class Holder:
    def __init__(self, count):
        self.values = np.zeros(count)

    def fill(self, point):
        self.point = point
        self.values[:] = point.x
        return self


def test_fields_of_other_classes_and_arrays():
    before = stats()
    point = Point(2.5)
    holder = Holder(3).fill(point)
    point.x = 4.0
    assert holder.point.x == 4.0 and holder.values.tolist() == [2.5] * 3 and holder.name == ""
    values = np.arange(4.0)
    holder.values = values
    holder.name = "some" + "thing"
    holder.values[0] = 9
    assert values[0] == 9 and holder.name == "something"
    with pytest.raises(AttributeError, match="'point' of .*Holder was never set"):
        Holder(1).point
    with pytest.raises(AttributeError, match="was never set"):
        njit(lambda: Holder(1).point.x)()
    holder = point = None
    assert given_back(before)


@jitclass
class Annotated:
    x: int
    y: float
    z: complex
    flag: bool

    def __init__(self, x):
        self.x = x
        self.y = x / 2
        self.flag = x > 1


def test_specs():
    one = Annotated(3)
    assert (one.x, one.y, one.z, one.flag) == (3, 1.5, 0j, True)

    class Plain:
        x: int

        def __init__(self, x):
            self.x = x

    assert jitclass(Plain)(2.7).x == 2
    assert jitclass(Plain, {"x": float64})(2.7).x == 2.7
    assert jitclass(spec=[("x", int32)])(Plain)(2.7).x == 2

    @jitclass([("__hidden", int64)])
    class Private:
        def __init__(self, value):
            self.__hidden = value

        def get(self):
            return self.__hidden

    assert Private(3).get() == 3

    @jitclass([])
    class Empty:
        pass

    assert isinstance(Empty(), Empty)


def test_specs_that_are_refused():
    class Plain:
        def __init__(self):
            pass

        def method(self):
            return 1

    class Members:
        constant = [1]

    for cls, spec, kind, why in [
        (Plain, [("x",)], TypeError, "spec values should be"),
        (Plain, {1: int64}, TypeError, "spec keys should be strings, got 1"),
        (Plain, {"x": 1}, TypeError, "spec values should be Numba type instances, got 1"),
        (Plain, [("x", int64), ("x", int64)], KeyError, "duplicated"),
        (Plain, 3, TypeError, "spec is a mapping"),
        (Plain, [("method", int64)], NameError, "name shadowing: method"),
        (Members, [], TypeError, "class members are not yet supported: constant"),
        (type("Derived", (dict,), {}), [], TypeError, "has bases"),
    ]:
        with pytest.raises(kind, match=why):
            jitclass(spec)(cls) if spec != 3 else jitclass(cls, spec)
    unknown = deferred_type()

    @jitclass([("next", optional(unknown))])
    class Open:
        def __init__(self):
            self.next = None

    with pytest.raises(errors.TypingError, match="deferred type not defined"):
        Open()

    @jitclass([("items", types.List(float64[:]))])
    class OfList:
        def __init__(self):
            pass

    with pytest.raises(errors.TypingError, match="'items'.*a list"):
        OfList()


@jitclass([("z", int64)])
class Derived(Point):
    def __init__(self, z):
        self.x = 1.0
        self.y = 2
        self.z = z

    def norm(self):
        return -1.0

    def both(self):
        return self.norm() + self.double


def test_inheritance():
    @njit
    def of(one):
        return one.norm(), one.double, one.multiplied(3), len(one)

    one = Derived(4)
    assert isinstance(one, Point) and (one.norm(), one.double, one.z, one.both(), len(one)) == (
        -1,
        2,
        4,
        1,
        2,
    )
    assert of(one) == (-1.0, 2.0, 6, 2)
    assert of(Point(1.0, 2)) == (5**0.5, 2.0, 6, 2)
    with pytest.raises(TypeError, match="has the field 'x' of its base again"):
        jitclass([("x", int64)])(type(Point)("Again", (Point,), {}))
    with pytest.raises(TypeError, match="is none itself"):
        type(Point)("Bare", (Point,), {})(1.0)


def test_methods_of_the_base_are_called_by_its_name():
    @jitclass([("z", int64)])
    class ByName(Point):
        def __init__(self, x, z):
            Point.__init__(self, x)
            self.z = z

        def scaled(self, by=2):
            return Point.scaled(self, by) + self.z

    one = ByName(1.5, 4)
    assert (one.scaled(), njit(lambda one: one.scaled(3))(one), one.y) == (7.0, 8.5, 3)


def test_instances_in_tuples_lists_and_optionals():
    @njit
    def of(count):
        points = [Point(at, at) for at in range(count)]
        points.append(points[0])
        points[-1].x = 9.0
        best = None
        for point in points:
            if best is None or point.x > best.x:
                best = point
        return best, points, (points[0], 1)

    before = stats()
    best, points, pair = of(4)
    assert best.x == points[0].x == points[4].x == pair[0].x == 9.0
    points[4].x = 7.0
    assert points[0].x == pair[0].x == 7.0
    best = points = pair = None
    assert given_back(before)


def test_pickling_and_copies():
    holder = Holder(2).fill(Point(1.5))
    made = pickle.loads(pickle.dumps(holder))
    assert made.point.x == 1.5 and made.values.tolist() == [1.5, 1.5]
    made.values[0] = 3
    assert holder.values[0] == 1.5


def test_pickled_types():
    @jitclass([])
    class Local:
        def __init__(self):
            pass

    for one in (types.typeof(Point(1.0)), Point.class_type, types.typeof(Local()), Local.class_type):
        assert pickle.loads(pickle.dumps(one)) is one
    lines = pickle.dumps(types.typeof(Point(1.0))).replace(b"Point", b"Joint")
    with pytest.raises(LookupError, match="compiles no class"):
        pickle.loads(lines)


def test_code_that_is_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("PYOPT_CACHE_DIR", str(tmp_path))

    def use(count, point):
        found = Point(count, count) + point
        return found.norm(), found

    for _ in range(2):
        norm, found = njit(cache=True)(use)(3, Point(1.0, 1))
        assert norm == found.norm() == 32**0.5


def test_without_jit(monkeypatch):
    monkeypatch.setattr("pyopt.config.DISABLE_JIT", True)

    class Plain:
        pass

    assert jitclass([("x", int64)])(Plain) is Plain


def test_shifts_are_not_those_of_the_right_operand():
    """``__rshift__`` begins as the names of reflected methods do."""

    @jitclass([("bits", int64)])
    class Bits:
        def __init__(self, bits):
            self.bits = bits

        def __rshift__(self, other):
            return Bits(self.bits >> other.bits)

        def __rsub__(self, other):
            return Bits(other - self.bits)

    @njit
    def shifted(a, b):
        return (a >> b).bits, (100 - b).bits

    assert shifted(Bits(40), Bits(2)) == (10, 98)


def test_bases_that_are_not_compiled():
    """What a plain base defines is the class's own."""

    class Shape:
        name: int64

        def twice(self):
            return 2 * self.area()

        def area(self):
            return 0

    @jitclass([("side", int64)])
    class Square(Shape):
        def __init__(self, side):
            self.side, self.name = side, 1

        def area(self):
            return self.side**2

    assert (Square(3).twice(), njit(lambda one: one.twice() + one.name)(Square(3))) == (18, 19)


def test_truth_without_bool():
    """An instance without ``__bool__`` is true, or as long as its ``__len__`` says."""

    @jitclass([])
    class Plain:
        def __init__(self):
            pass

    @jitclass([("size", int64)])
    class Sized:
        def __init__(self, size):
            self.size = size

        def __len__(self):
            return self.size

    @njit
    def truth(one):
        return bool(one), not one, 1 if one else 2

    assert truth(Plain()) == (True, False, 1)
    assert [truth(Sized(size)) for size in (0, 3)] == [(False, True, 2), (True, False, 1)]


def test_conversions_by_other_methods():
    """``complex`` asks for ``__float__``, and all for ``__index__``."""

    @jitclass([])
    class Half:
        def __init__(self):
            pass

        def __float__(self):
            return 0.5

    @jitclass([])
    class Three:
        def __init__(self):
            pass

        def __index__(self):
            return 3

    assert njit(lambda one: (float(one), complex(one)))(Half()) == (0.5, 0.5 + 0j)
    assert njit(lambda one: (int(one), float(one), complex(one)))(Three()) == (3, 3.0, 3 + 0j)


@jitclass([("start", types.int64), ("values", types.float64[:])])
class Restarted:
    def __init__(self, start, values):
        self.start = start
        self.values = values

    def restart(self, start):
        self.__init__(start, self.values * 2)
        return self.start


def test_a_method_calls_the_constructor_again():
    made = Restarted(1, np.ones(2))
    assert made.restart(5) == 5
    assert made.start == 5 and made.values.tolist() == [2.0, 2.0]
    assert njit(lambda one: one.restart(7))(made) == 7 and made.start == 7


@jitclass([("items", types.List(int64)), ("sums", types.List(float64))])
class OfLists:
    def __init__(self, items):
        """Take the items."""
        self.items = items

    def put(self, item):
        self.items.append(item)
        self.sums.append(sum(self.items) / 2)

    def reverse(self):
        self.items = self.items[::-1]

    def has(self, items):
        return self.items is items


def test_fields_that_are_lists():
    """One list in compiled code, whatever its name; Python shares the items by a typed one."""

    @njit
    def run():
        items = [1, 2, 3]
        one = OfLists(items)
        items.append(4)
        one.put(5)
        one.items[0] = 10
        return items, one.items + [1], one.sums, one.has(items), len(one.items)

    assert run() == ([10, 2, 3, 4, 5], [10, 2, 3, 4, 5, 1], [7.5], True, 5)
    one = OfLists([1, 2])
    one.put(3)
    assert list(one.items) == [1, 2, 3] and list(one.sums) == [3.0]
    one.items.append(4)
    one.reverse()
    assert list(one.items) == [4, 3, 2, 1]
    one.items = []
    assert list(one.items) == []
    one.put(1)
    one.items = [7]
    one.put(8)
    assert list(one.items) == [7, 8] and list(one.sums) == [3.0, 0.5, 7.5]
    other = pickle.loads(pickle.dumps(one))
    other.items[0] = 0
    assert list(other.items) == [0, 8] and list(one.items) == [7, 8]


def test_a_passed_list_stays_behind_in_a_field():
    @njit
    def run(items, count):
        for at in range(count):
            one = OfLists(items)
            one.put(at)
        return one

    gc.collect()
    made, freed, _ = memory_stats()
    for length in (0, 1, 100):
        items = [5] * (length + 1)
        one = run(items, 3)
        # As long as the call runs they are one list.
        assert items == [5] * (length + 1) + [0, 1, 2] == list(one.items)
        items.append(9)
        one.put(1)
        assert items[-1] == 9 and list(one.items)[-1] == 1
    del one
    gc.collect()
    after = memory_stats()
    assert after[0] - made == after[1] - freed


def test_the_constructor_in_python():
    assert OfLists.__init__.__doc__ == "Take the items."
    one = OfLists([1])
    one.__init__([2])
    assert list(one.items) == [2]
    with pytest.raises(TypeError, match=r"OfLists.__init__\(\) missing 1 .* argument: 'items'"):
        OfLists()

    @jitclass([])
    class Returns:
        def __init__(self):
            return 7

    with pytest.raises(errors.TypingError, match=r"__init__\(\) should return None, not int64"):
        Returns()


FIELD_OF_A_FRESH_PROCESS = """
from functools import reduce

from pyopt import njit, typed, types
from pyopt.experimental import jitclass

@jitclass([("past", types.ListType(types.int64))])
class Account:
    def __init__(self, first):
        self.past = typed.List([first])

@njit
def f(n, more):
    account = Account(n)
    i = reduce(lambda x, y: x + y, more, n)
    return i, [x for x in account.past]

print(f(3, [1, 2]))
"""


def test_a_container_that_is_a_field_is_known_before_the_first_one_is_made():
    done = subprocess.run([sys.executable, "-c", FIELD_OF_A_FRESH_PROCESS], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("(6, [3])\n", "")
