"""How objects of ``collections`` are compared in compiled code.

Dicts of all classes equal each other by their items. Two ordered ones are in one order then, and a
``Counter`` counts 0 of what it hasn't. A container that nothing is put into has no types, and is compared by
its length.
"""

import operator
from functools import cache

from pyopt import njit, types
from pyopt.collection_types import CounterType, DefaultDictType, OrderedDictType
from pyopt.containers import COMPARISONS, held, plain
from pyopt.deques import DequeType, pack
from pyopt.open_containers import OpenContainer

_EQUALITY = (operator.eq, operator.ne)
_DICTS = (CounterType, DefaultDictType, OrderedDictType)


# The form of ``{}`` where nothing is put into it.
_EMPTY_DICT = "!typed.dict<none, none>"


def _kind(type_):
    """Give the class of types of a container, also where it has no types yet."""
    if type_.text == _EMPTY_DICT:
        return types.Dict
    if isinstance(type_, OpenContainer):
        return type_.kind
    return getattr(type_, "class_of_copies", type(type_))


def _compare(function, left, right):
    kinds = _kind(left), _kind(right)
    if kinds == (DequeType, DequeType):
        return _by_length(function) if _is_open(left, right) else _deques(function)
    if not any(issubclass(kind, _DICTS) for kind in kinds):
        return None
    if kinds == (CounterType, CounterType):
        are_open = _is_open(left), _is_open(right)
        return _with_no_counts(function, are_open) if any(are_open) else _counters(function)
    are_dicts = all(issubclass(kind, types.DictType) for kind in kinds)
    if function not in _EQUALITY or not are_dicts:
        return None
    if _is_open(left, right):
        return _by_length(function)
    return _ordered(function) if kinds == (OrderedDictType, OrderedDictType) else _items(function)


COMPARISONS.append(_compare)


def _is_open(*containers):
    return any(isinstance(one, OpenContainer) or one.text == _EMPTY_DICT for one in containers)


@cache
def _by_length(function):
    return lambda left, right: function(len(left), len(right))


@cache
def _items(function):
    return lambda left, right: function(plain(left), plain(right))


@cache
def _deques(function):
    def compare(left, right):
        # What was taken out at the front is still there.
        pack(left)
        pack(right)
        return function(held(left), held(right))

    return compare


@cache
def _ordered(function):
    def compare(left, right):
        return function([item for item in held(left).items()], [item for item in held(right).items()])

    return compare


# An order of Counters says of each count what it says of all; a strict one also that some count differs.
_WEAK = {operator.lt: operator.le, operator.gt: operator.ge, operator.ne: operator.eq}


def _by_counts(function, holds):
    """Give the body for an operator, by a function that says whether its weak form holds of all counts."""

    def differs(left, right):
        return not holds(left, right)

    def is_strict(left, right):
        return holds(left, right) and left != right

    if function is operator.ne:
        return differs
    return is_strict if function in _WEAK else holds


@cache
def _counters(function):
    weak = _WEAK.get(function, function)

    @njit
    def holds(left, right):
        for key in held(left):
            if not weak(left[key], right[key]):
                return False
        for key in held(right):
            if not weak(left[key], right[key]):
                return False
        return True

    return _by_counts(function, holds)


@cache
def _with_no_counts(function, are_open):
    weak = _WEAK.get(function, function)

    @njit
    def of_right(left, right):
        for count in held(right).values():
            if not weak(0, count):
                return False
        return True

    @njit
    def of_left(left, right):
        for count in held(left).values():
            if not weak(count, 0):
                return False
        return True

    if all(are_open):
        return _by_length(function)
    return _by_counts(function, of_right if are_open[0] else of_left)
