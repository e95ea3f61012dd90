# The bodies of methods are named as these, and say what they do.
# ruff: noqa: D103
"""``frozenset`` in compiled code: a set that nothing changes, in a structure as typed containers are."""

import operator

import numpy as np

from pyopt import njit, own_types, types
from pyopt.containers import FrozenSetType, held, kept, maker_of, method, plain
from pyopt.errors import TypingError
from pyopt.extending import overload, overload_attribute
from pyopt.open_containers import holds_nothing, item_type
from pyopt.structures import SharedInstance, StructRefProxy, define_shared
from pyopt.typed import Set


class _Shared(SharedInstance):
    __slots__ = ()


define_shared(FrozenSetType, _Shared)


@njit
def _items(self):
    return [item for item in held(self)]


@njit
def _size(self):
    return len(held(self))


@overload_attribute(FrozenSetType, "__class__")
def _(self):
    return lambda self: frozenset


@own_types.box(FrozenSetType)
def _(type, memory):
    shared = _Shared._numba_box_(type, memory)
    return frozenset(_items(shared) if _size(shared) else ())


@njit
def _shared_of(items):
    return Set(items)


@own_types.unbox(FrozenSetType)
def _(value):
    # In memory it is what a typed set is.
    return StructRefProxy._meminfo.__get__(_shared_of(list(value)))


@overload(frozenset, strict=False)
def _(iterable=None):
    if holds_nothing(iterable):
        raise TypingError(
            "it isn't known what a frozenset() without items holds: make it of a set that has a type, as in "
            "'frozenset(x for x in range(0))'"
        )
    item = item_type(iterable)
    if item is None:
        raise TypingError(f"a frozenset has items of one type, not those of {iterable}")
    return _maker_of(FrozenSetType(item))


def _maker_of(type):
    """Give a function that makes a frozen set of items."""
    make = maker_of(type)

    def freeze(iterable):
        made = make()
        for item in iterable:
            held(made).add(kept(made, item))
        return made

    return freeze


@method(FrozenSetType)
def union(self, *others):
    return frozenset(held(self).union(*others))


@method(FrozenSetType)
def intersection(self, *others):
    return frozenset(held(self).intersection(*others))


@method(FrozenSetType)
def difference(self, *others):
    return frozenset(held(self).difference(*others))


@method(FrozenSetType)
def symmetric_difference(self, other):
    return frozenset(held(self).symmetric_difference(plain(other)))


@method(FrozenSetType)
def issubset(self, other):
    return held(self).issubset(plain(other))


@method(FrozenSetType)
def issuperset(self, other):
    return held(self).issuperset(plain(other))


@method(FrozenSetType)
def isdisjoint(self, other):
    return held(self).isdisjoint(plain(other))


@method(FrozenSetType)
def copy(self):
    return self


@overload(hash, strict=False)
def _(obj):
    return _hash if isinstance(obj, FrozenSetType) else None


def _hash(obj):
    # As CPython computes it: the order of the items doesn't matter.
    found = np.uint64(0)
    for item in held(obj):
        bits = np.uint64(hash(item))
        found ^= ((bits ^ np.uint64(89869747)) ^ (bits << np.uint64(16))) * np.uint64(3644798167)
    found ^= np.uint64(len(held(obj)) + 1) * np.uint64(1927868237)
    found ^= (found >> np.uint64(11)) ^ (found >> np.uint64(25))
    found = found * np.uint64(69069) + np.uint64(907133923)
    return np.int64(590923713) if found == np.uint64(18446744073709551615) else np.int64(found)


def _operator(function):
    """Combine frozen sets with each other and with sets; the result is what the left one is."""

    def implement(left, right):
        sets = (FrozenSetType, types.Set)
        if not (isinstance(left, sets) and isinstance(right, sets)):
            return None
        if isinstance(left, FrozenSetType):
            return lambda left, right: frozenset(function(held(left), plain(right)))
        return (lambda left, right: function(left, held(right))) if isinstance(right, FrozenSetType) else None

    return implement


for _function in (operator.or_, operator.and_, operator.sub, operator.xor):
    overload(_function)(_operator(_function))


# The last of all: another thread may ask for a set's type as soon as there is an answer.
@own_types.typeof_impl.register(frozenset)
def _(value, context):
    found = {own_types.typeof_impl(item) for item in value}
    if len(found) != 1:
        several = " and ".join(sorted(map(str, found)))
        what = f"of items of several types: {several}" if found else "without items: its type isn't known"
        raise TypingError(f"cannot pass a frozenset {what}")
    return FrozenSetType(*found)
