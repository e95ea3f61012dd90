"""How instances that compiled code has as structures become Python's objects, each structure one of them."""

import threading
from contextlib import contextmanager
from functools import cache

from pyopt import njit, types
from pyopt.definitions import define
from pyopt.extending import intrinsic
from pyopt.intrinsics import InMlir
from pyopt.structures import address_of as lines_of_address
from pyopt.structures import memory_of


@intrinsic
def _address(typingctx, instance):
    """Give what tells instances apart."""
    memory, lines = memory_of("%arg0", instance)
    lines += lines_of_address(memory, instance.memory.text)
    lines.append(f"%found = builtin.unrealized_conversion_cast {memory}_number : i64 to si64")
    lines.append("return %found : si64")
    return types.int64(instance), InMlir(lines)


@cache
def _compiled(name):
    if name is None:
        return njit(define("def address(self):\n    return of(self)\n", "address", {"of": _address}))
    return njit(define(f"def get(self):\n    return self.{name}\n", "get", {}))


def address_of(shared):
    """Give the address of the structure that an object has."""
    return _compiled(None)(shared)


class _Boxing(threading.local):
    """The instances that a thread is making: those that were begun, and those without fields so far."""

    def __init__(self):
        self.begun, self.waiting = None, []
        #: Whether what has the memory is given in the place of instances.
        self.is_raw = False
        #: By calls of the thread: instances that are there for structures, by address. Each has what keeps
        #: the structure, so that no other one gets its address.
        self.known = {}


_boxing = _Boxing()


@contextmanager
def raw_memory():
    """Have instances that calls return stay memory."""
    _boxing.is_raw, outer = True, _boxing.is_raw
    try:
        yield
    finally:
        _boxing.is_raw = outer


def enter_table(owner, table):
    """Say which instances are there for structures; give what forgets them, which ``owner`` has called."""
    known = _boxing.known
    known[id(owner)] = table
    return lambda: known.pop(id(owner), None)


@contextmanager
def boxing_among(table):
    """Have instances that are made meanwhile entered where those are that are known."""
    _boxing.begun, outer = table, _boxing.begun
    try:
        yield
        _make_fields()
    finally:
        _boxing.begun = outer


def object_of(cls, fields, shared):
    """Make the instance for Python; what its fields refer to is made once, however long the chain is."""
    if _boxing.is_raw:
        return shared
    is_first = _boxing.begun is None
    if is_first:
        _boxing.begun = {}
    try:
        address = address_of(shared)
        tables = (_boxing.begun, *_boxing.known.values())
        found = next((table[address] for table in tables if address in table), None)
        if found is None:
            found = _boxing.begun[address] = object.__new__(cls), shared
            _boxing.waiting.append((found[0], fields, shared))
        if is_first:
            _make_fields()
        return found[0]
    finally:
        if is_first:
            _boxing.begun, _boxing.waiting = None, []


def _make_fields():
    while _boxing.waiting:
        instance, names, shared = _boxing.waiting.pop()
        for name in names:
            object.__setattr__(instance, name, _compiled(name)(shared))
