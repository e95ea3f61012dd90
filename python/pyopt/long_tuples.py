# The bodies of methods are named as these, and say what they do.
# ruff: noqa: D103
"""Tuples of so many items as there are at run time: what ``tuple`` makes of lists, texts and other iterables.

The compiler's own tuples have as many items as their type says. These are lists that nobody changes, in a
structure as typed containers are; Python gets tuples for them. The compiler loads this module when a program
has the first one.
"""

import operator
from functools import cache

import numpy as np

from pyopt import njit, own_types, types
from pyopt.containers import BODIES, COMPARISONS, Container, ListType, held, kept, maker_of, method
from pyopt.definitions import define
from pyopt.extending import overload, overload_attribute
from pyopt.open_containers import holds_nothing, item_type
from pyopt.structures import SharedInstance, define_shared


class LongTupleType(Container, types.Iterable):
    """The type of tuples of any length whose items have one type."""

    shown, maker = "tuple", "list_new"

    def __init__(self, dtype):
        """Describe a tuple of items of a type."""
        super().__init__(types.List(dtype), dtype)
        self.dtype = self.item_type = dtype


@own_types.register_model(LongTupleType)
class _Model(own_types.StructRefModel):
    """The model of long tuples, which the compiler knows by the name of the field."""

    field = f"{types.STRUCTURE}.tuple"


class _Shared(SharedInstance):
    __slots__ = ()


define_shared(LongTupleType, _Shared)


@njit
def _items(self):
    return list(held(self))


@njit
def _size(self):
    return len(held(self))


@own_types.box(LongTupleType)
def _(type, memory):
    shared = _Shared._numba_box_(type, memory)
    return tuple(_items(shared)) if _size(shared) else ()


@overload_attribute(LongTupleType, "__class__")
def _(self):
    return lambda self: tuple


def of(iterable):
    """Make a tuple of the items of what has any number of them, for the compiler."""
    raise NotImplementedError("compiled code has it")


@overload(of, strict=False)
def _(iterable):
    if isinstance(iterable, LongTupleType):
        return lambda iterable: iterable
    if holds_nothing(iterable):
        return lambda iterable: ()
    item = item_type(iterable)
    return None if item is None else _maker_of(LongTupleType(item))


def _maker_of(type):
    """Give a function that makes a tuple of items."""
    make = maker_of(type)

    def collect(iterable):
        made = make()
        for item in iterable:
            held(made).append(kept(made, item))
        return made

    return collect


def columns(rows):
    """Make the tuples of items that stand at one place in all rows: ``zip(*rows)``, for the compiler."""
    raise NotImplementedError("compiled code has it")


@overload(columns, strict=False)
def _(rows):
    row = item_type(rows)
    if isinstance(row, types.BaseTuple) and item_type(row) is None:
        return None
    indexed = (types.List, types.BaseTuple, LongTupleType, types.UnicodeType, types.Bytes, types.Array)
    return _columns if isinstance(row, indexed) else None


def _columns(rows):
    if len(rows) > 0:
        for at in range(min([len(row) for row in rows])):
            yield of([row[at] for row in rows])


def unpacked_columns(rows):
    """Make the columns of rows whose items have several types, where all are unpacked, for the compiler."""
    raise NotImplementedError("compiled code has it")


@overload(unpacked_columns, strict=False)
def _(rows):
    row = item_type(rows)
    return _unpacker(len(row.types)) if isinstance(row, types.BaseTuple) else None


@cache
def _unpacker(count):
    columns = "".join(f"of([row[{at}] for row in rows]), " for at in range(count))
    # There is nothing to unpack then.
    text = f"not enough values to unpack (expected {count}, got 0)"
    source = (
        "def columns(rows):\n"
        "    if len(rows) == 0:\n"
        f"        raise ValueError({text!r})\n"
        f"    return ({columns})\n"
    )
    return define(source, "columns", {"of": of})


for _name in ("__len__", "__bool__", "__iter__", "__contains__"):
    method(LongTupleType)(BODIES[ListType, _name])


@method(LongTupleType)
def index(self, item):
    at = 0
    for one in held(self):
        if one == item:
            return at
        at += 1
    raise ValueError("tuple.index(x): x not in tuple")


@method(LongTupleType)
def count(self, item):
    return held(self).count(item)


@overload(operator.getitem, strict=False)
def _(items, index):
    if not isinstance(items, LongTupleType):
        return None
    if isinstance(index, types.SliceType):
        return lambda items, index: of(held(items)[index])
    return _item


def _item(items, index):
    size = len(held(items))
    if index < -size or index >= size:
        raise IndexError("tuple index out of range")
    return held(items)[index]


def _is_empty(type):
    return isinstance(type, types.BaseTuple) and not type.types


def _are_tuples(*both):
    """Whether one is a tuple of any length, and the other one may be joined to it."""
    return any(isinstance(one, LongTupleType) for one in both) and all(map(_has_one_type, both))


def _has_one_type(type):
    is_uniform = isinstance(type, types.BaseTuple) and item_type(type) is not None
    return isinstance(type, LongTupleType) or is_uniform or _is_empty(type)


@overload(operator.add)
def _(left, right):
    if not _are_tuples(left, right):
        return None
    if _is_empty(left):
        return lambda left, right: right
    if _is_empty(right):
        return lambda left, right: left
    return lambda left, right: of(held(of(left)) + held(of(right)))


@overload(operator.mul)
def _(left, right):
    if isinstance(left, LongTupleType) and isinstance(right, types.Integer):
        return lambda left, right: of(held(left) * right)
    return None


def _compared(function, left, right):
    """Compare a tuple of any length with another one, or one of the compiler's, item by item."""
    if not _are_tuples(left, right):
        return None
    if _is_empty(left) or _is_empty(right):
        return lambda left, right: function(len(left), len(right))
    return lambda left, right: function(held(of(left)), held(of(right)))


COMPARISONS.append(_compared)


@overload(reversed)
def _(sequence):
    return (lambda sequence: reversed(held(sequence))) if isinstance(sequence, LongTupleType) else None


def _array(function):
    def implement(items, *dtype):
        if not isinstance(items, LongTupleType):
            return None
        return lambda items, *dtype: function(held(items), *dtype)

    return implement


for _function in (np.array, np.asarray):
    overload(_function, strict=False)(_array(_function))


@overload(hash, strict=False)
def _(obj):
    return _hash if isinstance(obj, LongTupleType) else None


def _hash(obj):
    # As CPython computes it, so that a tuple of known length which equals it has the same.
    found = np.uint64(2870177450012600261)
    for item in held(obj):
        found += np.uint64(hash(item)) * np.uint64(14029467366897019727)
        found = ((found << np.uint64(31)) | (found >> np.uint64(33))) * np.uint64(11400714785074694791)
    found += np.uint64(len(held(obj))) ^ np.uint64(2870177450012600261 ^ 3527539)
    return np.int64(1546275796) if found == np.uint64(18446744073709551615) else np.int64(found)


for _function in (repr, str):
    overload(_function, strict=False)(lambda obj: _text if isinstance(obj, LongTupleType) else None)


def _text(obj):
    if len(held(obj)) == 1:
        return f"({held(obj)[0]!r},)"
    return "(" + ", ".join([repr(item) for item in held(obj)]) + ")"
