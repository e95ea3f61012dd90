"""Python's objects that the border makes are given up with the call, though nothing of PyO3's attaches."""

import enum
import gc
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass

import pytest

from pyopt import njit, own_types, typed, typeof, types
from pyopt.experimental import jitclass


class Kind(enum.Enum):
    A = 1
    B = 2


@dataclass
class Point:
    x: int


@jitclass([("value", types.int64)])
class Holder:
    def __init__(self, value):
        self.value = value


def lists_by_key(n):
    found = defaultdict(list)
    for i in range(n):
        found[i].append(i)
    return found


def long_tuple(n):
    items = [n]
    items.append(2)
    return tuple(items)


def typed_list(n):
    items = typed.List()
    items.append(n)
    return items


def caused(n):
    try:
        return 1 // (n - 3)
    except ZeroDivisionError as error:
        raise ValueError("bad") from error


def in_a_handler(n):
    try:
        return 1 // (n - 3)
    except ZeroDivisionError:
        raise ValueError(f"bad {n}")  # noqa: B904


PROGRAMS = {
    "deque": lambda n: deque([n]),
    "Counter": lambda n: Counter([n]),
    "OrderedDict": lambda n: OrderedDict([(n, 1)]),
    "defaultdict": lists_by_key,
    "frozenset": lambda n: frozenset([n]),
    "tuple": long_tuple,
    "typed list": typed_list,
    "member": lambda n: Kind.A,
    "members": lambda n: [Kind.A for _ in range(100)],
    "dataclass": lambda n: Point(n),
    "instance": lambda n: Holder(n),
    "dict": lambda n: {n: str(n)},
    "cause": caused,
    "context": in_a_handler,
}

# Blocks of memory for each call that Python's own caches may come to hold meanwhile.
NOISE = 0.2


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_released(name):
    compiled = njit(PROGRAMS[name])

    def call(times):
        for _ in range(times):
            try:
                compiled(3)
            except ValueError:
                pass
        gc.collect()
        return sys.getallocatedblocks()

    call(50)
    before = call(50)
    assert (call(500) - before) / 500 < NOISE


def test_classes_of_results_are_released():
    compiled = njit(lambda n: Kind.A)
    compiled(3)
    stand_in = own_types.own_type(typeof(Kind.A)).stand_in
    before = sys.getrefcount(stand_in)
    for _ in range(50):
        compiled(3)
    assert sys.getrefcount(stand_in) < before + 10
