"""The functions of ``dataclasses`` in compiled code, where the fields are known by the type."""

import dataclasses
from functools import cache
from itertools import count
from typing import NamedTuple

from pyopt import types
from pyopt.data_classes import InstanceType
from pyopt.definitions import define
from pyopt.errors import TypingError
from pyopt.extending import overload
from pyopt.super_calls import class_of


class _Field(NamedTuple):
    name: str


def _check(function, instance):
    if not isinstance(instance, InstanceType):
        raise TypingError(f"{function}() should be called on dataclass instances, not on {instance}")


@overload(dataclasses.replace, strict=False)
def _(obj, /, **changes):
    _check("replace", obj)
    return _replacing(obj.instance_class, tuple(changes))


@cache
def _replacing(cls, changed):
    fields = {one.name: one for one in cls.__dataclass_fields__.values()}
    passed = []
    for name in changed:
        if name not in fields:
            raise TypingError(f"{cls.__name__}.__init__() got an unexpected keyword argument '{name}'")
        if not fields[name].init:
            raise TypingError(
                f"field {name} is declared with init=False, it cannot be specified with replace()"
            )
        passed.append(f"{name}={name}")
    for field in dataclasses.fields(cls):
        if field.init and field.name not in changed:
            passed.append(f"{field.name}=obj.{field.name}")
    shown = ", ".join(["obj", "/", *(["*", *changed] if changed else [])])
    source = f"def replace({shown}):\n    return cls({', '.join(passed)})\n"
    return define(source, "replace", {"cls": cls})


@overload(dataclasses.asdict, strict=False)
def _(obj):
    _check("asdict", obj)
    return _taken_apart(obj, "asdict")


@overload(dataclasses.astuple, strict=False)
def _(obj):
    _check("astuple", obj)
    return _taken_apart(obj, "astuple")


@cache
def _taken_apart(type, function):
    written = _parts(type, "obj", function, map("item{}".format, count()))
    return define(f"def {function}(obj):\n    return {written}\n", function, {})


def _parts(type, value, function, names):
    """Write what a value is taken apart into: instances by their fields, containers by their items."""
    if isinstance(type, InstanceType):
        fields = {
            name: _parts(one, f"{value}.{name}", function, names) for name, one in type.field_types.items()
        }
        if function == "asdict":
            _check_values(type)
            return f"{{{', '.join(f'{name!r}: {part}' for name, part in fields.items())}}}"
        return f"({''.join(f'{part}, ' for part in fields.values())})"
    if isinstance(type, types.List):
        item = next(names)
        return f"[{_parts(type.dtype, item, function, names)} for {item} in {value}]"
    if isinstance(type, types.Dict):
        key, item = next(names), next(names)
        part = _parts(type.value_type, item, function, names)
        return f"{{{key}: {part} for {key}, {item} in {value}.items()}}"
    if isinstance(type, types.BaseTuple) and not isinstance(type, types.BaseNamedTuple):
        items = (_parts(one, f"{value}[{at}]", function, names) for at, one in enumerate(type.types))
        return f"({''.join(f'{item}, ' for item in items)})"
    return f"{value}.copy()" if isinstance(type, types.Array) else value


def _check_values(type):
    """Refuse a dict of values of several types, which can't be returned."""
    found = {types.unliteral(one) for one in type.field_types.values()}
    if len(found) > 1 and not all(isinstance(one, types.Number) for one in found):
        raise TypingError(f"asdict() takes fields of one type in compiled code: use astuple() for {type}")


@overload(dataclasses.fields, strict=False)
def _(class_or_instance):
    cls = _class_of(class_or_instance)
    if cls is None:
        raise TypingError("must be called with a dataclass type or instance")
    return _listing(cls)


@cache
def _listing(cls):
    listed = tuple(_Field(field.name) for field in dataclasses.fields(cls))
    return lambda class_or_instance: listed


@overload(dataclasses.is_dataclass, strict=False)
def _(obj):
    return _yes if _class_of(obj) is not None else _no


def _yes(obj):
    return True


def _no(obj):
    return False


def _class_of(type):
    """Give the dataclass that a type is of, or that it is itself; None for any other type."""
    if isinstance(type, InstanceType):
        return type.instance_class
    cls = class_of(type)
    return cls if dataclasses.is_dataclass(cls) else None
