# The bodies of methods are named as these, and say what they do.
# ruff: noqa: D103
"""The dicts of ``collections`` in compiled code: ``Counter``, ``defaultdict`` and ``OrderedDict``.

Each is a typed container (``pyopt.containers``) whose methods are bodies here, and becomes an object of its
class where it is returned. One that is made without items gets its types from what is put in first.
"""

import collections
import operator

from pyopt import njit, own_types, types
from pyopt.containers import (
    BODIES,
    Container,
    ListType,
    TypedDictType,
    TypedSetType,
    changing,
    held,
    kept,
    key_of,
    maker_of,
    method,
    plain,
)
from pyopt.definitions import define
from pyopt.errors import TypingError
from pyopt.extending import overload, overload_method
from pyopt.once import once
from pyopt.open_containers import (
    EMPTY,
    OpenContainer,
    class_of,
    close_by,
    factory_of,
    holds_nothing,
    item_type,
    made_by,
    new_open,
    open_type,
    refuse,
    refuse_open,
    when_empty,
)
from pyopt.structures import SharedInstance, define_shared


class OrderedDictType(TypedDictType):
    """The type of ``collections.OrderedDict``."""

    shown = "OrderedDict"
    made_class = collections.OrderedDict


class CounterType(TypedDictType):
    """The type of ``collections.Counter``: a dict of ints."""

    shown = "Counter"
    gives_its_class = False
    made_class = collections.Counter

    def __init__(self, key_type, value_type=types.int64):
        """Describe a counter of keys of a type."""
        super().__init__(key_type, value_type)


class DefaultDictType(TypedDictType):
    """The type of ``collections.defaultdict``; what makes its values is known by their type."""

    shown = "defaultdict"
    made_class = collections.defaultdict
    #: The type of the function that makes the values, where that is one of the program's.
    factory = None


class HeldListType(ListType):
    """The type of lists that are values of a ``defaultdict``."""

    shown, made_class, is_builtin = "list", list, True


class HeldSetType(TypedSetType):
    """The type of sets that are values of a ``defaultdict``."""

    shown, made_class, is_builtin = "set", set, True


class HeldDictType(TypedDictType):
    """The type of dicts that are values of a ``defaultdict``."""

    shown, made_class, is_builtin = "dict", dict, True


def held_type(type):
    """Give the type that a list, set or dict has as a value of a ``defaultdict``; any other type as it is."""
    if isinstance(type, (types.List, types.Set)):
        return (HeldListType if isinstance(type, types.List) else HeldSetType)(type.dtype)
    return HeldDictType(type.key_type, type.value_type) if isinstance(type, types.Dict) else type


def value_of(container, value):
    """Give a value as a dict of ``collections`` keeps it: lists, sets and dicts as what stands for them."""
    raise NotImplementedError("compiled code has it")


@overload(value_of)
def _(container, value):
    part = container.parts[-1]
    if isinstance(value, OpenContainer):
        # Nothing was put in.
        make = maker_of(part)
        return lambda container, value: make()
    if not isinstance(part, HELD):
        return lambda container, value: kept(container, value)
    make = maker_of(part)

    def of_list(container, value):
        made = make()
        made.extend(value)
        return made

    def of_set(container, value):
        made = make()
        for item in value:
            made.add(item)
        return made

    def of_dict(container, value):
        made = make()
        made.update(value)
        return made

    return {HeldListType: of_list, HeldSetType: of_set, HeldDictType: of_dict}[type(part)]


def enter_class(kind):
    """Have values of a class of types become objects of its class of Python's."""

    class Shared(SharedInstance):
        __slots__ = ()

    Shared.__name__ = kind.shown
    define_shared(kind, Shared)
    EMPTY[kind] = made_by(kind.made_class)
    class_of(kind, collections.defaultdict if issubclass(kind, DefaultDictType) else kind.made_class)

    @own_types.box(kind)
    def _(type, memory):
        if type.holds_functions:
            raise TypingError(f"a global {kind.shown} of functions can't be returned to Python")
        items = _items_of(Shared._numba_box_(type, memory))
        if kind is DefaultDictType:
            return collections.defaultdict(factory_of(type.value_type), items)
        return kind.made_class(dict(items) if issubclass(kind, TypedDictType) else items)

    if kind.is_builtin:
        return

    @own_types.give_back(kind)
    def _(found, value):
        if list(found.items()) != list(value.items()):
            value.clear()
            # The method of a Counter adds, and an OrderedDict has an order of its own.
            (dict if kind is CounterType else kind.made_class).update(value, found)


@njit
def _items(self):
    return [item for item in each(self)]


def each(self):
    """Give what there is of each item: of dicts the key and the value."""
    raise NotImplementedError("compiled code has it")


@overload(each)
def _(self):
    if isinstance(self, types.DictType):
        return lambda self: held(self).items()
    return lambda self: held(self)


@njit
def _size(self):
    return len(held(self))


def _items_of(shared):
    return _items(shared) if _size(shared) else []


def _raises_key_error(text):
    def body(self, last=True):
        raise KeyError(text)

    return body


#: The types of the containers that a ``defaultdict`` makes.
HELD = (HeldListType, HeldSetType, HeldDictType)
for _kind in (OrderedDictType, CounterType, DefaultDictType, *HELD):
    enter_class(_kind)
for _kind, _text in (
    (TypedDictType, "popitem(): dictionary is empty"),
    (OrderedDictType, "dictionary is empty"),
):
    when_empty(_kind, "popitem")(_raises_key_error(_text))


@when_empty(CounterType, "most_common")
def _(self, n=None):
    return []


@when_empty(CounterType, "elements")
def _(self):
    return []


@when_empty(CounterType, "total")
def _(self):
    return 0


refuse_open("most_common", "total", "elements", "subtract", "move_to_end")


def _counted(self, key):
    return held(self).get(key, 0)


def _item_or_new(self, key):
    found = held(self)
    if key not in found:
        found[key_of(self, key)] = _zero_of(self)
    return found[key]


def _zero_of(self):
    """Give what the factory of a defaultdict makes."""
    raise NotImplementedError("compiled code has it")


@overload(_zero_of)
def _(self):
    if self.factory is not None:
        from pyopt.factories import made_by_factory

        return made_by_factory
    if isinstance(self.value_type, Container):
        make = maker_of(self.value_type)
        return lambda self: make()
    make = factory_of(self.value_type)
    if make is None:
        raise TypingError(
            f"this defaultdict begins with {self.value_type}, which isn't what its factory makes in compiled "
            "code: change the value of a new key, as 'd[key].extend(…)' does, or use setdefault() of a dict"
        )
    zero = make()
    return lambda self: zero


def _open_item(self, key):
    return _zero_of_open(self)


def _zero_of_open(self):
    """Give what the factory of a defaultdict makes of which nobody knows yet what it holds."""
    raise NotImplementedError("compiled code has it")


@overload(_zero_of_open)
def _(self):
    value = self.known[0] if self.known else None
    # Nothing is ever put into one that was passed.
    if not isinstance(value, OpenContainer) or type(self) is not OpenContainer:
        refuse(self)
    make = maker_of(value)
    return lambda self: make()


def _uncount(self, key):
    if key in held(self):
        del held(self)[key]


BODIES[CounterType, "__getitem__"] = _counted
BODIES[CounterType, "__delitem__"] = _uncount
BODIES[DefaultDictType, "__getitem__"] = _item_or_new
BODIES[OpenContainer, "__getitem__"] = _open_item


@method(CounterType)
def most_common(self, n=None):
    items = [item for item in held(self).items()]
    items.sort(key=lambda item: item[1], reverse=True)
    return items if n is None else items[:n]


@method(CounterType)
def total(self):
    count = 0
    for value in held(self).values():
        count += value
    return count


@method(CounterType)
def elements(self):
    made = []
    for key, count in held(self).items():
        for _ in range(count):
            made.append(key)
    return made


@njit
def _count(self, items):
    for item in items:
        held(self)[key_of(self, item)] = held(self).get(item, 0) + 1


@njit
def _add_counts(self, others):
    for item, count in others.items():
        held(self)[key_of(self, item)] = held(self).get(item, 0) + count


@njit
def _discount(self, items):
    for item in items:
        held(self)[key_of(self, item)] = held(self).get(item, 0) - 1


@njit
def _subtract_counts(self, others):
    for item, count in others.items():
        held(self)[key_of(self, item)] = held(self).get(item, 0) - count


def _check_count(type):
    """Refuse what is no count."""
    if not isinstance(types.unliteral(type), (types.Integer, types.Boolean)):
        raise TypingError(f"a Counter counts by ints in compiled code, not by {type}")


def _check_counts(items):
    if isinstance(items, types.DictType) and not holds_nothing(items):
        _check_count(items.value_type)


@overload_method(CounterType, "update")
def _(self, items):
    _check_counts(items)
    count = _add_counts if isinstance(items, types.DictType) else _count
    return lambda self, items: count(self, items)


@overload_method(CounterType, "subtract")
def _(self, items):
    _check_counts(items)
    count = _subtract_counts if isinstance(items, types.DictType) else _discount
    return lambda self, items: count(self, items)


def _counter_operators(combine):
    """Give overloads of an operator of two counters, which keeps counts above zero, and of what assigns."""
    combine = njit(combine)

    @njit
    def combine_into(made, left, right):
        for key, count in held(left).items():
            combined = combine(count, held(right).get(key, 0))
            if combined > 0:
                held(made)[key_of(made, key)] = combined
        for key, count in held(right).items():
            combined = combine(0, count)
            if combined > 0 and key not in held(left):
                held(made)[key_of(made, key)] = combined

    def of_two(left, right):
        are_counters = isinstance(left, CounterType) and isinstance(right, CounterType)
        return are_counters and left.parts == right.parts

    def implement(left, right):
        if not of_two(left, right):
            return None
        make = maker_of(CounterType(*left.parts))

        def body(left, right):
            made = make()
            combine_into(made, left, right)
            return made

        return body

    def implement_inplace(left, right):
        if not of_two(left, right):
            return None
        make = maker_of(CounterType(*left.parts))

        def body(left, right):
            made = make()
            combine_into(made, left, right)
            changing(left).clear()
            for key, count in held(made).items():
                changing(left)[key_of(left, key)] = count
            return left

        return body

    return implement, implement_inplace


_COUNTER_OPERATORS = {
    operator.add: (operator.iadd, lambda one, other: one + other),
    operator.sub: (operator.isub, lambda one, other: one - other),
    operator.or_: (operator.ior, lambda one, other: max(one, other)),
    operator.and_: (operator.iand, lambda one, other: min(one, other)),
}


def _signed(sign):
    """Give the overload of a sign before a counter: what it makes of the counts, those above zero."""

    def implement(counter):
        if not isinstance(counter, CounterType):
            return None
        make = maker_of(CounterType(*counter.parts))

        def body(counter):
            made = make()
            for key, count in held(counter).items():
                if sign * count > 0:
                    held(made)[key_of(made, key)] = sign * count
            return made

        return body

    return implement


overload(operator.pos, strict=False)(_signed(1))
overload(operator.neg, strict=False)(_signed(-1))
for _operator, (_inplace, _combine) in _COUNTER_OPERATORS.items():
    for _entered, _implement in zip((_operator, _inplace), _counter_operators(_combine), strict=True):
        overload(_entered)(_implement)


@njit
def _pairs_of_dict(items):
    return items.items()


def _of_keywords(cls, items, named):
    """Give the body that makes a dict of a class of keywords; None if there is something else, too."""
    if items is not None:
        return None
    shown, entries = ", ".join(named), ", ".join(f"{name!r}: {name}" for name in named)
    source = f"def construct({shown}):\n    return __class({{{entries}}})\n"
    return define(source, "construct", {"__class": cls})


def _made_of(kind):
    """Give the overload of a class: without items, or of a dict or pairs."""

    def construct(items=None, **named):
        if named:
            return _of_keywords(kind.made_class, items, named)
        if holds_nothing(items):
            return new_open(kind)
        if isinstance(items, types.DictType):
            make = maker_of(kind(items.key_type, items.value_type))
            pairs_of = _pairs_of_dict
        else:
            pair = item_type(items)
            if not (isinstance(pair, types.BaseTuple) and len(pair.types) == 2):
                raise TypingError(
                    f"in compiled code a {kind.shown} is made of a dict or of pairs, not of {items}"
                )
            make = maker_of(kind(*map(types.unliteral, pair.types)))
            pairs_of = plain

        def body(items):
            made = make()
            for key, value in pairs_of(items):
                held(made)[key_of(made, key)] = kept(made, value)
            return made

        return body

    return construct


overload(collections.OrderedDict, strict=False)(_made_of(OrderedDictType))


@overload(collections.Counter, strict=False)
def _(iterable=None, **named):
    if named:
        for count in named.values():
            _check_count(count)
        return _of_keywords(collections.Counter, iterable, named)
    if holds_nothing(iterable):
        return new_open(CounterType)
    if isinstance(iterable, types.DictType):
        _check_count(iterable.value_type)
        key, body = iterable.key_type, _add_counts
    else:
        key, body = item_type(iterable), _count
    if key is None:
        raise TypingError(f"a Counter counts items of one type, not those of {iterable}")
    make = maker_of(CounterType(key))

    def construct(iterable):
        made = make()
        body(made, iterable)
        return made

    return construct


@overload(collections.defaultdict, strict=False)
def _(default_factory=None):
    kinds = {"int": types.int64, "float": types.float64, "bool": types.boolean, "str": types.unicode_type}
    wanted = next((kinds[name] for name in kinds if f"builtins.{name}" in str(default_factory.text)), None)
    if wanted is None and isinstance(getattr(default_factory, "dtype", None), types.Type):
        wanted = default_factory.dtype
    if isinstance(default_factory, types.Dispatcher):
        from pyopt.factories import body_of_factory

        enter_held_operators()
        return body_of_factory(default_factory)
    from pyopt.deques import DequeType

    for kind in (*HELD, CounterType, OrderedDictType, DequeType):
        if f"{kind.made_class.__module__}.{kind.shown}" in str(default_factory.text):
            enter_held_operators()
            wanted = open_type(kind)
    if "#py.function<" in str(default_factory.text):
        raise TypingError(
            "the factory of a defaultdict uses variables of another function, which compiled code doesn't "
            "keep; use setdefault() of a dict"
        )
    if wanted is None or factory_of(wanted) is None:
        raise TypingError(
            f"the values of a defaultdict are ints, floats, truth values, texts, lists, sets or dicts in "
            f"compiled code, not what {default_factory} makes; use setdefault() of a dict"
        )
    return new_open(DefaultDictType, wanted)


@once
def enter_held_operators():
    """Enter what operators make of lists, sets and dicts that are values, as of plain ones."""
    for function in (operator.add, operator.mul, operator.sub, operator.and_, operator.or_, operator.xor):
        overload(function)(_of_held(function))


def _of_held(function):
    def implement(left, right):
        if isinstance(left, HELD) or isinstance(right, HELD):
            return lambda left, right: function(plain(left), plain(right))
        return None

    return implement


def _key_and_value(known, key, *others):
    """Give the types of keys and values; a value that is a container says what it holds when it is filled."""
    if known and not isinstance(known[0], OpenContainer):
        return [key, known[0]]
    value = next(iter(others), None)
    return [key, held_type(value) if known and value is not None else value]


for _kind in (OrderedDictType, DefaultDictType):
    for _name in ("__setitem__", "setdefault"):
        close_by(_kind, _name, _key_and_value)
close_by(DefaultDictType, "__getitem__", _key_and_value)
for _name in ("__getitem__", "__setitem__"):
    close_by(CounterType, _name, lambda known, key, *others: [key])
for _name in ("update", "subtract"):
    close_by(CounterType, _name, lambda known, items: [getattr(items, "key_type", None) or item_type(items)])
