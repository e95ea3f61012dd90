"""Lists, dicts and sets that Python and compiled code share without copies: ``numba.typed``.

In Python each is a ``MutableSequence``, ``MutableMapping`` or ``MutableSet``. One that is made without types
gets them from what is put in first. What compiled code does with them is in ``pyopt.containers``.

What is done with one item or key, such as ``items[i]`` and ``key in counts``, are slots of classes that the
extension has. They call the methods here that begin with an underscore, such as ``_get``, where nothing is
compiled for the types of the arguments yet, and for all that isn't the usual case.
"""

import operator
from collections import abc
from collections.abc import MutableMapping, MutableSequence, MutableSet
from collections.abc import Set as AbstractSet
from functools import cache

from pyopt import _core, config, open_containers, own_types, types
from pyopt.containers import BODIES, ListType, TypedDictType, TypedSetType, held, kept, maker_of
from pyopt.entry_points import entry_points
from pyopt.errors import TypingError
from pyopt.extending import overload
from pyopt.structures import SharedInstance, StructRefProxy, define_shared


@cache
def _compiled(body):
    from pyopt import njit

    return njit(body)


@cache
def _declared(body, arguments):
    """Give the body compiled for argument types: functions are converted to the type of functions there."""
    from pyopt import njit

    made = njit(body)
    made.compile(arguments)
    made.disable_compile()
    return made


@cache
def _maker(type):
    """Give the compiled function that makes an empty container."""
    make = maker_of(type)
    return _compiled(lambda: make())


def _is_function(value):
    return callable(value) and not isinstance(value, (type, _Typed))


def _listed(self):
    return [item for item in held(self)]


def _found(self, key):
    return held(self).get(key)


def _copied(self):
    return self.copy()


def _updated(self, other):
    self.update(other)


def _repeated(self, times):
    return self * times


# What Python asks compiled code for besides the methods.
BODIES |= {(kind, "&listed"): _listed for kind in (ListType, TypedDictType, TypedSetType)}
BODIES[TypedDictType, "&found"] = _found

#: The classes that give lists, dicts and sets the slots.
_ListSlots, _DictSlots, _SetSlots = _core.container_classes(StructRefProxy._meminfo)
#: The type of a container; an AttributeError if it has none yet.
_type_of_container = StructRefProxy._type.__get__
#: For the identity of each type of containers and the name of a method, that and the type, which it keeps.
_methods = {}


def _method(container, name):
    """Give the compiled method of a container, for arguments that are no functions; None without a type."""
    try:
        type = _type_of_container(container)
    except AttributeError:
        return None
    known = _methods.get((id(type), name))
    if known is None:
        known = _methods[id(type), name] = (_compiled(BODIES[container._kind, name]), type)
    return known[0]


class _Typed(SharedInstance):
    """What the containers share."""

    __slots__ = ()
    #: The class of types.
    _kind = None

    @classmethod
    def _of_types(cls, *parts):
        return _maker(cls._type_of(*parts))()

    @classmethod
    @cache
    def _type_of(cls, *parts):
        return cls._kind(*parts)

    def _pyopt_refuse(self):
        """Refuse to be passed without types."""
        raise TypeError(f"the typed.{type(self).__name__} has no type yet: put something in first")

    def _is_typed(self):
        try:
            _type_of_container(self)
        except AttributeError:
            return False
        return True

    @property
    def _typed(self):
        """Whether there are types, as Numba's containers say it."""
        return self._is_typed()

    def _compiled_method(self, name):
        return _method(self, name)

    def _call(self, name, *arguments):
        """Call a method of compiled code."""
        for argument in arguments:
            if callable(argument) and _is_function(argument):
                return self._call_with_functions(name, arguments)
        return _method(self, name)(self, *arguments)

    def _call_with_functions(self, name, arguments):
        of_functions = [part for part in self._parts() if isinstance(part, types.FunctionType)]
        if not of_functions:
            return _method(self, name)(self, *arguments)
        kinds = [of_functions[-1] if _is_function(one) else own_types.typeof_impl(one) for one in arguments]
        body = BODIES[self._kind, name]
        return _declared(body, (own_types.typeof_impl(self), *kinds))(self, *arguments)

    def _have_types_of(self, *parts):
        """Get types from what is put in, if there are none yet."""
        if not self._is_typed():
            made = self._of_types(*map(own_types.typeof_impl, parts))
            self._adopt(StructRefProxy._type.__get__(made), StructRefProxy._meminfo.__get__(made))

    def _count(self):
        method = _method(self, "__len__")
        return 0 if method is None else method(self)

    def _has(self, item):
        return self._is_typed() and self._call("__contains__", item)

    def _delete(self, index):
        self._check(index)
        self._call("__delitem__", index)

    def _keys(self):
        return _method(self, "&listed")(self) if len(self) else []

    def _get(self, index):
        method = _method(self, "__getitem__")
        if method is None:
            self._check(index)
        return method(self, index)

    def clear(self):
        """Take all items out."""
        if self._is_typed():
            self._call("clear")

    def __copy__(self):
        """Make another one of the same items."""
        return _compiled(_copied)(self) if self._is_typed() else type(self)()

    copy = __copy__

    def __reduce__(self):
        """Be copied by types and items."""
        # Types of a program's own are found anew, by the items.
        texts = [part.text for part in self._parts() or ()]
        is_portable = texts and not any("#py." in text for text in texts)
        return type(self)._unpickled, (texts if is_portable else None, self._plain())

    @classmethod
    def _unpickled(cls, texts, plain):
        return cls._restored(None if texts is None else map(types.from_text, texts), plain)

    def _parts(self):
        return StructRefProxy._type.__get__(self).parts if self._is_typed() else None

    @classmethod
    def _restored(cls, parts, plain):
        made = cls() if parts is None else cls._of_types(*parts)
        made._fill(plain)
        return made


def _check_type(cls, type):
    """Refuse a second argument that isn't the type of such a container."""
    if type is not None and not isinstance(type, cls._kind):
        raise TypeError(f"{cls.__name__}() expected at most 1 argument, got 2; a second one is a type")


@entry_points("__new__", "_append", "_delete", "_get", "_has", "_pop", "_set", "insert", "sort")
class List(_ListSlots, _Typed, MutableSequence):
    """A list of items of one type."""

    __slots__ = ()
    _kind = ListType

    def __new__(cls, iterable=(), lsttype=None):
        """Make a list of items; of no type yet without any."""
        if config.DISABLE_JIT:
            return list(iterable)
        _check_type(cls, lsttype)
        made = object.__new__(cls) if lsttype is None else cls._of_types(lsttype.item_type)
        made._fill(iterable)
        return made

    @staticmethod
    def empty_list(item_type, allocated=0):
        """Make an empty list for items of a type."""
        if config.DISABLE_JIT:
            return []
        return List._of_types(item_type)

    @property
    def _dtype(self):
        if not self._is_typed():
            raise RuntimeError("invalid operation on untyped list")
        return self._parts()[0]

    def _fill(self, items):
        for item in items:
            self.append(item)

    def _plain(self):
        return self._keys()

    def _get(self, index):
        if isinstance(index, slice):
            return type(self)._restored(self._parts(), self._plain()[index])
        return super()._get(index)

    def _delete(self, index):
        if self._is_typed() or not isinstance(index, slice):
            super()._delete(index)

    def _check(self, index):
        if not self._is_typed():
            raise IndexError("list index out of range")

    def _set(self, index, item):
        if isinstance(index, slice):
            items = self._plain()
            items[index] = list(item)
            self.clear()
            self._fill(items)
            return
        self._check(index)
        self._call("__setitem__", index, item)

    def _append(self, item):
        self._have_types_of(item)
        self._call("append", item)

    def insert(self, index, item):
        """Put an item before a position."""
        self._have_types_of(item)
        self._call("insert", index, item)

    def index(self, item, start=0, stop=None):
        """Give the position of the first item that is equal."""
        items = self._plain()
        try:
            return items.index(item, start, len(items) if stop is None else stop)
        except ValueError:
            raise ValueError("item not in list") from None

    def remove(self, item):
        """Take out the first item that is equal."""
        if item not in self:
            raise ValueError("list.remove(x): x not in list")
        del self[self.index(item)]

    def _pop(self, index=-1):
        method = _method(self, "pop")
        if method is None:
            raise IndexError("pop from empty list")
        return method(self, index)

    def sort(self, key=None, reverse=False):
        """Sort the items."""
        if key is None and self._is_typed():
            return self._call("sort", None, reverse)
        items = sorted(self._plain(), key=key, reverse=reverse)
        self.clear()
        self._fill(items)

    def reverse(self):
        """Turn the order around."""
        if self._is_typed():
            self._call("reverse")

    def __add__(self, other):
        """Make a list of the items of both."""
        if not isinstance(other, (List, list)):
            return NotImplemented
        made = self.copy()
        made.extend(other)
        return made

    def __mul__(self, times):
        """Make a list of the items so many times."""
        if self._is_typed() and isinstance(times, int):
            return _compiled(_repeated)(self, times)
        return type(self)._restored(self._parts(), self._plain() * times)

    __rmul__ = __mul__

    def __imul__(self, times):
        """Have the items so many times."""
        items = self._plain() * times
        self.clear()
        self._fill(items)
        return self

    def _compared(self, other, compare):
        is_list = isinstance(other, (List, list))
        return compare(self._plain(), list(other)) if is_list else NotImplemented

    def __eq__(self, other):
        """Whether another list has the same items."""
        return self._compared(other, operator.eq)

    def __lt__(self, other):
        """Whether the items come before those of another list."""
        return self._compared(other, operator.lt)

    def __le__(self, other):
        """Whether the items come before those of another list, or are the same."""
        return self._compared(other, operator.le)

    def __gt__(self, other):
        """Whether the items come behind those of another list."""
        return self._compared(other, operator.gt)

    def __ge__(self, other):
        """Whether the items come behind those of another list, or are the same."""
        return self._compared(other, operator.ge)

    __hash__ = None

    def __repr__(self):
        """Show the items."""
        return f"ListType[{', '.join(map(str, self._parts() or ['Undefined']))}]({self._plain()})"

    def __str__(self):
        """Show the items as a list does."""
        return str(self._plain())


#: Types whose values aren't None.
_NEVER_NONE = (types.Number, types.Boolean, types.UnicodeType)


class ItemsView(abc.ItemsView):
    """The items of a dict."""

    __slots__ = ()

    def __iter__(self):
        """Go through keys and values."""
        return _core.iterator_of_view(self._mapping, True)


class ValuesView(abc.ValuesView):
    """The values of a dict."""

    __slots__ = ()

    def __iter__(self):
        """Go through the values."""
        return _core.iterator_of_view(self._mapping, False)


@entry_points("__new__", "_delete", "_get", "_has", "_set", "popitem")
class Dict(_DictSlots, _Typed, MutableMapping):
    """A dict of keys of one type and values of another."""

    __slots__ = ()
    _kind = TypedDictType

    def __new__(cls, items=(), dcttype=None, **named):
        """Make a dict of items; of no types yet without any."""
        if config.DISABLE_JIT:
            return dict(items, **named)
        _check_type(cls, dcttype)
        made = object.__new__(cls) if dcttype is None else cls._of_types(dcttype.key_type, dcttype.value_type)
        made._fill(dict(items, **named))
        return made

    @staticmethod
    def empty(key_type, value_type, n_keys=0):
        """Make an empty dict for keys and values of types."""
        if config.DISABLE_JIT:
            return {}
        return Dict._of_types(key_type, value_type)

    def _fill(self, items):
        for key, value in items.items():
            self[key] = value

    def _plain(self):
        return {key: self[key] for key in self}

    def _check(self, key):
        if not self._is_typed():
            raise KeyError(key)

    def _set(self, key, value):
        self._have_types_of(key, value)
        self._call("__setitem__", key, value)

    def _get_or(self, key, default=None):
        found = MutableMapping.get(self, key, default)
        if self._is_typed() and isinstance(self._parts()[1], _NEVER_NONE) and not callable(key):
            # One call does next time.
            _method(self, "&found")(self, key)
        return found

    def items(self):
        """Give a view of the items."""
        return ItemsView(self)

    def values(self):
        """Give a view of the values."""
        return ValuesView(self)

    def popitem(self):
        """Take the last item out and give it."""
        if not len(self):
            raise KeyError("popitem(): dictionary is empty")
        return self._call("popitem")

    @classmethod
    def fromkeys(cls, iterable, value=None):
        """Make a dict with the same value for each of some keys."""
        return cls((key, value) for key in iterable)

    def __reversed__(self):
        """Go through the keys from the last one."""
        return reversed(list(self))

    def __or__(self, other):
        """Make a dict of the items of both."""
        if not isinstance(other, (Dict, dict)):
            return NotImplemented
        made = self.copy()
        made.update(other)
        return made

    def __ror__(self, other):
        """Make a typed dict of the items of a dict and of these."""
        return (
            type(self)._restored(self._parts(), other) | self if isinstance(other, dict) else NotImplemented
        )

    def __ior__(self, other):
        """Put the items of a dict or of pairs in."""
        self.update(other)
        return self

    def __repr__(self):
        """Show the items."""
        return f"DictType[{','.join(map(str, self._parts() or ['Undefined', 'Undefined']))}]({self._plain()})"

    def __str__(self):
        """Show the items as a dict does."""
        return str(self._plain())


def _combining(name):
    """Give the operator that a method of sets does in place, and the one of a set on its left."""

    def combine(self, other):
        """Combine the items of both."""
        if not isinstance(other, AbstractSet):
            return NotImplemented
        made = self.copy()
        getattr(made, name)(other)
        return made

    def combine_reversed(self, other):
        """Combine the items of a set on the left with these."""
        if not isinstance(other, AbstractSet):
            return NotImplemented
        return combine(type(self)._restored(self._parts(), other), self)

    return combine, combine_reversed


@entry_points("__new__", "_add", "_discard", "_has")
class Set(_SetSlots, _Typed, MutableSet):
    """A set of items of one type."""

    __slots__ = ()
    _kind = TypedSetType

    def __new__(cls, iterable=()):
        """Make a set of items; of no type yet without any."""
        if config.DISABLE_JIT:
            return set(iterable)
        made = object.__new__(cls)
        made._fill(iterable)
        return made

    @staticmethod
    def empty(item_type):
        """Make an empty set for items of a type."""
        if config.DISABLE_JIT:
            return set()
        return Set._of_types(item_type)

    def _fill(self, items):
        for item in items:
            self.add(item)

    def _plain(self):
        return self._keys()

    def _add(self, item):
        self._have_types_of(item)
        self._call("add", item)

    def _discard(self, item):
        if self._is_typed():
            self._call("discard", item)

    def _become(self, items):
        """Have the items of a set of Python's."""
        found = self._plain()
        for item in found:
            if item not in items:
                self.discard(item)
        for item in items.difference(found):
            self.add(item)

    def update(self, *others):
        """Put the items of others in."""
        for other in others:
            if isinstance(other, Set) and self._parts() == other._parts() is not None:
                _compiled(_updated)(self, other)
            else:
                self._fill(list(other))

    def intersection_update(self, *others):
        """Keep the items that all others have."""
        self._become(set(self._plain()).intersection(*others))

    def difference_update(self, *others):
        """Take out the items that one of the others has."""
        self._become(set(self._plain()).difference(*others))

    def symmetric_difference_update(self, other):
        """Keep what isn't in another one, and put in what is there alone."""
        self._become(set(self._plain()).symmetric_difference(other))

    def union(self, *others):
        """Make a set of these items and those of others."""
        made = self.copy()
        made.update(*others)
        return made

    def intersection(self, *others):
        """Make a set of the items that all others have."""
        made = self.copy()
        made.intersection_update(*others)
        return made

    def difference(self, *others):
        """Make a set of the items that none of the others has."""
        made = self.copy()
        made.difference_update(*others)
        return made

    def symmetric_difference(self, other):
        """Make a set of the items that are in one of both."""
        made = self.copy()
        made.symmetric_difference_update(other)
        return made

    def issubset(self, other):
        """Whether another one has all items."""
        return set(self._plain()).issubset(other)

    def issuperset(self, other):
        """Whether all items of another one are here."""
        return set(self._plain()).issuperset(other)

    __or__, __ror__ = _combining("update")
    __and__, __rand__ = _combining("intersection_update")
    __sub__, __rsub__ = _combining("difference_update")
    __xor__, __rxor__ = _combining("symmetric_difference_update")

    def __str__(self):
        """Show the items as a set does."""
        return f"{{{', '.join(map(repr, self._plain()))}}}" if len(self) else "set()"

    def __repr__(self):
        """Show the items."""
        parts = ", ".join(map(str, self._parts() or ["Undefined"]))
        return f"SetType[{parts}]({{{', '.join(map(repr, self._plain()))}}})"


# What they say of wrong arguments names the methods that programs call.
for _class, _name, _method_name in (
    (List, "_append", "append"),
    (List, "_pop", "pop"),
    (Dict, "_get_or", "get"),
    (Set, "_add", "add"),
    (Set, "_discard", "discard"),
):
    getattr(_class, _name).__qualname__ = f"{_class.__name__}.{_method_name}"

#: Numba's names for what makes containers of types, in the modules of their implementations.
new_list, new_dict, new_set = List.empty_list, Dict.empty, Set.empty

for _class in (List, Dict, Set):
    define_shared(_class._kind, _class)
    open_containers.EMPTY[_class._kind] = open_containers.made_by(_class)


def _part(type):
    """Give the type that an argument of compiled code names, as ``types.int64`` does, or that it is of."""
    named = getattr(type, "instance_type", None)
    if named is not None:
        return named
    if isinstance(type, types.Callable):
        raise TypingError(f"{type} names no type that compiled code has as a value")
    return types.unliteral(type)


@overload(List.empty_list)
def _(item_type, allocated=0):
    make = maker_of(List._type_of(_part(item_type)))
    return lambda item_type, allocated=0: make()


@overload(Dict.empty)
def _(key_type, value_type, n_keys=0):
    make = maker_of(Dict._type_of(_part(key_type), _part(value_type)))
    return lambda key_type, value_type, n_keys=0: make()


@overload(Set.empty)
def _(item_type):
    make = maker_of(Set._type_of(_part(item_type)))
    return lambda item_type: make()


@overload(List, strict=False)
def _(iterable=None):
    if open_containers.holds_nothing(iterable):
        return open_containers.new_open(ListType)
    item = open_containers.item_type(iterable)
    if item is None:
        raise TypingError(f"List() argument must be iterable: items of one type, not {iterable}")
    make = maker_of(List._type_of(item))

    def construct(iterable):
        made = make()
        for item in iterable:
            held(made).append(kept(made, item))
        return made

    return construct


@overload(Dict, strict=False)
def _(items=None):
    if open_containers.holds_nothing(items):
        return open_containers.new_open(TypedDictType)
    if isinstance(items, types.DictType):
        make = maker_of(Dict._type_of(items.key_type, items.value_type))

        def construct(items):
            made = make()
            made.update(items)
            return made

        return construct
    pair = open_containers.item_type(items)
    if not isinstance(pair, types.BaseTuple) or len(pair.types) != 2:
        raise TypingError(f"a typed.Dict is made of a dict or of pairs of one type, not of {items}")
    make = maker_of(Dict._type_of(*pair.types))

    def construct_of_pairs(items):
        made = make()
        for key, value in items:
            made[key] = value
        return made

    return construct_of_pairs


@overload(Set, strict=False)
def _(iterable=None):
    if open_containers.holds_nothing(iterable):
        return open_containers.new_open(TypedSetType)
    item = open_containers.item_type(iterable)
    if item is None:
        raise TypingError(f"Set() argument must be iterable: items of one type, not {iterable}")
    make = maker_of(Set._type_of(item))

    def construct(iterable):
        made = make()
        for item in iterable:
            made.add(item)
        return made

    return construct
