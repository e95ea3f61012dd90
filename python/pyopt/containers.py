# The bodies of methods are named as these, and say what they do.
# ruff: noqa: D103
"""The types of typed containers, and what compiled code does with them.

A typed container is a structure (``pyopt.structures``) of one field: a list, dict or set of compiled code.
Its methods are bodies that take that and do with it what they say; what is put in is kept beyond the call
first. So there is one representation of lists and tables, and what is lent for a call never gets into one
that outlives it.
"""

import heapq
import operator
import warnings
from functools import cache

from pyopt import own_types, types
from pyopt.conversions import can_convert
from pyopt.errors import NumbaTypeSafetyWarning, TypingError
from pyopt.extending import intrinsic, overload, overload_method
from pyopt.intrinsics import InMlir
from pyopt.once import once
from pyopt.structures import check_is_own, memory_of
from pyopt.types.composite import List, Tuple
from pyopt.types.structures import StructRef, is_kept_list, is_plain, refusal


class Container(StructRef):
    """The type of a typed container of parts: items, or keys and values."""

    shown = maker = ""
    #: How many of the parts are hashed: they come first.
    hashed = 0
    is_made_blank = False
    #: The types of what the memory has behind what is held.
    extra = ()
    #: Whether it equals nothing but what is of its class.
    equals_its_class = True
    #: Whether operators take it for what it holds: it stands for an object of a built-in class.
    is_builtin = False
    #: Whether a container of the class is what operators give that combine one with others.
    gives_its_class = True
    #: Whether nothing changes it: it stands for a global of the program's.
    is_constant = False

    def __init__(self, held, *parts):
        """Describe a container, with the types of its parts; one of what can't be kept can only be named."""
        reasons = [f"{part} where it is hashed" for part in parts[: self.hashed] if is_unhashable(part)]
        reasons += [refusal(part, keeps_lists=True) for part in parts]
        reason = next(filter(None, reasons), None)
        #: Why there are no such containers.
        self.refused = reason and f"a typed container can't hold {reason}"
        self.parts = parts
        self.held = held
        types.Type.__init__(self, f"{self.shown}[{','.join(map(str, parts))}]")
        self._fields = (("&held", held),)
        if self.refused:
            self._text = types.foreign_text(self.name)
        # Not later: what was inferred of a value before isn't asked again.
        enter_operators()

    @property
    def class_of_copies(self):
        """The class of the types of copies: that of what may change, also where this is a constant."""
        return next(one for one in type(self).__mro__ if not one.is_constant)

    @property
    def changeable(self):
        """The type of a copy, which may change."""
        return self.class_of_copies(*self.parts)

    @property
    def holds_functions(self):
        """Whether it is a global that holds functions."""
        return any(map(_is_of_functions, self.parts))

    @property
    def memory(self):
        """The type of the memory: that of a structure of the container."""
        return List(Tuple([self.held, *self.extra]))


class ListType(Container, types.Iterable):
    """The type of ``typed.List``."""

    shown, maker = "ListType", "list_new"
    mutable = True

    def __init__(self, dtype):
        """Describe a list of items of a type."""
        super().__init__(types.List(dtype), dtype)
        self.dtype = self.item_type = dtype


class TypedDictType(Container, types.DictType):
    """The type of ``typed.Dict``."""

    shown, maker = "DictType", "table_new"
    hashed = 1

    def __init__(self, keyty, valty, initial_value=None):
        """Describe a dict of keys and values of types."""
        Container.__init__(self, types.Dict(keyty, valty), keyty, valty)
        self.key_type, self.value_type = keyty, valty


class TypedSetType(Container):
    """The type of ``typed.Set``."""

    shown, maker = "SetType", "table_new"
    hashed = 1

    def __init__(self, dtype):
        """Describe a set of items of a type."""
        super().__init__(types.Set(dtype), dtype)
        self.dtype = self.key_type = dtype


class FrozenSetType(Container):
    """The type of ``frozenset``."""

    shown, maker = "frozenset", "table_new"
    hashed = 1

    def __init__(self, dtype):
        """Describe a set of items of a type that never changes."""
        super().__init__(types.Set(dtype), dtype)
        self.dtype = dtype


def _is_of_functions(type):
    if isinstance(type, types.BaseTuple):
        return any(map(_is_of_functions, type.types))
    return getattr(type, "holds_functions", False) or getattr(type, "is_kept", False)


def is_unhashable(type):
    """Whether values of a type are neither keys nor items of sets."""
    return isinstance(type, List) or getattr(type, "is_kept", False)


own_types.register_model(Container)(own_types.StructRefModel)


@intrinsic
def held(typingctx, container):
    """Give the list, dict or set of a container."""
    return _held(container, is_changed=False)


@intrinsic
def changing(typingctx, container):
    """Give the list, dict or set of a container to change it; an error where other threads use it."""
    _check_changed(container)
    return _held(container, is_changed=True)


@intrinsic
def replacing(typingctx, container):
    """Give the list of a container to replace an item, which other threads may read if it is a number."""
    _check_changed(container)
    return _held(container, is_changed=not is_plain(container.parts[-1]))


def _check_changed(container):
    if getattr(container, "is_constant", False):
        what = f"a global {container.shown} is a constant of compiled code, which can't change it"
        raise TypingError(f"{what}; pass it as an argument")


def _held(container, is_changed):
    if not isinstance(container, Container):
        raise TypingError(f"{container} is no typed container")
    memory, lines = memory_of("%arg0", container)
    # A list that is read may be changed.
    if is_changed or any(map(is_kept_list, container.parts)):
        lines += check_is_own(memory, container)
    text = container.held.text
    lines.append(f"%held = typed.field_get {memory}[0] : {container.memory.text} -> {text}")
    lines.append(f"return %held : {text}")
    return container.held(container), InMlir(lines)


def plain(value):
    """Give what a container holds, and any other value as it is."""
    return value


@overload(plain)
def _(value):
    return (lambda value: held(value)) if isinstance(value, Container) else (lambda value: value)


@intrinsic
def kept(typingctx, container, value):
    """Give a value that may outlive the call, as one of a container's items."""
    return _kept(container, container.parts[-1], value)


@intrinsic
def key_of(typingctx, container, key):
    """Give a value as one of a dict's keys."""
    return _kept(container, container.parts[0], key)


def _kept(container, part, value):
    found = types.unliteral(value)
    if getattr(part, "is_builtin", False) and not isinstance(found, Container):
        return _standing_for(container, part, found)
    if not _is_safe(found, part):
        raise TypingError(f"cannot safely cast {found} to {part}, which {container} takes")
    if can_convert(found, part) == types.Conversion.unsafe:
        message = f"unsafe cast from {found} to {part}. Precision may be lost."
        warnings.warn(message, NumbaTypeSafetyWarning, stacklevel=2)
    if is_kept_list(part):
        return part(container, part), InMlir([f"return %arg1 : {part.text}"])
    lines = [f"%kept = typed.keep %arg1 : {part.text}", f"return %kept : {part.text}"]
    return part(container, part), InMlir(lines)


def _standing_for(container, part, found):
    """Give what stands for a list, set or dict in a container: a new one, or one that has its numbers."""
    from pyopt.open_containers import is_empty_of

    if is_empty_of(part, found.text):
        empty = f"%empty = typed.{part.maker} : {part.held.text}"
        return part(container, found), InMlir([empty, *wrapping(part, "%empty")])
    if isinstance(found, (types.List, types.Set, types.Dict)) and all(map(is_plain, part.parts)):
        return part(container, part.held), InMlir(wrapping(part, "%arg1"))
    raise TypingError(
        f"a {found} isn't put into a {container.shown} in compiled code, but for those of numbers: put an "
        "empty one in, and change that, as 'd[key].extend(…)' does"
    )


def _is_safe(found, wanted):
    """Whether a conversion loses nothing but width, as Numba's containers have it."""
    if found == wanted or not isinstance(wanted, types.Number):
        return True
    order = (types.Boolean, types.Integer, types.Float, types.Complex)
    ranks = [
        next((at for at, kind in enumerate(order) if isinstance(one, kind)), None) for one in (found, wanted)
    ]
    return None not in ranks and ranks[0] <= ranks[1]


@cache
def maker_of(type):
    """Give the intrinsic that makes an empty container of a type."""

    if type.refused:
        raise TypingError(type.refused)

    @intrinsic
    def make(typingctx):
        empty = f"%empty = typed.{type.maker} : {type.held.text}"
        return type(), InMlir([empty, *wrapping(type, "%empty")])

    return make


def wrapping(type, held):
    """Give the lines that make a container of a list, dict or set."""
    memory = type.memory.text
    return [
        f"%memory = typed.struct_new : {memory}",
        f"typed.field_set {held}, %memory[0] : {type.held.text}, {memory}",
        f"%parts = typed.tuple(%memory) : tuple<{memory}>",
        f"%made = typed.as_sequence %parts : {type.text}",
        f"return %made : {type.text}",
    ]


@intrinsic
def sharing(typingctx, items):
    """Give a typed list that has its items in common with a list of numbers."""
    from pyopt.typed import List

    if not is_kept_list(items):
        raise TypingError(f"a typed List shares no items with {items}")
    type = List._type_of(items.dtype)
    return type(items), InMlir(wrapping(type, "%arg0"))


#: The bodies of methods, by the class of types and the name.
BODIES = {}

# What operators and functions of Python's call which of these.
_OPERATIONS = {
    "__len__": len,
    "__iter__": iter,
    "__bool__": bool,
    "__contains__": operator.contains,
    "__getitem__": operator.getitem,
    "__setitem__": operator.setitem,
    "__delitem__": operator.delitem,
    "__iadd__": operator.iadd,
}


def method(*kinds):
    """Enter the decorated function as the body of a method of typed containers."""

    def enter(body):
        for kind in kinds:
            BODIES[kind, body.__name__] = body
            if body.__name__ not in _OPERATIONS:
                overload_method(kind, body.__name__, strict=False)(lambda *args, **keywords: body)
        return body

    return enter


@once
def enter_operators():
    """Enter what operators do with typed containers, when there is a first type of them.

    Each name with overloads is one that all programs are asked about.
    """
    for name, function in _OPERATIONS.items():
        overload(function, strict=False)(_operation(name))
    for function, body in _HEAP_FUNCTIONS.items():
        overload(function, strict=False)(_for_lists(body))
    for function in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge):
        overload(function)(_comparison(function))
    from pyopt.container_operators import enter_operators

    enter_operators()


def _for_lists(body):
    return lambda heap, *others: body if isinstance(heap, ListType) else None


# What these functions, which change a list, do with a typed one.
_HEAP_FUNCTIONS = {
    heapq.heapify: lambda heap: heapq.heapify(changing(heap)),
    heapq.heappop: lambda heap: heapq.heappop(changing(heap)),
    heapq.heappush: lambda heap, item: heapq.heappush(changing(heap), kept(heap, item)),
    heapq.heappushpop: lambda heap, item: heapq.heappushpop(changing(heap), kept(heap, item)),
    heapq.heapreplace: lambda heap, item: heapq.heapreplace(changing(heap), kept(heap, item)),
}


#: Say how containers of some classes are compared: functions of the operator and the types of both operands,
#: which give the body, or None where they don't know.
COMPARISONS = []


# Containers of these classes are compared by what they hold, also with each other.
_ALIKE = (
    (ListType, types.List),
    (TypedDictType, types.Dict),
    (TypedSetType, FrozenSetType, types.Set),
)


def _comparison(function):
    """Compare typed containers of one class as what they hold, but where ``COMPARISONS`` know better."""

    def implement(left, right):
        if not (isinstance(left, Container) or isinstance(right, Container)):
            return None
        for ask in COMPARISONS:
            if body := ask(function, left, right):
                return body
        if not (getattr(left, "equals_its_class", True) and getattr(right, "equals_its_class", True)):
            return None
        are_alike = any(isinstance(left, kinds) and isinstance(right, kinds) for kinds in _ALIKE)
        ordered = function not in (operator.eq, operator.ne)
        if are_alike and not (ordered and isinstance(left, types.DictType)):
            return lambda left, right: function(plain(left), plain(right))
        if getattr(left, "is_builtin", False) or getattr(right, "is_builtin", False):
            return lambda left, right: function(plain(left), plain(right))
        kinds = [getattr(one, "class_of_copies", type(one)) for one in (left, right)]
        if kinds[0] is not kinds[1]:
            # No container equals what is none of its class.
            differ = function is operator.ne
            return None if ordered else (lambda left, right: differ)
        if ordered and isinstance(left, TypedDictType):
            return None
        return lambda left, right: function(held(left), held(right))

    return implement


def _operation(name):
    def implement(container, *others):
        if not isinstance(container, Container):
            return None
        by_slice = others and isinstance(others[0], types.SliceType) and isinstance(container, ListType)
        if by_slice and name == "__getitem__":
            return (lambda self, index: held(self)[index]) if container.is_constant else _slice_of(container)
        if by_slice and name == "__setitem__":
            return _set_slice
        return inherited(BODIES, type(container), name)

    return implement


def inherited(table, kind, name):
    """Give what a class of types, or its nearest base, has under a name in a table; None if none has it."""
    return next((table[base, name] for base in kind.__mro__ if (base, name) in table), None)


@cache
def _slice_of(type):
    make = maker_of(type)

    def part(self, index):
        made = make()
        for item in held(self)[index]:
            held(made).append(item)
        return made

    return part


def append_all(self, items):
    """Put the items of something to the end of a typed list."""
    for item in items:
        self.append(item)


@overload(append_all)
def _(self, items):
    def append_each(self, items):
        for item in items:
            changing(self).append(kept(self, item))

    def append_list(self, items):
        # It may be the same list.
        for at in range(len(items)):
            changing(self).append(kept(self, items[at]))

    return append_list if isinstance(items, ListType) else append_each


def _set_slice(self, index, items):
    new = self[:0]
    new.extend(items)
    changing(self)[index] = held(new)


@method(ListType, TypedDictType, TypedSetType, FrozenSetType)
def __len__(self):
    return len(held(self))


@method(ListType, TypedDictType, TypedSetType, FrozenSetType)
def __bool__(self):
    return len(held(self)) > 0


@method(ListType, TypedDictType, TypedSetType, FrozenSetType)
def __iter__(self):
    return held(self)


@method(ListType, TypedDictType, TypedSetType, FrozenSetType)
def __contains__(self, item):
    return item in held(self)


@method(ListType, TypedDictType)
def __getitem__(self, index):
    return held(self)[index]


@method(ListType)
def __setitem__(self, index, item):
    replacing(self)[index] = kept(self, item)


@method(ListType, TypedDictType)
def __delitem__(self, index):
    del changing(self)[index]


@method(ListType)
def append(self, item):
    changing(self).append(kept(self, item))


@method(ListType)
def extend(self, items):
    append_all(self, items)


@method(ListType)
def insert(self, index, item):
    changing(self).insert(index, kept(self, item))


@method(ListType)
def pop(self, index=-1):
    return changing(self).pop(index)


@method(ListType)
def remove(self, item):
    changing(self).remove(item)


@method(ListType)
def reverse(self):
    changing(self).reverse()


@method(ListType)
def sort(self, key=None, reverse=False):
    changing(self).sort(key=key, reverse=reverse)


@method(ListType)
def index(self, item, start=0, stop=9223372036854775807):
    return held(self).index(item, start, stop)


@method(ListType)
def count(self, item):
    return held(self).count(item)


@method(ListType)
def copy(self):
    return self[:]


@method(ListType, TypedDictType, TypedSetType)
def clear(self):
    changing(self).clear()


@method(TypedDictType)
def keys(self):
    return held(self).keys()


@method(TypedDictType)
def values(self):
    return held(self).values()


@method(TypedDictType)
def items(self):
    return held(self).items()


@method(TypedSetType)
def add(self, item):
    changing(self).add(kept(self, item))


@method(TypedSetType)
def discard(self, item):
    changing(self).discard(item)


@method(TypedDictType)
def get(self, key, default=None):
    return held(self).get(key, default)


@method(TypedDictType)
def setdefault(self, key, default=None):
    if key not in held(self):
        changing(self)[key_of(self, key)] = kept(self, default)
    return held(self)[key]


def _update_by_items(self, other):
    for key, value in other.items():
        changing(self)[key_of(self, key)] = kept(self, value)


def _update_by_pairs(self, other):
    for key, value in other:
        changing(self)[key_of(self, key)] = kept(self, value)


@method(TypedDictType)
def popitem(self):
    return changing(self).popitem()


def _dict_setitem(self, key, value):
    changing(self)[key_of(self, key)] = kept(self, value)


def _dict_pop(self, key):
    return changing(self).pop(key)


def _dict_pop_or(self, key, default):
    return changing(self).pop(key, default)


def _set_pop(self):
    return changing(self).pop()


def _set_remove(self, item):
    changing(self).remove(item)


for _kind, _name, _body in (
    (TypedDictType, "__setitem__", _dict_setitem),
    (TypedSetType, "pop", _set_pop),
    (TypedSetType, "remove", _set_remove),
):
    _body.__name__ = _name
    method(_kind)(_body)


@overload_method(TypedDictType, "update")
def _(self, other):
    return _update_by_items if isinstance(other, types.DictType) else _update_by_pairs


@overload_method(TypedDictType, "pop", strict=False)
def _(self, key, *default):
    return _dict_pop_or if default else _dict_pop


@overload_method(TypedDictType, "copy")
def _(self):
    make = maker_of(self.changeable)

    def copy(self):
        made = make()
        for key, value in held(self).items():
            held(made)[key] = value
        return made

    return copy
