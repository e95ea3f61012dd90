"""Functions that make the values of a ``defaultdict``: lambdas and others without parameters.

Such a function is known by the type of the dicts, a class of types for each function. It has no variables of
other functions, which would be part of each dict.
"""

import collections

from pyopt import types
from pyopt.collection_types import (
    HELD,
    CounterType,
    DefaultDictType,
    OrderedDictType,
    enter_class,
    held_type,
    value_of,
)
from pyopt.errors import TypingError
from pyopt.extending import intrinsic, overload
from pyopt.intrinsics import InMlir
from pyopt.made_functions import function_of
from pyopt.once import once
from pyopt.open_containers import EMPTY, OpenContainer, new_open, open_type

_NUMBERS_AND_TEXTS = (types.Number, types.Boolean, types.UnicodeType, types.Bytes)
# Containers of which nobody knows yet what they hold.
_EMPTY = dict(zip(("!typed.list<none>", "!typed.set<none>", "!typed.dict<none, none>"), HELD, strict=True))


def body_of_factory(factory):
    """Give the body that makes a ``defaultdict`` whose values a function makes."""
    # What it makes is known without that it is called.
    return lambda default_factory: _new(default_factory, [default_factory() for _ in range(0)])


def _new(default_factory, examples):
    """Make a ``defaultdict`` whose values are as the items of a list, which a function makes."""
    raise NotImplementedError("compiled code has it")


@overload(_new, strict=False)
def _(default_factory, examples):
    return new_open(_kind_of(default_factory), _type_of_values(default_factory, examples.dtype))


def _type_of_values(factory, value):
    """Give the type as which a ``defaultdict`` keeps what a function makes."""
    if value.text in _EMPTY:
        return open_type(_EMPTY[value.text])
    is_open = isinstance(value, OpenContainer) and issubclass(
        value.kind, (CounterType, DefaultDictType, OrderedDictType)
    )
    items = value.types if isinstance(value, types.BaseTuple) else (value,)
    if (
        isinstance(value, types.ClassInstanceType)
        or is_open
        or all(isinstance(one, _NUMBERS_AND_TEXTS) for one in items)
    ):
        return value
    if isinstance(value, (types.List, types.Set, types.Dict)):
        return held_type(value)
    raise TypingError(
        "the values of a defaultdict are numbers, texts, tuples, lists, sets or dicts in compiled code, not "
        f"{value}, which its factory makes; use setdefault() of a dict"
    )


@once
def _kind_of(factory):
    """Give the class of types of the dicts whose values a function makes."""
    symbol = factory.text.partition("@")[2].removesuffix(">").strip('"')
    # Texts of types are taken apart at angle brackets.
    shown = f"defaultdict({symbol.replace('<', '(').replace('>', ')')})"
    scope = {"factory": factory, "shown": shown, "made_class": staticmethod(_maker_in_python(factory))}
    kind = type("DefaultDictType", (DefaultDictType,), scope)
    enter_class(kind)
    EMPTY[kind] = lambda type, memory: kind.made_class({})
    return kind


def _maker_in_python(factory):
    """Give what makes the object that Python gets."""

    def make(items):
        function = function_of(factory)
        if function is None:
            raise TypeError(
                "a defaultdict can't be returned if there were several functions of its factory's name, "
                "or that has parameters; return a dict that is made of it"
            )
        return collections.defaultdict(function, items)

    return make


@intrinsic
def _factory_of(typingctx, container):
    """Give the function that makes the values of a ``defaultdict``."""
    factory = container.factory
    lines = [f"%made = typed.singleton : {factory.text}", f"return %made : {factory.text}"]
    return factory(container), InMlir(lines)


def made_by_factory(self):
    """Make a value by the function that a ``defaultdict`` has for it."""
    return value_of(self, _factory_of(self)())
