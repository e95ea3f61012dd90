"""Dataclasses whose fields a program assigns: compiled code makes structures that all their names share.

An instance of any other dataclass is its fields' values, which is all that can be told from outside as long
as nobody assigns one. Which classes are assigned is read off the functions that are compiled together, and
stays so. The types of fields are those of the annotations, so that a class has one type of instances, which
may have fields of that type. Python gets new instances; those that it passes are values.
"""

import collections
import dataclasses
import typing
from contextlib import contextmanager
from enum import Enum
from functools import cache

from pyopt import bindings, njit, own_types, types
from pyopt.collection_types import (
    HELD,
    CounterType,
    DefaultDictType,
    HeldDictType,
    HeldListType,
    HeldSetType,
    OrderedDictType,
    held_type,
)
from pyopt.containers import maker_of, wrapping
from pyopt.definitions import define
from pyopt.deques import DequeType, set_bound_of
from pyopt.errors import TypingError
from pyopt.extending import _Candidate, intrinsic, overload, register_native
from pyopt.instance_boxing import object_of
from pyopt.intrinsics import InMlir
from pyopt.once import entering, once
from pyopt.open_containers import HOLDING_NOTHING, OpenContainer, factory_of, is_empty_of, item_type
from pyopt.structures import (
    SharedInstance,
    define_shared,
    new,
    read_field,
    store_field,
)
from pyopt.super_calls import lookup_order
from pyopt.types.structures import is_kept_list, is_plain


class AssignedType(types.ClassInstanceType):
    """The type of the instances of a dataclass whose fields are assigned; each such class has its own."""

    @property
    def field_types(self):
        """The types of the fields by name."""
        return self.field_dict

    def made_again(self):
        """Give the function that makes a copy of an instance, without copies of what it refers to."""
        return _copier(self)


# The types of instances, or why there are none, by class.
_types = {}


def instance_type(cls):
    """Give the type of the instances that compiled code makes of a class; None where they are values."""
    found = _types.get(cls)
    return found if isinstance(found, AssignedType) else None


def reason_against(cls):
    """Say why fields of a class can't be assigned although the program does; None if nothing is known."""
    found = _types.get(cls)
    return found if isinstance(found, str) else None


@once
def enter(cls, name, base):
    """Have compiled code make structures of a dataclass from now on; ``base`` is what its members are for."""
    try:
        hints = typing.get_type_hints(cls, localns={cls.__name__: cls})
        hints = {field.name: hints[field.name] for field in dataclasses.fields(cls)}
        _types[cls] = define_type(cls, name, base, hints)
    except (NameError, TypeError, TypingError) as error:
        _types[cls] = str(error)


# The types of instances whose fields' types are being found, by class: fields may be of them.
_in_the_making = {}
#: What gives the type of instances of a class that isn't a dataclass, where an annotation names it.
TYPES_BY_CLASS = {}
# The same for classes of which the types are being found by instances that are passed; these go before.
_observed = {}


@contextmanager
def observed_classes(types_by_class):
    """Have fields of instances of some classes types that instances have; who enters types asks for it."""
    _observed.update(types_by_class)
    try:
        yield
    finally:
        for cls in types_by_class:
            del _observed[cls]


def field_type(annotation):
    """Give the type that fields have by an annotation."""
    with entering:
        return _type_of(annotation)


def define_type(cls, name, base, hints):
    """Give the type of instances whose fields have such annotations, or types."""
    kind = type(cls.__name__, (AssignedType, base), {"__module__": cls.__module__, "__init__": _describe})
    declared = types.DeferredType()
    with entering:
        outer, _in_the_making[cls] = _in_the_making.get(cls), declared
        try:
            # What has containers of its own class is a reference to one like any other container.
            fields = {
                one: _any_container if _holds(hint, cls) else _type_of(hint) for one, hint in hints.items()
            }
            class_type = types.ClassType(name, fields, lambda made: kind(made, cls))
            made = class_type.instance_type
            own_types.register_model(kind)(own_types.StructRefModel)
            declared.define(made)
            _in_the_making[cls] = made
            fields |= {one: _type_of(hint) for one, hint in hints.items() if _holds(hint, cls)}
        finally:
            _in_the_making[cls] = outer
    register_native("attribute:*", read_field, kind)
    for field in fields:
        _enter_setter(field)
    shared = type(cls.__name__, (SharedInstance,), {"__slots__": ()})
    define_shared(kind, shared)
    own_types.box(kind)(lambda type, memory: object_of(cls, list(fields), shared._numba_box_(type, memory)))
    return made


def _holds(annotation, cls):
    """Whether an annotation is of a container of instances of a class."""
    parts = typing.get_args(annotation)
    return typing.get_origin(annotation) in _CONTAINERS and any(_holds_any(one, cls) for one in parts)


def _holds_any(annotation, cls):
    return annotation is cls or any(_holds_any(one, cls) for one in typing.get_args(annotation))


def _describe(self, class_type, cls):
    types.Type.__init__(self, f"{class_type.class_name}(assigned)")
    self.class_type, self.instance_class, self.jit_order = class_type, cls, lookup_order(cls)


_CONTAINERS = {list: HeldListType, dict: HeldDictType, set: HeldSetType}
_COLLECTIONS = {
    collections.deque: DequeType,
    collections.Counter: CounterType,
    collections.defaultdict: DefaultDictType,
    collections.OrderedDict: OrderedDictType,
}
_any_container = HeldListType(types.int64)


def _type_of(annotation):
    """Give the type of a field by its annotation, which may be a type itself."""
    if isinstance(annotation, types.Type):
        return annotation
    of_class = _type_of_class(annotation) if type(annotation) is type else None
    if of_class is not None:
        return of_class
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return own_types.typeof_impl(next(iter(annotation)))
    origin, items = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in _CONTAINERS:
        parts = list(map(_type_of, items))
        plain = types.List(*parts) if origin is list else None
        return plain if is_kept_list(plain) else _CONTAINERS[origin](*parts)
    if origin in _COLLECTIONS:
        return _COLLECTIONS[origin](*map(held_type, map(_type_of, items)))
    if origin is tuple and Ellipsis not in items:
        return types.Tuple(list(map(_type_of, items)))
    held = [one for one in items if one is not type(None)]
    if len(held) == 1 and len(items) == 2:
        return types.Optional(_type_of(held[0]))
    return own_types.as_numba_type(annotation)


def _type_of_class(cls):
    """Give the type of the instances of a class of a program's; None for any other class."""
    if _in_the_making.get(cls) is not None:
        return _in_the_making[cls]
    if cls in _observed:
        return _observed[cls](cls)
    if not hasattr(cls, "__dataclass_fields__"):
        bindings.load_overloads_of(cls)
        return TYPES_BY_CLASS[cls]() if cls in TYPES_BY_CLASS else None
    from pyopt import data_classes

    data_classes.enter(cls)
    data_classes.assign(cls)
    if instance_type(cls) is None:
        raise TypingError(f"there is no type of fields that are instances of {cls.__name__}: {_types[cls]}")
    return _types[cls]


@cache
def maker(cls):
    """Give the function that makes an instance of the values of all fields."""
    return maker_of_type(_types[cls])


def kept_as(type):
    """Give the type of a field that has values of a type, where nothing else says it."""
    if isinstance(type, (types.List, types.LiteralList)) or type.text.endswith('#py.named<"builtins.list">>'):
        several = (item_type(type),) if item_type(type) is not None else getattr(type, "literal_value", ())
        items = {kept_as(types.unliteral(one)) for one in several}
        if len(items) != 1:
            return type
        kept = types.List(*items)
        return kept if is_kept_list(kept) else HeldListType(*items)
    if isinstance(type, types.Set) and not isinstance(type, types.StructRef):
        return HeldSetType(type.dtype)
    if isinstance(type, types.Dict) and not isinstance(type, types.StructRef):
        return HeldDictType(type.key_type, kept_as(type.value_type))
    return type


@cache
def maker_of_type(type, fresh=frozenset()):
    """Give the function that makes an instance of a type of the values of all fields.

    Containers of fields that are ``fresh`` are nobody else's, and are taken apart.
    """
    taken = [name for name in fresh if isinstance(type.field_dict[name], HELD)]
    scope = {f"of_{name}": taker_of(type.field_dict[name]) for name in taken}
    stores = "".join(
        f"    made.{one} = {f'of_{one}({one})' if one in taken else one}\n" for one in type.field_dict
    )
    source = (
        f"def make({', '.join(type.field_dict)}):\n    made = new(instance_type)\n{stores}    return made\n"
    )
    return define(source, "make", {"new": new, "instance_type": type, **scope})


@cache
def taker_of(field, is_deep=False):
    """Give what puts the items of a list, set or dict into a new container of a field's.

    Where nobody else has what these items hold either, it is taken apart, too.
    """
    make = maker_of(field)
    part = field.parts[-1]
    inner = taker_of(part, True) if is_deep and isinstance(part, HELD) else _same

    def take(value):
        raise NotImplementedError("compiled code has it")

    def of_list(value):
        made = make()
        for item in value:
            made.append(inner(item))
        return made

    def of_set(value):
        made = make()
        for item in value:
            made.add(item)
        return made

    def of_dict(value):
        made = make()
        for key, item in value.items():
            made[key] = inner(item)
        return made

    body = {HeldListType: of_list, HeldSetType: of_set, HeldDictType: of_dict}[type(field)]
    overload(take)(lambda value: _same if value.text in HOLDING_NOTHING or isinstance(value, HELD) else body)
    return take


@cache
def _copier(type):
    listed = ", ".join(f"x.{name}" for name in type.field_dict)
    return define(f"def copy(x):\n    return make({listed})\n", "copy", {"make": maker_of_type(type)})


@once
def _enter_setter(name):
    store = intrinsic(store_field(name))

    def implement(self, value):
        field = self.field_dict.get(name)
        if field is None:
            return None
        convert = _conversion(field, types.unliteral(value))
        if convert is None:
            raise TypingError(
                f"the field '{name}' of {self.instance_class.__name__} is {field} in compiled code, and "
                f"gets {value}"
            )
        return _storing(store, convert)

    def implement_fresh(self, value):
        field = self.field_dict.get(name)
        if not isinstance(field, HELD) or kept_as(types.unliteral(value)) != field:
            return None
        return _storing(store, taker_of(field))

    _Candidate.decorator(f"setattribute:{name}", AssignedType, None, False, False)(implement)
    # What the compiler asks where nobody else has the container.
    _Candidate.decorator(f"setattribute:&fresh-{name}", AssignedType, None, False, False)(implement_fresh)


@cache
def _storing(store, convert):
    return lambda self, value: store(self, convert(value))


@njit
def _same(value):
    return value


@cache
def _conversion(field, value):
    """Give what makes a field's value of one of a type; None where that isn't what the annotation says."""
    if isinstance(field, types.Optional):
        if isinstance(value, types.NoneType):
            return _same
        field = field.type
        value = value.type if isinstance(value, types.Optional) else value
        if isinstance(field, HELD) and field != value:
            return None
    if isinstance(field, HELD) and field != value:
        return _container(field, value)
    if isinstance(field, tuple(_COLLECTIONS.values())) and isinstance(value, OpenContainer):
        return _collection(field) if _begins_as(field, value) else None
    if isinstance(field, types.List):
        if is_empty_of(field, value.text):
            return _empty_list(field)
        return _same if _becomes_list(field, value) else None
    return _same if _fits(field, value) else None


def _begins_as(field, value):
    """Whether an object of `collections` that nothing was put into is one as the field has."""
    if value.kind is not type(field):
        return False
    made = [factory_of(one) for one in value.known]
    return type(field) is not DefaultDictType or made == [factory_of(field.value_type)]


@cache
def _collection(field):
    make = maker_of(field)

    def of_deque(value):
        made = make()
        set_bound_of(made, value)
        return made

    return of_deque if isinstance(field, DequeType) else lambda value: make()


def _fits(field, value):
    if isinstance(field, types.BaseTuple) and isinstance(value, types.BaseTuple):
        return len(field.types) == len(value.types) and all(map(_fits, field.types, value.types))
    if isinstance(value, types.Integer):
        return isinstance(field, (types.Integer, types.Float))
    return field == value or (isinstance(field, types.Float) and isinstance(value, types.Float))


def _empty_list(field):
    @intrinsic
    def empty(typingctx, value):
        return field(value), InMlir(
            [f"%made = typed.list_new : {field.text}", f"return %made : {field.text}"]
        )

    return lambda value: empty(value)


def _becomes_list(field, value):
    """Whether a list of numbers is one of a field's type, or what that is written as."""
    return kept_as(value) == field


def _container(field, value):
    """Give what makes the container of a field of one that is put in."""
    is_open = isinstance(value, OpenContainer) and value.kind is type(field)
    if is_empty_of(field, value.text) or is_open:
        make = maker_of(field)
        return lambda value: make()
    kinds = {HeldListType: "list", HeldSetType: "set", HeldDictType: "dict"}
    if not value.text.startswith(f"!typed.{kinds[type(field)]}<") and "builtins.list" not in value.text:
        return None
    if value != field.held or not all(map(is_plain, field.parts)):
        raise TypingError(
            f"a {value} doesn't become a field in compiled code, but for those of numbers: leave the field "
            "what its default factory makes, and put the items in"
        )

    @intrinsic
    def standing_for(typingctx, value):
        return field(field.held), InMlir(wrapping(field, "%arg0"))

    return lambda value: standing_for(value)
