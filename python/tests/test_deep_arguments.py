"""Arguments within arguments, more than the stack has room for: an exception says so, whatever runs."""

import gc
import subprocess
import sys

import pytest

from pyopt import njit

DEEP = "maximum recursion depth exceeded while converting an argument"

MAKE = """
def in_itself():
    items = [None]
    items.append(items)
    return items


def dict_in_itself():
    items = {}
    items[1] = items
    return items


def tuples():
    items = (1,)
    for _ in range(200_000):
        items = (items,)
    return items


def lists():
    items = [1]
    for _ in range(200_000):
        items = [items]
    return items
"""
exec(MAKE)

KINDS = ("in_itself", "dict_in_itself", "tuples", "lists")


@pytest.mark.parametrize("kind", KINDS)
def test_too_deep_arguments_are_refused(kind):
    compiled = njit(lambda argument: len(argument))
    argument = globals()[kind]()
    for _ in range(2):
        with pytest.raises(RecursionError, match=DEEP):
            compiled(argument)
    assert compiled([1, 2]) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_garbage_is_collected_meanwhile(kind):
    compiled = njit(lambda first, argument: first)
    argument = globals()[kind]()
    threshold = gc.get_threshold()
    gc.set_threshold(1)
    try:
        # Where an exception is made, containers are allocated and texts of objects asked for.
        with pytest.raises(RecursionError, match=DEEP):
            compiled(1, argument)
        with pytest.raises(RecursionError, match=DEEP):
            compiled(1, argument=argument)
    finally:
        gc.set_threshold(*threshold)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [256 << 10, 0])
def test_the_stack_is_the_limit_where_the_interpreter_has_none(kind, size):
    script = f"""
import sys, threading
from pyopt import njit
{MAKE}
sys.setrecursionlimit(1_000_000)
compiled = njit(lambda argument: len(argument))
assert compiled([1, 2]) == 2


# Also freed where the stack is large: CPython 3.13 counts calls alone when it frees tuples in tuples.
argument = {kind}()


def run():
    for _ in range(2):
        try:
            compiled(argument)
        except RecursionError as error:
            print(error)


threading.stack_size({size})
thread = threading.Thread(target=run)
thread.start()
thread.join()
run()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{DEEP}\n" * 4, "")


@pytest.mark.parametrize("around", ["[inner]", "(inner,)", "{1: inner}"])
def test_more_than_a_thousand_are_too_deep(around):
    # In a process of its own: overloads and rewrites of other tests look into types, by recursion.
    script = f"""
from pyopt import njit

compiled = njit(lambda argument: len(argument))
around = lambda inner: {around}
argument = around(1)
for depth in range(1, 1001):
    if depth in (1, 2, 300):
        assert compiled(argument) == 1
    argument = around(argument)
for _ in range(2):
    try:
        compiled(argument)
    except RecursionError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{DEEP}\n" * 2, "")
