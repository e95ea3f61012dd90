"""Typed containers that compiled code makes without types: what they hold is known by what is put in first.

Such a container has a type of its own until type inference meets the method that puts something in. The
overload ``&close-`` of that method then says which container it is, and inference starts again with that
one where the container is made (``close_container`` in ``families/overloads.rs``).
"""

from functools import cache

from pyopt import own_types, types
from pyopt.container_operators import FILLED_BY
from pyopt.containers import (
    BODIES,
    Container,
    ListType,
    TypedDictType,
    TypedSetType,
    inherited,
    maker_of,
)
from pyopt.errors import TypingError
from pyopt.extending import overload_attribute, overload_method
from pyopt.types.text import split


class OpenContainer(Container):
    """The type of a typed container of a class that was made without types."""

    def __init__(self, kind, *known):
        """Describe a container of a class; some of its parts may be known."""
        forms = (
            (TypedDictType, "!typed.dict<none, none>"),
            (TypedSetType, "!typed.set<none>"),
            (Container, "!typed.list<none>"),
        )
        text = next(text for base, text in forms if issubclass(kind, base))
        super().__init__(types.Type(f"{kind.shown} of nothing", text))
        self.kind, self.maker, self.known, self.extra = kind, kind.maker, known, kind.extra
        types.Type.__init__(self, f"{kind.shown}[{','.join(map(str, known or ['Undefined']))}]")


@own_types.register_model(OpenContainer)
class _OpenModel(own_types.DirectModel):
    """The model of containers without types, which the compiler knows by the name of the field."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [(f"{types.STRUCTURE}.open", fe_type.memory)])


#: What makes the object that a container without types becomes where it is returned, by its class: a function
#: of its type and memory.
EMPTY = {}


@own_types.box(OpenContainer)
def _(type, memory):
    return EMPTY[type.kind](type, memory)


def made_by(cls):
    """Give what makes the object of a container without types by calling a class."""
    return lambda type, memory: cls(*map(factory_of, type.known))


def factory_of(type):
    """Give the function of Python's that makes the value of a type that a ``defaultdict`` begins with."""
    if isinstance(type, Container):
        return getattr(getattr(type, "kind", type), "made_class", None)
    factories = {types.int64: int, types.float64: float, types.boolean: bool, types.unicode_type: str}
    return factories.get(type)


#: Gives the type of a container of a class without types, of which some parts may be known.
open_type = cache(OpenContainer)


def new_open(kind, *known):
    """Give the body that makes a container of a class without types."""
    make = maker_of(open_type(kind, *known))
    return lambda *nothing: make()


# What says the parts of a container, by its class and the method that puts something in.
_closing = {}


def close_by(kind, name, parts_of):
    """Say which parts a container of a class has when a method puts something in that has such types.

    ``parts_of`` gets the parts that are known, and the types of the method's arguments.
    """
    if not any(other == name for _, other in _closing):
        overload_method(OpenContainer, f"&close-{name}", strict=False)(_closer(name))
    _closing[kind, name] = parts_of


def _closer(name):
    def closed(container, *operands):
        parts_of = inherited(_closing, container.kind, name)
        parts = parts_of and parts_of(container.known, *operands)
        # What is put in may get its own types later.
        if not parts or any(part is None or isinstance(part, OpenContainer) for part in parts):
            return None
        make = maker_of(container.kind(*map(_kept_type, parts)))
        return lambda container, *operands: make()

    return closed


def _kept_type(part):
    """Give the type as which a container keeps what is put in: a list that nobody changes as one that may."""
    part = types.unliteral(part)
    return types.List(part.dtype) if isinstance(part, types.List) else part


#: The types of containers that nothing was put into.
HOLDING_NOTHING = frozenset(
    (
        '!typed.sequence<tuple<>, #py.named<"builtins.list">>',
        "!typed.list<none>",
        "!typed.dict<none, none>",
        "!typed.set<none>",
    )
)


def is_empty_of(part, text):
    """Whether a type is that of a container without items, of the same built-in class as another one."""
    kinds = ((TypedDictType, "dict"), (TypedSetType, "set"), ((ListType, types.List), "list"))
    kind = next((name for classes, name in kinds if isinstance(part, classes)), None)
    return (
        text in HOLDING_NOTHING
        and kind is not None
        and f"!typed.{kind}<" in text.replace("sequence<", "list<")
    )


def holds_nothing(iterable):
    """Whether what a container is made of has no items: it isn't given, or nothing was put into it."""
    return iterable in (None, types.none) or iterable.text in HOLDING_NOTHING


def item_type(iterable):
    """Give the type of the items that compiled code goes through; None where there are several."""
    text = "" if iterable is None else iterable.text
    if isinstance(iterable, ListType):
        return iterable.item_type
    if isinstance(iterable, types.DictType):
        return iterable.key_type
    if text.startswith("!typed.sequence<tuple<") and text.endswith('#py.named<"builtins.list">>'):
        # A list that nobody changes.
        iterable = types.from_text(split(text.partition("<")[2][:-1])[0])
    if isinstance(iterable, types.UnicodeType):
        return iterable
    if isinstance(iterable, types.Bytes):
        return types.int64
    if isinstance(iterable, types.BaseTuple):
        return iterable.types[0] if len(set(iterable.types)) == 1 else None
    if isinstance(iterable, types.Array) and iterable.ndim > 1:
        layout = "C" if iterable.layout == "C" else "A"
        return types.Array(iterable.dtype, iterable.ndim - 1, layout, not iterable.mutable)
    kind, _, held = text.removeprefix("!typed.").partition("<")
    if kind in _ITERATED:
        return _ITERATED[kind](*split(held[:-1]))
    return getattr(iterable, "dtype", None)


def _item_of_text(text):
    return item_type(types.from_text(text))


def _items_of_each(text):
    items = [_item_of_text(one) for one in split(text.partition("<")[2][:-1])]
    return None if None in items else types.Tuple(items)


def _item_of_view(table, part):
    table = types.from_text(table)
    parts = {"keys": table.key_type, "values": table.value_type}
    return parts.get(part.strip('"').removeprefix("ordered_"), types.Tuple(list(parts.values())))


def _counted_item(text):
    item = _item_of_text(text)
    return item and types.Tuple([types.int64, item])


# The types of items of what has no class of types, by the compiler's name and the parts of its form.
_ITERATED = {
    "range": types.from_text,
    "iter": _item_of_text,
    "reversed": _item_of_text,
    "zip": _items_of_each,
    "enumerate": _counted_item,
    "dict_view": _item_of_view,
    "generator": lambda symbol, item: types.from_text(item),
}


def _parts_of_dict(known, other):
    if isinstance(other, types.DictType):
        return [other.key_type, other.value_type]
    pair = item_type(other)
    return list(pair.types) if isinstance(pair, types.BaseTuple) and len(pair.types) == 2 else [None, None]


close_by(ListType, "append", lambda known, item: [item])
close_by(ListType, "insert", lambda known, index, item: [item])
close_by(ListType, "extend", lambda known, items: [item_type(items)])
close_by(ListType, "__iadd__", lambda known, items: [item_type(items)])
close_by(TypedDictType, "__setitem__", lambda known, key, value: [key, value])
close_by(TypedDictType, "get", lambda known, key, default: [key, default])
close_by(TypedDictType, "setdefault", lambda known, key, default: [key, default])
for _name in FILLED_BY[TypedDictType]:
    close_by(TypedDictType, _name, _parts_of_dict)
close_by(TypedSetType, "add", lambda known, item: [item])
for _name in FILLED_BY[TypedSetType]:
    close_by(TypedSetType, _name, lambda known, *items: [item_type(next(iter(items), None))])

for _name, _body in (
    ("__len__", lambda self: 0),
    ("__bool__", lambda self: False),
    ("__iter__", lambda self: ()),
    ("__contains__", lambda self, item: False),
):
    BODIES[OpenContainer, _name] = _body


#: Classes of Python's that objects of containers have, by the class of types.
_CLASSES = {}


def class_of(kind, cls):
    """Say which class of Python's ``type`` gives for containers of a class of types."""
    _CLASSES[kind] = lambda self: cls
    overload_attribute(kind, "__class__")(lambda self: _CLASSES[kind])


@overload_attribute(OpenContainer, "__class__", strict=False)
def _(self):
    return _CLASSES.get(self.kind)


@overload_method(OpenContainer, "clear")
def _(self):
    return lambda self: None


def refuse(self, *operands, **named):
    """Refuse what needs to know what a container without types holds."""
    raise TypingError(f"what this {self.kind.shown} holds isn't known: put something in, or say its types")


# What methods do where nothing is ever put in, by the class of types and the name.
_OF_NOTHING = {}


def when_empty(kind, name):
    """Enter the decorated function as what a method does of a container that nothing is put into."""

    def enter(body):
        _OF_NOTHING[kind, name] = body
        return body

    return enter


def refuse_open(*names):
    """Refuse methods of containers whose types nobody says, but for what is said to do without."""
    for name in names:
        overload_method(OpenContainer, name, strict=False)(_answer(name))


def _answer(name):
    def answer(self, *operands, **named):
        return inherited(_OF_NOTHING, self.kind, name) or refuse(self)

    return answer


# Views of a dict without types: of one that has no items.
_VIEWS = {
    "keys": lambda self: {}.keys(),
    "values": lambda self: {}.values(),
    "items": lambda self: {}.items(),
}


def _view(name):
    return lambda self: _VIEWS[name] if issubclass(self.kind, TypedDictType) else refuse(self)


for _name in _VIEWS:
    overload_method(OpenContainer, _name, strict=False)(_view(_name))
refuse_open(*{name for _, name in BODIES if not name.startswith("__")} - {"clear", *_VIEWS})
