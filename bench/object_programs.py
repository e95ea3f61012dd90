"""What `bench.object_mode` times: functions of one kind of operation each.

The file is run twice, once with ``compile_program`` compiling for object mode. Callees that are
compiled too have `compiled`; others run in the interpreter both times.
"""

# What is done counts here, not its result.
# ruff: noqa: B007, B018, UP031

from __future__ import annotations

import math
import os.path

compiled = globals().get("compile_program", lambda function: function)

#: Each program with its argument.
PROGRAMS = {}


def program(n):
    """Make a function a program that is called with `n`."""

    def register(function):
        PROGRAMS[function.__name__] = compiled(function), n
        return function

    return register


def interpreted_program(n):
    """Make a function a program that the interpreter runs both times."""

    def register(function):
        PROGRAMS[function.__name__] = function, n
        return function

    return register


class Point:
    """An object with attributes and methods."""

    kind = "point"

    def __init__(self, x, y):
        """Take two numbers."""
        self.x = x
        self.y = y

    def norm(self):
        """A method."""
        return self.x * self.x + self.y * self.y

    @compiled
    def shifted(self, by):
        """A compiled method."""
        return self.x + by

    @property
    def total(self):
        """A property."""
        return self.x + self.y

    @staticmethod
    @compiled
    def fixed(x):
        """A static method."""
        return x

    @classmethod
    @compiled
    def made(cls, x):
        """A class method."""
        return x


class Slotted:
    """An object with slots."""

    __slots__ = ("x", "y")

    @compiled
    def __init__(self, x, y):
        """Take two numbers."""
        self.x = x
        self.y = y


class Empty:
    """An object without anything."""


class Sequence:
    """An object with items."""

    @compiled
    def __getitem__(self, index):
        """Any item."""
        return index

    @compiled
    def __len__(self):
        """Some length."""
        return 3


class Manager:
    """A context."""

    @compiled
    def __enter__(self):
        """Begin."""
        return self

    @compiled
    def __exit__(self, *_):
        """End."""


COUNTER = 3
origin = Point(1, 2)


@compiled
def add(a, b):
    """A small function."""
    return a + b


def interpreted_add(a, b):
    """A small function that isn't compiled."""
    return a + b


@compiled
def with_defaults(a, b=2, *, c=3):
    """A function with defaults."""
    return a


@compiled
def starred(*args, **kwargs):
    """A function that takes all."""
    return args


@compiled
def numbers(n):
    """A generator."""
    for i in range(n):
        yield i * 2


@compiled
def delegating(n):
    """A generator that delegates."""
    yield from numbers(n)


@compiled
def accumulate():
    """A generator that is sent values."""
    total = 0
    while True:
        total += yield total


@compiled
async def value(x):
    """A coroutine."""
    return x


@compiled
async def awaiting(n):
    """A coroutine that awaits others."""
    total = 0
    for i in range(n):
        total += await value(i)
    return total


# Numbers


@program(20000)
def int_loop(n):
    """A loop over ints."""
    total = 0
    for i in range(n):
        if i % 3 == 0:
            total += i * 2
    return total


@program(20000)
def float_loop(n):
    """A loop over floats."""
    x = 0.5
    for _ in range(n):
        x = 3.7 * x * (1.0 - x)
    return x


@program(10000)
def float_operators(n):
    """Division and powers."""
    x = 1.5
    for i in range(1, n):
        x = -x / 3.0 + i / 7
    return x


@program(10000)
def int_operators(n):
    """Bits, division."""
    x = 12345
    for i in range(1, n):
        x = ((x << 3 ^ i) & 0xFFFFF | 1) // 3 % 65537
    return x


@program(5000)
def large_ints(n):
    """Ints beyond a digit."""
    x = 1
    for i in range(n):
        x = (x * 6364136223846793005 + i) % 18446744073709551557
    return x


@program(10000)
def comparisons(n):
    """All kinds of comparisons."""
    count = 0
    x = 0.5
    for i in range(n):
        if i < 100 or i >= 5000 and i != 7000:
            count += 1
        if x > 2.0 or x <= 0.1:
            count -= 1
        if i is None or "a" == "b":
            count += 2
    return count


@program(10000)
def truth_values(n):
    """Truth of objects."""
    count, items, name, nothing = 0, [1], "", {}
    for i in range(n):
        if i and items and not name and not nothing:
            count += 1
    return count


@program(10000)
def while_loop(n):
    """A loop that counts itself."""
    i = 0
    while i < n:
        i += 1
    return i


# Attributes


@program(5000)
def attributes(n):
    """Attributes and method calls."""
    point = Point(1, 2)
    total = 0
    for i in range(n):
        point.x = i
        total += point.norm() + point.y
    return total


@program(10000)
def instance_loads(n):
    """Attributes of an instance."""
    point = Point(1, 2)
    for _ in range(n):
        point.x, point.y, point.x, point.y
    return point.x


@program(10000)
def instance_stores(n):
    """Attribute assignments."""
    point = Point(1, 2)
    for i in range(n):
        point.x = i
        point.y = i
    return point.x


@program(10000)
def slot_access(n):
    """Slots."""
    point = Slotted(1, 2)
    for i in range(n):
        point.x = i
        point.y = point.x
    return point.y


@program(10000)
def class_attributes(n):
    """Attributes of a class, by it and by an instance."""
    point = Point(1, 2)
    for _ in range(n):
        point.kind, Point.kind, point.kind
    return point.kind


@program(10000)
def module_attributes(n):
    """Attributes of modules and their functions."""
    x = 0.0
    for i in range(n):
        x += math.sqrt(i) + math.pi
    return x, os.path.sep


@program(5000)
def properties(n):
    """A property."""
    point = Point(1, 2)
    total = 0
    for _ in range(n):
        total += point.total
    return total


@program(5000)
def methods(n):
    """Calls of an interpreted method."""
    point = Point(1, 2)
    total = 0
    for _ in range(n):
        total += point.norm()
    return total


@program(5000)
def compiled_methods(n):
    """Calls of a compiled method."""
    point = Point(1, 2)
    total = 0
    for i in range(n):
        total += point.shifted(i)
    return total


@program(5000)
def static_methods(n):
    """Static and class methods."""
    for i in range(n):
        Point.fixed(i)
        Point.made(i)


@program(10000)
def global_names(n):
    """Globals and builtins."""
    total = 0
    for _ in range(n):
        total += COUNTER
        COUNTER, origin, len
    return total


@program(10000)
def global_stores(n):
    """Assignments to a global."""
    global written
    for i in range(n):
        written = i
    return written


# Items


@program(10000)
def list_items(n):
    """Items of lists."""
    items = [1, 2, 3, 4]
    for i in range(n):
        items[1] = items[0]
        items[i & 3] = items[-1]
    return items


@program(10000)
def tuple_items(n):
    """Items of tuples."""
    items = (1, 2, 3)
    for _ in range(n):
        items[0], items[1], items[2]
    return items


@program(10000)
def dict_items(n):
    """Items of dicts."""
    items = {"a": 1, "b": 2}
    for i in range(n):
        items["a"] = i
        items["b"] = items["a"]
    return items


@program(5000)
def string_items(n):
    """Characters and slices."""
    text = "hello world"
    for i in range(n):
        text[i % 11], text[2:5], text[:3]
    return text


@program(5000)
def list_slices(n):
    """Slices of lists."""
    items = [1, 2, 3, 4, 5, 6]
    for _ in range(n):
        items[1:3], items[:-1]
    return items


@program(5000)
def own_items(n):
    """`__getitem__`, `__len__`."""
    items = Sequence()
    for i in range(n):
        items[i], len(items)


@program(10000)
def unpacking(n):
    """Unpacking of tuples and lists."""
    pair, triple = (1, 2), [1, 2, 3]
    for _ in range(n):
        a, b = pair
        c, d, e = triple
        a, b = b, a
    return a, b, c, d, e


@program(5000)
def membership(n):
    """`in` tests."""
    count, names, table, items = 0, {"a", "b"}, {"a": 1}, (1, 2, 3)
    for i in range(n):
        count += "a" in names
        if "b" not in table or i in items:
            count += 1
    return count


# Containers


@program(5000)
def containers(n):
    """Lists and dicts."""
    counts = {}
    items = []
    for i in range(n):
        key = i & 15
        counts[key] = counts.get(key, 0) + 1
        items.append((key, i))
    return counts, sum(value for _, value in items[-10:]), items[3][1]


@program(5000)
def container_displays(n):
    """Displays."""
    for i in range(n):
        [i, 1], (i, 2), {"a": i}, {i}
    return i


@program(200)
def comprehensions(n):
    """Comprehensions, which run in the interpreter."""
    for _ in range(n):
        rows = [i * i for i in range(30)]
        {i: i for i in rows}
    return rows


@program(10000)
def list_methods(n):
    """Methods of lists."""
    items = []
    for i in range(n):
        items.append(i)
    while items:
        items.pop()
    return items


@program(5000)
def dict_methods(n):
    """Methods of dicts."""
    items = {"a": 1}
    total = 0
    for _ in range(n):
        total += items.get("a")
        items.get("b", 0)
        for key, one in items.items():
            total += one
    return total, key


@program(10000)
def list_iteration(n):
    """Loops over lists, tuples and dicts."""
    items = list(range(n))
    total = 0
    for i in items:
        total += i
    for _ in range(n // 10):
        for one in (1, 2, 3):
            total += one
    return total


@program(3000)
def zipped(n):
    """Loops over enumerate and zip."""
    items = list(range(n))
    total = 0
    for i, item in enumerate(items):
        total += i
    for x, y in zip(items, items, strict=False):
        total += x
    return total, item, y


# Text


@program(5000)
def text(n):
    """Strings."""
    out = ""
    for i in range(n):
        out += str(i)
    return len(out.split("1")), f"{out[:5]}-{n}"


@program(5000)
def formatting(n):
    """f-strings."""
    name = "x"
    for i in range(n):
        f"{name}-{i}", f"{i:03d} {name!r}"
    return name


@program(5000)
def string_methods(n):
    """Methods of strings."""
    out = []
    for _ in range(n):
        out.append("a b".upper())
        "a,b".split(",")
        "x".join(("a", "b"))
        "abc".startswith("a")
    return len(out)


@program(5000)
def concatenation(n):
    """String building and comparison."""
    left, right, count = "hello ", "world", 0
    for _ in range(n):
        both = left + right
        if both == "hello world":
            count += 1
        both = both * 2 + "%s" % right
    return both, count


# Calls


@program(10000)
def calls(n):
    """Calls of a compiled function."""
    for i in range(n):
        add(i, i)


@program(10000)
def interpreted_calls(n):
    """Calls of an interpreted function."""
    for i in range(n):
        interpreted_add(i, i)


@interpreted_program(10000)
def calls_from_interpreter(n):
    """Calls of a compiled function by the interpreter."""
    for i in range(n):
        add(i, i)


@interpreted_program(10000)
def other_calls_from_interpreter(n):
    """Calls by the interpreter that leave arguments to defaults, or give them by name."""
    for i in range(n):
        with_defaults(i)
        add(i, b=i)


@interpreted_program(3000)
def method_calls_from_interpreter(n):
    """Calls of a compiled method by the interpreter."""
    point = Point(1, 2)
    for i in range(n):
        point.shifted(i)


@interpreted_program(3000)
def generators_in_interpreter(n):
    """A compiled generator that the interpreter uses, with interpreted calls in between."""
    for i in numbers(n):
        interpreted_add(i, i)


@program(5000)
def default_calls(n):
    """Calls with defaults and keywords."""
    for i in range(n):
        with_defaults(i)
        with_defaults(i, 1)
        with_defaults(i, b=2, c=1)
        add(b=i, a=i)


@program(5000)
def starred_calls(n):
    """Calls with all kinds of arguments."""
    pair, names = (1, 2), {"x": 1}
    for i in range(n):
        starred(i, 1)
        starred(*pair)
        starred(i, y=1)
        starred(*pair, **names)


@program(5000)
def builtin_calls(n):
    """Calls of builtins."""
    items = [1, 2]
    total = 0
    for i in range(n):
        total += len(items)
        if isinstance(i, int):
            total += abs(i)
        max(i, 3)
        ord("a")
    return total


@program(5000)
def type_calls(n):
    """Calls of builtin types."""
    for i in range(n):
        str(i), int("7"), type(i), tuple((1, 2)), float(i), bool(i), list((1, 2))
    return i


@program(5000)
def instances(n):
    """Making objects of classes with an interpreted, a compiled and no `__init__`."""
    for i in range(n):
        Point(i, i)
        Slotted(i, i)
        Empty()


@program(18)
def recursion(n):
    """Calls of itself."""
    return n if n < 2 else recursion(n - 1) + recursion(n - 2)


PROGRAMS["recursion"] = (compiled(recursion), 18)
recursion = PROGRAMS["recursion"][0]


@program(3000)
def closures(n):
    """Functions with shared variables."""
    total = 0

    def count():
        nonlocal total
        total += 1

    for _ in range(n):
        count()
        (lambda x: x)(1)
    return total


@program(5000)
def cells(n):
    """Shared variables."""
    total = 0

    def peek():
        return total

    for i in range(n):
        total += i
    return peek()


@compiled
def made_closure(step):
    """A function that makes a compiled closure."""

    @compiled
    def count(i):
        return i + step

    return count


@program(5000)
def compiled_closures(n):
    """Calls of a compiled closure."""
    count = made_closure(3)
    for i in range(n):
        count(i)


@program(2000)
def sorting(n):
    """A compiled function that a builtin calls."""
    return sum(sorted(range(n), key=negated)), len(list(map(negated, range(n))))


@compiled
def negated(x):
    """A key."""
    return -x


# Exceptions and contexts


@program(5000)
def exceptions(n):
    """Raising and catching."""
    count = 0
    for i in range(n):
        try:
            if i & 1:
                raise ValueError(i)
        except ValueError:
            count += 1
    return count


@program(10000)
def untaken_handlers(n):
    """Handlers that aren't needed."""
    count = 0
    for _ in range(n):
        try:
            count += 1
        except ValueError:
            count = 0
        finally:
            count += 1
    return count


@program(5000)
def missing_keys(n):
    """An exception from a builtin."""
    items, count = {}, 0
    for i in range(n):
        try:
            items[i]
        except KeyError:
            count += 1
    return count


@program(3000)
def contexts(n):
    """`with`."""
    manager = Manager()
    for i in range(n):
        with manager:
            i += 1
    return i


# Generators and coroutines


@program(10000)
def generators(n):
    """A loop over a generator."""
    total = 0
    for i in numbers(n):
        total += i
    return total


@program(10000)
def consumed_generators(n):
    """A generator that a builtin consumes."""
    return sum(numbers(n))


@program(5000)
def delegation(n):
    """`yield from`."""
    total = 0
    for i in delegating(n):
        total += i
    return total


@program(5000)
def sending(n):
    """`send`."""
    accumulator = accumulate()
    next(accumulator)
    for i in range(n):
        total = accumulator.send(i)
    return total


@program(2000)
def short_generators(n):
    """Generators that are made, used a little and dropped."""
    for _ in range(n):
        for _ in numbers(2):
            pass


@program(3000)
def coroutines(n):
    """`await`."""
    try:
        awaiting(n).send(None)
    except StopIteration as stop:
        return stop.value


@program(3000)
def generator_expressions(n):
    """Generator expressions, which run in the interpreter."""
    return sum(i * 2 for i in range(n))
