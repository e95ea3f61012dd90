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
    # One that is asked first.
    later = "@overload(clamp)\ndef later(x):\n    return lambda x: -x\n"
    project.write(main=text(more=later))
    replaced = project.run()
    assert (replaced.value, replaced.counts) == ("-2", (0, 1))
    # Other names, which could have been asked for.
    project.write(main=text(more=later.replace("clamp", "other")))
    other = project.run()
    assert (other.value, other.counts) == ("6", (0, 1))


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
