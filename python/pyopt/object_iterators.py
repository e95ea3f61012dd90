"""Iterators that are instances of classes: loops call their ``__next__`` until that raises StopIteration."""

from functools import cache
from inspect import CO_GENERATOR

from pyopt import types
from pyopt.errors import TypingError
from pyopt.extending import overload
from pyopt.once import once


def next_of(type):
    """Give the ``__next__`` that instances of a type have; None if they have none."""
    methods = getattr(type, "jit_methods", None)
    if methods is not None:
        return methods.get("__next__")
    return getattr(getattr(type, "instance_class", None), "__next__", None)


@once
def enter_next():
    """Have ``next`` call the method of instances."""
    overload(next, strict=False)(_next)


def _next(iterator, default=None):
    step = next_of(iterator)
    if step is None:
        return None
    if isinstance(default, types.Omitted) or default is None:
        return _stepping(step)
    return _stepping_or(step)


# What is made is one function however often it is asked for: caches of code compare answers.
@cache
def _stepping(step):
    return lambda iterator, default=None: step(iterator)


@cache
def _stepping_or(step):
    def body(iterator, default=None):
        try:
            return step(iterator)
        except StopIteration:
            return default

    return body


@cache
def iterating(method):
    """Give what loops go through for an ``__iter__``: a generator where that gives an instance."""
    if method.__code__.co_flags & CO_GENERATOR:
        return method
    return lambda self: _items(method(self))


def _items(found):
    """Give what there is to go through of what an ``__iter__`` has given."""
    raise NotImplementedError("compiled code has it")


@overload(_items)
def _(found):
    if not hasattr(found, "instance_class") and not hasattr(found, "jit_methods"):
        return lambda found: iter(found)
    step = next_of(found)
    if step is None:
        raise TypingError(f"iter() returned non-iterator of type {found}: it has no __next__")
    return _generator(step)


@cache
def _generator(step):
    def items(found):
        while True:
            try:
                item = step(found)
            except StopIteration:
                return
            yield item

    return items
