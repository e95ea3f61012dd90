"""Dataclasses in compiled code: values of their fields.

An instance that is passed is taken apart, and one that is returned is made anew, so nobody sees whether two
names are of one instance: fields can't be assigned in compiled code, and ``is`` compares nothing. Methods,
properties and operators are those of the class.
"""

import dataclasses
import inspect
import operator
import typing
from functools import cache
from types import FunctionType

from pyopt import njit, own_types, types
from pyopt.assigned_data_classes import AssignedType, instance_type, reason_against
from pyopt.assigned_data_classes import enter as enter_assigned
from pyopt.assigned_data_classes import maker as assigned_maker
from pyopt.class_methods import method_body
from pyopt.data_class_constructors import enter_constructor, is_generated, stored_by_program
from pyopt.definitions import define
from pyopt.errors import TypingError
from pyopt.extending import (
    _Candidate,
    intrinsic,
    overload,
    overload_attribute,
    overload_method,
    register_native,
)
from pyopt.intrinsics import InMlir
from pyopt.object_iterators import enter_next, iterating
from pyopt.once import once
from pyopt.operations import MIRRORED, OPERATIONS, body_of_operation, compiled_form
from pyopt.structures import read_field
from pyopt.super_calls import enter_classes, enter_inherited, is_constant, lookup_order

# What `dataclass` writes itself, and what compares the fields in the place of that.
_MADE = frozenset(("__init__", "__repr__", "__replace__"))
_COMPARISONS = ("__eq__", "__lt__", "__le__", "__gt__", "__ge__")

# Methods, attributes and operations that have an overload already.
_members = set()
# The names of the classes that were met, with a number where there are others of a name.
_names = {}
_entered = set()


class InstanceType(types.Type):
    """The type of the instances of a dataclass: of values, or of structures whose fields are assigned."""


class DataclassType(InstanceType):
    """The type of the instances of a dataclass whose fields have types, which are values."""

    def __init__(self, instance_class, field_types):
        """Describe the instances of a class."""
        self.instance_class = instance_class
        self.field_types = field_types
        # What `super()` goes through.
        self.jit_order = lookup_order(instance_class)
        listed = ", ".join(map(_named_apart, field_types.values()))
        super().__init__(f"{_names[instance_class]}({listed})")


def _named_apart(type):
    """Name a type as errors do, but for lists of so many items, which are called what other lists are."""
    return type.text.replace('"', "'") if "builtins.list" in type.text else str(type)


@own_types.register_model(DataclassType)
class _Model(own_types.PlainModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, fe_type.field_types.items())


@own_types.unbox(DataclassType)
def _(instance):
    return [getattr(instance, field.name) for field in dataclasses.fields(instance)]


@own_types.box(DataclassType)
def _(type, *values):
    made = object.__new__(type.instance_class)
    for name, value in zip(type.field_types, values, strict=True):
        object.__setattr__(made, name, value)
    return made


def typeof(instance, context=None):
    """Give the type of an instance."""
    # Its class may be derived from one that is known.
    enter(type(instance))
    fields = dataclasses.fields(instance)
    return DataclassType(
        type(instance), {field.name: own_types.typeof_impl(getattr(instance, field.name)) for field in fields}
    )


def has_types(cls):
    """Whether compiled code makes instances of a class, whose types have names."""
    return cls in _names


def names_of_instances(cls):
    """Give the names that begin the types of a class's instances, and of those of classes derived from it."""
    derived = (name for one in type.__subclasses__(cls) for name in names_of_instances(one))
    return [name_of_types(cls), *derived]


@once
def enter(cls):
    """Make a dataclass known to compiled code, once."""
    if cls in _entered:
        # Its own fields or methods name it.
        return
    _entered.add(cls)
    name_of_types(cls)
    own_types.typeof_impl.register(cls, typeof)
    own_types.takers[cls] = _taken
    enter_constructor(cls, lambda: _maker(cls) if instance_type(cls) is None else assigned_maker(cls))
    for at in range(len(getattr(cls, "__match_args__", ()))):
        register_native(f"attribute:__match_args__[{at}]", _reader_by_position(at), InstanceType)
    for field in dataclasses.fields(cls):
        register_native(f"attribute:{field.name}", _reader(field.name), DataclassType)
        register_native(f"setattribute:{field.name}", _refuse_assignment, DataclassType)
    enter_members(cls)
    if _refers_to_itself(cls):
        # Its values would be of as many types as they are deep.
        assign(cls)


def _refers_to_itself(cls):
    """Whether fields of a dataclass are, or hold, instances of it by their annotations."""

    def names(hint):
        return hint is cls or any(map(names, typing.get_args(hint)))

    try:
        hints = typing.get_type_hints(cls, localns={cls.__name__: cls})
    except (NameError, TypeError):
        return False
    return any(names(hints[field.name]) for field in dataclasses.fields(cls))


def _taken(instance, notes):
    """Give what stands for an instance of a class whose fields are assigned; None of any other class."""
    cls = type(instance)
    if instance_type(cls) is None:
        if not any(_has_structure(getattr(instance, field.name)) for field in dataclasses.fields(cls)):
            return None
        # A copy of the fields' values would have other instances in it than other names of these.
        enter(cls)
        assign(cls)
        if instance_type(cls) is None:
            raise TypingError(
                f"cannot pass a {cls.__name__} that has instances whose fields are assigned: "
                f"{reason_against(cls)}"
            )
    from pyopt import passed_instances

    return passed_instances.stand_in(instance, notes)


def _has_structure(value):
    """Whether a value is, or holds, an instance whose fields are assigned."""
    if type(value) in (list, tuple, set, dict):
        held = value.values() if type(value) is dict else value
        return any(map(_has_structure, held))
    return type(value) in own_types.takers and _is_structure(type(value))


def _is_structure(cls):
    return instance_type(cls) is not None or not hasattr(cls, "__dataclass_fields__")


def enter_members(cls):
    """Have the instances of a class the methods, properties, operators and constants that it defines."""
    enter_classes(cls, lookup_order(cls))
    for base in reversed(cls.__mro__[:-1]):
        for name, member in base.__dict__.items():
            _enter_member(cls, name, member)


def name_of_types(cls):
    """Give the name that the types of a class's instances begin with."""
    if cls not in _names:
        name = f"{cls.__module__}.{cls.__qualname__}"
        same = sum(other.partition("#")[0] == name for other in _names.values())
        _names[cls] = f"{name}#{same}" if same else name
    return _names[cls]


def note_stored(classes, functions):
    """Find out of which dataclasses among its classes a program assigns fields: these are structures."""
    stored = stored_by_program(classes, functions)
    for cls in classes:
        if not hasattr(cls, "__dataclass_fields__"):
            from pyopt import plain_classes

            plain_classes.note_stored(cls, stored)
            continue
        fields = getattr(cls, "__dataclass_fields__", {})
        if stored & fields.keys() and not cls.__dataclass_params__.frozen:
            assign(cls)


def classes_of(arguments):
    """Give the classes of instances among types of arguments, at any depth."""
    found, waiting = {}, list(arguments)
    while waiting:
        one = waiting.pop()
        if isinstance(one, types.Record):
            # It holds no instances, and may have no dtype of NumPy's.
            continue
        cls = getattr(one, "instance_class", None)
        if cls is not None and isinstance(one, InstanceType) and cls not in found:
            found[cls] = one
            waiting += one.field_types.values()
        parts = (getattr(one, name, None) for name in ("dtype", "type", "key_type", "value_type"))
        waiting += [part for part in parts if isinstance(part, types.Type)]
        waiting += getattr(one, "types", ())
    return found


def are_assigned(arguments):
    """Whether instances among arguments have other types now: their fields turned out to be assigned."""
    from pyopt import plain_classes

    for cls, found in classes_of(arguments).items():
        if isinstance(found, DataclassType):
            if instance_type(cls) is not None:
                return True
        elif any(plain_classes.is_link(cls, name, one) for name, one in found.field_types.items()):
            return True
    return False


def assign(cls):
    """Have compiled code make structures of a dataclass, whose fields are assigned."""
    enter_assigned(cls, _names[cls], InstanceType)


def _reader(name):
    def field(context, type):
        if name not in type.field_types:
            raise TypingError(f"{type} has no field '{name}'")
        found, items = type.field_types[name], _items_of(type)
        at = list(type.field_types).index(name)
        lines = [
            f"%fields = typed.as_tuple %arg0 : {type.text}",
            f"%field = typed.tuple_get %fields[{at}] : {items} -> {found.text}",
            f"return %field : {found.text}",
        ]
        return found(type), InMlir(lines)

    return field


def _reader_by_position(at):
    """Read what a class pattern takes by its position."""

    def field(context, type):
        names = getattr(type.instance_class, "__match_args__", ())
        if at >= len(names):
            raise TypingError(
                f"{type.instance_class.__name__}() accepts {len(names)} positional sub-patterns"
            )
        read = _reader if isinstance(type, DataclassType) else read_field
        return read(names[at])(context, type)

    return field


def _items_of(type):
    return f"tuple<{', '.join(one.text for one in type.field_types.values())}>"


@cache
def _maker(cls):
    """Give the intrinsic that makes an instance of a class of the values of its fields."""
    names = [field.name for field in dataclasses.fields(cls)]

    def make(typingctx, *values):
        type = DataclassType(cls, dict(zip(names, map(types.unliteral, values), strict=True)))
        listed = ", ".join(f"%arg{at}" for at in range(len(values)))
        lines = [
            f"%fields = typed.tuple({listed}) : {_items_of(type)}",
            f"%made = typed.as_sequence %fields : {type.text}",
            f"return %made : {type.text}",
        ]
        return type(*type.field_types.values()), InMlir(lines)

    parameters = "".join(f", value{at}" for at in range(len(names)))
    source = f"def constructor(typingctx{parameters}):\n    return make(typingctx{parameters})\n"
    return intrinsic(define(source, "constructor", {"make": make}))


def _refuse_assignment(context, type, value):
    name, reason = type.instance_class.__name__, reason_against(type.instance_class)
    if reason is not None:
        raise TypingError(
            f"fields of {name} can't be assigned in compiled code, which types them all: {reason}"
        )
    raise TypingError(
        f"fields of {name} that is passed can't be assigned in compiled code, which has a copy of it: make a "
        "new one there, or use a jitclass"
    )


def _enter_member(cls, name, member):
    # What the class has under the name of a field is the field's default; a ClassVar is none.
    is_field = dataclasses.is_dataclass(cls) and any(one.name == name for one in dataclasses.fields(cls))
    is_known = is_constant(member) and not name.startswith("__") and not is_field
    if not name.startswith("__") or isinstance(member, FunctionType):
        enter_inherited(name)
    if isinstance(member, property) and member.fset is not None:
        _enter_once("setter", name, lambda: _enter_setter(name))
    if isinstance(member, property) or is_known:
        _enter_once(
            "attribute", name, lambda: overload_attribute(InstanceType, name, strict=False)(_getter(name))
        )
    elif isinstance(member, FunctionType) and name in OPERATIONS:
        _enter_operation(name)
        if name in MIRRORED:
            # The right operand is asked for it.
            _enter_operation(MIRRORED[name])
        if name == "__eq__":
            _enter_once("operation", "__ne__", lambda: overload(operator.ne)(_differs))
    elif isinstance(member, (FunctionType, staticmethod, classmethod)) and name not in _MADE:
        if name == "__next__":
            enter_next()
        _enter_once("method", name, lambda: overload_method(InstanceType, name, strict=False)(_method(name)))


def _enter_setter(name):
    def implement(self, value):
        member = inspect.getattr_static(self.instance_class, name, None)
        return member.fset if isinstance(member, property) else None

    _Candidate.decorator(f"setattribute:{name}", InstanceType, None, False, False)(implement)


def _enter_once(kind, name, enter):
    if (kind, name) not in _members:
        _members.add((kind, name))
        enter()


def _enter_operation(name):
    _enter_once("operation", name, lambda: overload(OPERATIONS[name], strict=False)(_operation(name)))


def _getter(name):
    def implement(self):
        if name in self.field_types:
            return None
        member = inspect.getattr_static(self.instance_class, name, None)
        if isinstance(member, property):
            return member.fget
        return _constant_body(self.instance_class, name, repr(member)) if is_constant(member) else None

    return implement


def _method(name):
    def implement(self, *args, **kwargs):
        return method_body(self.instance_class, name)

    return implement


@cache
def _constant_body(cls, name, text):
    """Give what reads a constant of a class; its text tells the ones that compare equal apart."""
    constant = inspect.getattr_static(cls, name)
    return lambda self: constant


def _differs(left, right):
    equals = _operation("__eq__")(left, right)
    return equals and _negated(equals)


# What is made is one function however often it is asked for: caches of code compare answers.
@cache
def _negated(function):
    return lambda left, right: not function(left, right)


def _operation(name):
    def implement(*operands):
        body = body_of_operation(name, operands, _body_of)
        if body is not None:
            return iterating(body) if name == "__iter__" else body
        is_asked = name == "__eq__" and any(isinstance(one, InstanceType) for one in operands)
        return _unequal() if is_asked and all(map(_equals_its_class, operands)) else None

    return implement


@overload_attribute(InstanceType, "__class__", strict=False)
def _(self):
    return _class_body(self.instance_class)


@cache
def _class_body(cls):
    return lambda self: cls


@overload(bool, strict=False)
def _(x):
    is_silent = isinstance(x, InstanceType) and not any(
        hasattr(x.instance_class, name) for name in ("__bool__", "__len__")
    )
    return _true if is_silent else None


def _true(x):
    return True


@njit
def _is_same(left, right):
    return left is right


def enter_identity():
    """Have instances of classes without an ``__eq__`` equal themselves alone."""
    _enter_operation("__eq__")
    _enter_once("operation", "__ne__", lambda: overload(operator.ne)(_differs))


@cache
def _unequal():
    return lambda left, right: False


# What equals nothing of another class.
_PLAIN = (types.Number, types.Boolean, types.BaseTuple, types.UnicodeType, types.Bytes, types.NoneType)


def _equals_its_class(type):
    """Whether values of a type equal none of another class but those that say so."""
    if isinstance(type, InstanceType):
        return hasattr(type.instance_class, "__dataclass_fields__") and is_generated(
            type.instance_class, "__eq__"
        )
    return isinstance(type, (*_PLAIN, types.List, types.Dict, types.Set))


def _body_of(name, *operands):
    """Give what the class of the first operand defines."""
    if not isinstance(operands[0], InstanceType):
        return None
    cls = operands[0].instance_class
    body = getattr(cls, name, None)
    if name == "__eq__" and body is object.__eq__ and isinstance(operands[0], AssignedType):
        return _is_same if operands[0] == operands[1] else _unequal()
    if name in _COMPARISONS and hasattr(cls, "__dataclass_fields__") and is_generated(cls, name):
        is_of_class = cls is getattr(operands[1], "instance_class", None)
        return _comparison(cls, name) if is_of_class else None
    return compiled_form(body) if isinstance(body, FunctionType) else None


@cache
def _comparison(cls, name):
    compared = [field.name for field in dataclasses.fields(cls) if field.compare]
    left, right = (f"({''.join(f'{side}.{one}, ' for one in compared)})" for side in ("left", "right"))
    symbol = {"__eq__": "==", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}[name]
    scope = {}
    exec(f"def body(left, right):\n    return {left} {symbol} {right}\n", scope)
    return scope["body"]
