"""Code that overloads were asked for is used while they answer the same."""

from projects import Project


def test_overloads_that_change(tmp_path):
    main = """
from pyopt import njit
from pyopt.extending import overload
from helpers import clamp, other

@overload(clamp)
def clamp_overload(x):
    FIRST
    def body(x):
        return x * SCALE
    return body

MORE

@njit(cache=True)
def f(x):
    return clamp(x)

SCALE = 3

def run():
    return f(2)
"""
    helpers = "def clamp(x):\n    pass\n\ndef other(x):\n    pass\n"

    def text(first="", more="", scale="3"):
        made = main.replace("FIRST", first or "pass").replace("MORE", more)
        return made.replace("SCALE = 3", f"SCALE = {scale}")

    project = Project(tmp_path, main=text(), helpers=helpers)
    assert (project.run().counts, project.run().counts) == ((0, 1), (1, 0))
    # What the body refers to, which only asking the overload says.
    project.write(main=text(scale="4"))
    changed = project.run()
    assert (changed.value, changed.counts) == ("8", (0, 1))
    # What the overload does that isn't in the body.
    project.write(main=text(first="x = x.name"))
    same = project.run()
    assert (same.value, same.hits + same.misses) == ("6", 1)
    # One that is asked behind it.
    later = "@overload(clamp)\ndef later(x):\n    return lambda x: -x\n"
    project.write(main=text(more=later))
    behind = project.run()
    assert (behind.value, behind.counts) == ("6", (1, 0))
    # Other names, which nothing asks for.
    project.write(main=text(more=later.replace("clamp", "other")))
    other = project.run()
    assert (other.value, other.counts) == ("6", (1, 0))


USES = """
import os
from dataclasses import dataclass
import operator
import numpy as np
from pyopt import njit, typed, types
from pyopt.extending import overload, overload_method

@dataclass(frozen=True)
class Point:
    x: int
    def last(self):
        return self.x

class Rows:
    pass

@njit(cache=True)
def end_of(items):
    return items[-1] + len(items)

@njit(cache=True)
def last_of(point):
    return point.last() + point.x

@njit(cache=True)
def appended(items):
    items.append(items[0] * 2)
    return items[-1]

@njit(cache=True)
def text_of(items):
    return str(sum(items)) if items else ""

def typed_list():
    made = typed.List()
    made.append(5)
    return appended(made)

if "MORE" in os.environ:
    @overload(operator.getitem)
    def row(rows, at):
        if isinstance(rows, types.BaseTuple) and "ALSO" in os.environ:
            return lambda rows, at: 0

    @overload_method(types.Integer, "last")
    def last_of_int(value):
        return lambda value: value

USES = [lambda: end_of((1, 2)), lambda: last_of(Point(3)), typed_list, lambda: text_of([1, 2])]

def run():
    order = range(4) if "BACK" not in os.environ else range(3, -1, -1)
    made = {at: USES[at]() for at in order}
    return [made[at] for at in range(4)]
"""


def test_what_a_process_has_registered_does_not_matter(tmp_path):
    """Dataclasses and typed containers register overloads when they are met."""
    project = Project(tmp_path, main=USES)
    first = project.run()
    assert (first.value, first.counts) == ("[4, 6, 10, '3']", (0, 4))
    # In another order, and with overloads of what is used that are for other types, also in turns.
    for more in [{"BACK": "1"}, {"MORE": "1"}, {}, {"MORE": "1", "BACK": "1"}]:
        again = project.run(**more)
        assert (again.value, again.counts) == (first.value, (4, 0)), more


def test_an_overload_that_comes_later_is_asked(tmp_path):
    project = Project(tmp_path, main=USES)
    assert project.run().value == "[4, 6, 10, '3']"
    # The operator of a tuple, which no process had an overload of.
    later = project.run(MORE="1", ALSO="1")
    assert (later.value, later.counts) == ("[2, 6, 10, '3']", (3, 1))
    back = project.run()
    assert back.value == "[4, 6, 10, '3']"


def test_a_library_function_does_not_take_over_a_programs_overloads(tmp_path):
    main = """
import numpy as np
from pyopt import njit
from pyopt.extending import overload
OVERLOAD
@njit(cache=True)
def f(a):
    return np.median(a), np.percentile(a, 25.0)

def run():
    return f(np.array([1.5, 2.5, 3.5, 4.5]))
"""
    overload = """
for one in (np.floor, np.sort, np.partition, np.mean, np.isnan):
    @overload(one, strict=False)
    def _(x, *rest):
        return lambda x, *rest: x
"""
    project = Project(tmp_path, main=main.replace("OVERLOAD", overload))
    value = project.run().value
    project.write(main=main.replace("OVERLOAD", ""))
    assert project.run().value == value


def test_intrinsics_and_literals(tmp_path):
    main = """
from pyopt import njit, types
from pyopt.extending import intrinsic, overload
from helpers import clamp

@intrinsic
def shifted(typingctx, x):
    def codegen(context, builder, signature, args):
        return builder.shl(args[0], args[0].type(AMOUNT))
    return x(x), codegen

@overload(clamp, prefer_literal=True)
def _(x):
    if isinstance(x, types.Literal):
        return lambda x: x + 100

@njit(cache=True)
def f(x):
    return shifted(x) + clamp(VALUE)

def run():
    return f(3)
"""
    project = Project(tmp_path, main=main.replace("AMOUNT", "1").replace("VALUE", "5"))
    project.write(helpers="def clamp(x):\n    pass\n")
    assert (project.run().value, project.run().counts) == ("111", (1, 0))
    project.write(main=main.replace("AMOUNT", "2").replace("VALUE", "5"))
    changed = project.run()
    assert (changed.value, changed.counts) == ("117", (0, 1))
    project.write(main=main.replace("AMOUNT", "2").replace("VALUE", "6"))
    assert project.run().value == "118"


def test_own_types(tmp_path):
    main = """
from pyopt import njit, types
from pyopt.extending import NativeValue, box, make_attribute_wrapper, models
from pyopt.extending import register_model, typeof_impl, unbox
from pyopt.intrinsics import cgutils

class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __repr__(self):
        return f"Pair({self.a}, {self.b})"

class PairType(types.Type):
    def __init__(self):
        super().__init__(name="Pair")

@typeof_impl.register(Pair)
def _(value, context):
    return PairType()

@register_model(PairType)
class Model(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("a", types.float64), ("b", types.float64)])

make_attribute_wrapper(PairType, "FIELD", "x")

@unbox(PairType)
def _(type, object, c):
    made = cgutils.create_struct_proxy(type)(c.context, c.builder)
    made.a = c.unbox(types.float64, c.pyapi.object_getattr_string(object, "a")).value
    made.b = c.unbox(types.float64, c.pyapi.object_getattr_string(object, "b")).value
    return NativeValue(made._getvalue())

@box(PairType)
def _(type, value, c):
    made = cgutils.create_struct_proxy(type)(c.context, c.builder, value=value)
    kind = c.pyapi.unserialize(c.pyapi.serialize_object(Pair))
    return c.pyapi.call_function_objargs(kind, (c.box(types.float64, made.a), c.box(types.float64, made.b)))

@njit(cache=True)
def f(pair):
    return pair, pair.x

def run():
    return f(Pair(1.0, 2.0))
"""
    project = Project(tmp_path, main=main.replace("FIELD", "a"))
    first, second = project.run(), project.run()
    assert first.value == second.value == "(Pair(1.0, 2.0), 1.0)" and second.counts == (1, 0)
    project.write(main=main.replace("FIELD", "b"))
    changed = project.run()
    assert (changed.value, changed.counts) == ("(Pair(1.0, 2.0), 2.0)", (0, 1))


def test_classes_in_functions_of_the_library(tmp_path):
    main = """
import collections
import dataclasses
from pyopt import njit

@dataclasses.dataclass(frozen=True)
class Task:
    a: int
    b: int

    def __lt__(self, other):
        return self.FIELD < other.FIELD

@njit(cache=True)
def f(n):
    tasks = [Task(i, -i) for i in range(n)]
    known = {Task(1, 2): 3}
    queue = collections.deque(maxlen=2)
    for task in tasks:
        queue.append(task.a)
    return min(tasks).a, max(tasks).a, known[Task(1, 2)], queue

def run():
    return f(5)
"""
    project = Project(tmp_path, main=main.replace("FIELD", "a"))
    first, second = project.run(), project.run()
    assert first.value == second.value == "(0, 4, 3, deque([3, 4], maxlen=2))"
    assert second.counts == (1, 0)
    project.write(main=main.replace("FIELD", "b"))
    changed, again = project.run(), project.run()
    assert changed.value == again.value == "(4, 0, 3, deque([3, 4], maxlen=2))"
    # That the old code was looked at first changes nothing of what is kept.
    assert (changed.counts, again.counts) == ((0, 1), (1, 0))
