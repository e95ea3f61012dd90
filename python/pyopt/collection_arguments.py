"""Objects of ``collections`` as arguments: what they hold is copied in, and back if a call has changed it.

Their items must be of one type. An object without items can be asked for what it holds, as one that compiled
code makes without types can; nothing can be put in. One with items of several types is one of its class to
compiled code and nothing more.
"""

import collections
from functools import cache

from pyopt import njit, ordered_dicts, own_types, types  # noqa: F401
from pyopt.collection_types import (
    HELD,
    CounterType,
    DefaultDictType,
    OrderedDictType,
    held_type,
    value_of,
)
from pyopt.containers import held, kept, key_of, maker_of
from pyopt.deques import DequeType, set_bound
from pyopt.errors import TypingError
from pyopt.host import add_note
from pyopt.once import once
from pyopt.open_containers import OpenContainer, factory_of, open_type

#: The classes, and the types of their objects.
KINDS = {
    collections.deque: DequeType,
    collections.Counter: CounterType,
    collections.defaultdict: DefaultDictType,
    collections.OrderedDict: OrderedDictType,
}


def _one_type(items):
    """Give the type of items, if they have one that can be held."""
    first = None
    for item in items:
        try:
            found = own_types.typeof_impl(item)
        except (TypeError, ValueError, TypingError):
            return None
        if first is None:
            first = found
        elif found != first:
            return None
    return first


class Nothing(OpenContainer):
    """The type of an object that is passed without items: what it holds is never known."""


@own_types.register_model(Nothing)
class _NothingModel(own_types.StructRefModel):
    """The model of other containers: the compiler waits for nothing to be put in."""


_nothing = cache(Nothing)
# What the values of a `defaultdict` may be that is known by its factory.
_VALUES = (types.int64, types.float64, types.boolean, types.unicode_type, *map(open_type, HELD))


def _type_of_nothing(value):
    known = ()
    if type(value) is collections.defaultdict:
        known = tuple(one for one in _VALUES if factory_of(one) is value.default_factory)
        if not known:
            return None
    return _nothing(KINDS[type(value)], *known)


def _type_of_deque(value, context):
    if not value:
        return _type_of_nothing(value)
    item = _one_type(value)
    if item is None:
        return None
    found = DequeType(item)
    return None if found.refused else found


def _type_of_dict(value, context):
    kind = KINDS[type(value)]
    if not value:
        return _type_of_nothing(value)
    key, item = _one_type(value), _one_type(value.values())
    if kind is DefaultDictType:
        item = held_type(item)
    if key is None or item is None or (kind is CounterType and item != types.int64):
        return None
    if kind is DefaultDictType and factory_of(item) is not value.default_factory:
        # Compiled code knows the factory by the type of the values.
        return None
    found = kind(key, item)
    return None if found.refused else found


def note_bare_classes(error, arguments):
    """Add to an error of a call's what compiled code doesn't know of the objects that are passed."""
    known = {f"{cls.__module__}.{cls.__qualname__}" for cls in KINDS}
    for name in sorted(known & {one.name for one in arguments}):
        add_note(
            error,
            f"compiled code knows only the class of the {name} that is passed: "
            "it has items of several types, or none and a factory of its own",
        )


@once
def _passed_class(kind):
    """Give a class of types whose values become their memory in Python, where others become copies."""
    passed = type(f"Passed{kind.__name__}", (kind,), {})
    own_types.box(passed)(lambda type, memory: memory)
    return passed


@cache
def _filler_of(type):
    """Give the function that makes the memory of a container of a type for what it is to hold."""
    kind = type.__class__
    make = maker_of(_passed_class(kind)(*type.parts))

    def fill_deque(items, bound):
        made = make()
        for item in items:
            held(made).append(kept(made, item))
        set_bound(made, bound)
        return made

    def fill_dict(items):
        made = make()
        for key, value in items.items():
            held(made)[key_of(made, key)] = value_of(made, value)
        return made

    return njit(fill_deque if kind is DequeType else fill_dict)


@cache
def _maker_of_nothing(type):
    """Give the function that makes the memory of a container without types."""
    make = maker_of(_passed_class(Nothing)(type.kind, *type.known))

    def make_deque(bound):
        made = make()
        set_bound(made, bound)
        return made

    return njit(make_deque if type.kind is DequeType else lambda: make())


def _memory_of_nothing(value):
    bound = (_bound_of(value),) if isinstance(value, collections.deque) else ()
    return _maker_of_nothing(_type_of_nothing(value))(*bound)


def _bound_of(value):
    return -1 if value.maxlen is None else value.maxlen


def _memory_of_deque(value):
    return _filler_of(_type_of_deque(value, None))(list(value), _bound_of(value))


def _memory_of_dict(value):
    return _filler_of(_type_of_dict(value, None))(dict(value))


own_types.unbox(Nothing)(_memory_of_nothing)
for _class, _kind in KINDS.items():
    _is_deque = _class is collections.deque
    own_types.typeof_impl.register(_class, _type_of_deque if _is_deque else _type_of_dict)
    own_types.unbox(_kind)(_memory_of_deque if _is_deque else _memory_of_dict)
