# The bodies of methods are named as these, and say what they do.
# ruff: noqa: D103
"""The methods that typed sets share with those of Python's, and the operators that combine typed containers.

A typed container that is combined with another one, or with a list, dict or set, gives a typed one; dicts of
``collections`` give what Python has there.
"""

import operator

from pyopt import types
from pyopt.containers import (
    FrozenSetType,
    ListType,
    TypedDictType,
    TypedSetType,
    changing,
    held,
    kept,
    maker_of,
    method,
    plain,
)
from pyopt.extending import overload, overload_method

_SETS = (TypedSetType, FrozenSetType, types.Set)


def as_set(items):
    """Give the set of some items, which is these if they are one."""
    raise NotImplementedError("compiled code has it")


@overload(as_set)
def _(items):
    return (lambda items: plain(items)) if isinstance(items, _SETS) else (lambda items: set(items))


def items_apart(items):
    """Give items to go through while a typed set changes that may be these."""
    raise NotImplementedError("compiled code has it")


@overload(items_apart)
def _(items):
    return (lambda items: list(held(items))) if isinstance(items, TypedSetType) else (lambda items: items)


@overload_method(TypedSetType, "copy")
def _(self):
    make = maker_of(self.changeable)

    def copy(self):
        made = make()
        for item in held(self):
            held(made).add(item)
        return made

    return copy


@method(TypedSetType)
def update(self, *others):
    for other in others:
        for item in other:
            changing(self).add(kept(self, item))


@method(TypedSetType)
def intersection_update(self, *others):
    for other in others:
        wanted = as_set(other)
        for item in list(held(self)):
            if item not in wanted:
                changing(self).discard(item)


@method(TypedSetType)
def difference_update(self, *others):
    for other in others:
        for item in items_apart(other):
            changing(self).discard(item)


@method(TypedSetType)
def symmetric_difference_update(self, other):
    for item in list(as_set(other)):
        if item in held(self):
            changing(self).discard(item)
        else:
            changing(self).add(kept(self, item))


@method(TypedSetType)
def union(self, *others):
    made = self.copy()
    made.update(*others)
    return made


@method(TypedSetType)
def intersection(self, *others):
    made = self.copy()
    made.intersection_update(*others)
    return made


@method(TypedSetType)
def difference(self, *others):
    made = self.copy()
    made.difference_update(*others)
    return made


@method(TypedSetType)
def symmetric_difference(self, other):
    made = self.copy()
    made.symmetric_difference_update(other)
    return made


@method(TypedSetType)
def issubset(self, other):
    return held(self).issubset(plain(other))


@method(TypedSetType)
def issuperset(self, other):
    return held(self).issuperset(plain(other))


@method(TypedSetType)
def isdisjoint(self, other):
    return held(self).isdisjoint(plain(other))


# What a typed container of a class is combined with.
_COMBINED = {
    TypedSetType: (TypedSetType, FrozenSetType, types.Set),
    ListType: (ListType, types.List),
    TypedDictType: (types.DictType,),
}

#: What puts all items of something in: first the method, then the operator.
FILLED_BY = {
    TypedSetType: ("update", "__iadd__"),
    TypedDictType: ("update", "__iadd__"),
    ListType: ("extend", "__iadd__"),
}


# The plain containers that operators fill with typed ones.
_FILLED = {ListType: types.List, TypedDictType: types.Dict}


def _is_owner(one, kind):
    """Whether a container combined with others gives one of its class."""
    return isinstance(one, kind) and one.gives_its_class and not one.is_builtin


def _binary(kind, name):
    """Give the overload of an operator that a method does in place."""
    fill = FILLED_BY[kind][0]

    def of_left(left, right):
        made = left.copy()
        getattr(made, name)(right)
        return made

    def of_right(left, right):
        made = right.copy()
        made.clear()
        getattr(made, fill)(left)
        getattr(made, name)(right)
        return made

    def implement(left, right):
        if not (isinstance(left, _COMBINED[kind]) and isinstance(right, _COMBINED[kind])):
            return None
        if _is_owner(left, kind):
            return of_left
        # A list joins nothing but lists.
        return of_right if _is_owner(right, kind) and kind is not ListType else None

    return implement


def _inplace(kind, name):
    """Give the overload of an operator that changes the left one by a method."""

    def change(left, right):
        getattr(left, name)(right)
        return left

    def implement(left, right):
        if isinstance(left, _FILLED.get(kind, ())) and isinstance(right, kind):
            return change
        is_changed = isinstance(left, kind) and left.gives_its_class
        # Sets alone take nothing but their like.
        is_taken = kind is not TypedSetType or isinstance(right, _COMBINED[kind])
        return change if is_changed and is_taken else None

    return implement


# Each operator, the one that assigns, and the method that does the latter.
_OPERATORS = (
    (TypedSetType, operator.or_, operator.ior, "update"),
    (TypedSetType, operator.and_, operator.iand, "intersection_update"),
    (TypedSetType, operator.sub, operator.isub, "difference_update"),
    (TypedSetType, operator.xor, operator.ixor, "symmetric_difference_update"),
    (TypedDictType, operator.or_, operator.ior, "update"),
    (ListType, operator.add, operator.iadd, "extend"),
)


def _repeated(left, right):
    """Give the overload of a product of a typed list and a number."""

    def repeat(left, right):
        made = left[:0]
        for _ in range(right):
            made.extend(left)
        return made

    if _is_owner(left, ListType) and isinstance(right, types.Integer):
        return repeat
    if _is_owner(right, ListType) and isinstance(left, types.Integer):
        return lambda left, right: right * left
    return None


def _repeated_inplace(left, right):
    if not (isinstance(left, ListType) and isinstance(right, types.Integer)):
        return None

    def repeat(left, right):
        once = left.copy()
        if right < 1:
            left.clear()
        for _ in range(1, right):
            left.extend(once)
        return left

    return repeat


def _as_dict(items=None):
    """Give the overload of ``dict`` for typed dicts."""
    if isinstance(items, TypedDictType):
        return lambda items: {key: value for key, value in held(items).items()}
    return None


def enter_operators():
    """Enter what operators make of typed containers."""
    for kind, function, inplace, name in _OPERATORS:
        overload(function)(_binary(kind, name))
        overload(inplace)(_inplace(kind, name))
    overload(dict, strict=False)(_as_dict)
    overload(operator.mul)(_repeated)
    overload(operator.imul)(_repeated_inplace)
