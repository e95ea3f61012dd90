"""The types of the fields of instances that are passed: by annotations, or by what is found in them.

Fields of all instances of a class that a call reaches have one type: an attribute that is None in some is an
optional. What has no type in compiled code is no field there.
"""

import dataclasses
import hashlib
import typing
from functools import cache
from types import MemberDescriptorType

from pyopt import own_types, plain_classes, types
from pyopt.assigned_data_classes import (
    TYPES_BY_CLASS,
    AssignedType,
    field_type,
    instance_type,
    observed_classes,
)
from pyopt.collection_arguments import KINDS
from pyopt.errors import TypingError, UnsupportedError
from pyopt.extending import overload_attribute
from pyopt.once import entering, once

_BUILTIN = (list, dict, set)
_NOTHING = object()
_SCALARS = {int: types.int64, float: types.float64, bool: types.boolean, str: types.unicode_type}
_HALF = 1 << 63


class _Unknown:
    """What is known of values of several types, or of ones that compiled code doesn't have."""


class Observations:
    """The instances that are reached from one, and what is found in their attributes."""

    def __init__(self, known):
        """Begin; ``known`` are instances that have types, by identity."""
        self.known = known
        self.instances, self.containers = [], []
        self._seen = set()
        self._found = {}
        self._depth = 0

    def visit(self, root):
        """Go through an instance and what it refers to."""
        waiting = [root]
        while waiting:
            instance = waiting.pop()
            if id(instance) in self._seen or id(instance) in self.known:
                continue
            self._seen.add(id(instance))
            self.instances.append(instance)
            attributes = _attributes_of(instance)
            found = self._found.setdefault(type(instance), {})
            if found and found.keys() != attributes.keys():
                name = min(found.keys() ^ attributes.keys())
                raise TypingError(
                    f"not all {type(instance).__name__} that are passed have the attribute '{name}'"
                )
            for name, value in attributes.items():
                hint = self._hint(value, waiting)
                found[name] = _merged(found[name], hint) if name in found else hint

    def _hint(self, value, waiting):
        """Give what a value says of the type of its field."""
        cls = type(value)
        if value is None:
            return cls
        if cls in _SCALARS and (cls is not int or -_HALF <= value < _HALF):
            return _SCALARS[cls]
        if cls in _BUILTIN:
            return self._hint_of_container(cls, value, waiting)
        if cls in KINDS:
            self.containers.append(value)
        if is_structure(cls):
            known = self.known.get(id(value))
            waiting.append(value)
            return cls if known is None else known[2].kind
        try:
            return types.unliteral(own_types.typeof_impl(value))
        except (TypeError, ValueError, TypingError, UnsupportedError):
            return _Unknown

    def _hint_of_container(self, cls, value, waiting):
        self.containers.append(value)
        columns = (value.keys(), value.values()) if cls is dict else (value,)
        self._depth += 1
        if self._depth > 50:
            return _Unknown
        hints = []
        for column in columns:
            hint = _NOTHING
            for item in column:
                hint = _merged(hint, self._hint(item, waiting))
            hints.append(hint)
        self._depth -= 1
        return _Unknown if _Unknown in hints else (cls, *hints)

    def types(self):
        """Give the types of the instances, by class."""
        key = tuple((cls, *found.items()) for cls, found in self._found.items())
        known = plain_classes.types_found.get(key)
        if known is None:
            known = self._types()
            plain_classes.types_found[key] = known
        return known

    def _types(self):
        with entering:
            for cls in self._found:
                plain_classes.enter(cls)
            settled = {cls: _settled_type(cls, found) for cls, found in self._found.items()}
            hints = {cls: _hints_of(cls, self._found[cls]) for cls in settled if settled[cls] is None}

            def type_of(cls):
                if settled[cls] is None:
                    settled[cls] = plain_classes.type_of_fields(cls, hints[cls], _suffix(cls, hints))
                    for name in self._found[cls].keys() - hints[cls].keys():
                        enter_left_out(name)
                return settled[cls]

            with observed_classes(dict.fromkeys(settled, type_of)):
                return {cls: type_of(cls) for cls in settled}


@once
def enter_left_out(name):
    """Have compiled code say why an attribute that instances have is no field."""

    def implement(self):
        if isinstance(self, AssignedType) and name not in self.field_types:
            raise TypingError(
                f"the attribute '{name}' of {self.instance_class.__name__} that is passed has no type in "
                f"compiled code: it is empty, of several types, or of a class that isn't known there"
            )

    overload_attribute(AssignedType, name, strict=False)(implement)


def _settled_type(cls, found):
    """Give the type that instances of a class have by its annotations; None if these don't say it all."""
    if hasattr(cls, "__dataclass_fields__"):
        return instance_type(cls)
    try:
        made = TYPES_BY_CLASS[cls]()
    except (KeyError, TypingError, UnsupportedError):
        return None
    written = plain_classes.annotations_of(cls)
    fields = made.field_dict
    is_as_written = fields.keys() == found.keys() and all(
        name in written or hint == fields[name] for name, hint in found.items()
    )
    return made if is_as_written else None


def _hints_of(cls, found):
    written = plain_classes.annotations_of(cls)
    hints = {}
    for name, hint in found.items():
        shown = written[name] if name in written and _has_type(written[name]) else _written(hint)
        if shown is not None:
            hints[name] = plain_classes.optional(cls) if plain_classes.is_link(cls, name, shown) else shown
    return hints


def _has_type(annotation):
    """Whether an annotation says a type that fields may be of."""
    if _named_classes(annotation):
        return True
    try:
        field_type(annotation)
    except (TypingError, TypeError, UnsupportedError):
        return False
    return True


def _named_classes(annotation):
    """Give the classes of a program's that an annotation names."""
    if isinstance(annotation, type) and typing.get_origin(annotation) is None:
        return {annotation} if is_structure(annotation) else set()
    return set().union(*map(_named_classes, typing.get_args(annotation)))


def _suffix(cls, hints):
    """Give what tells types apart whose fields refer to instances of classes without annotations."""
    reached, waiting = set(), [cls]
    while waiting:
        one = waiting.pop()
        if one not in reached and one in hints:
            reached.add(one)
            waiting += [held for hint in hints[one].values() for held in _named_classes(hint)]
    if len(reached) < 2:
        return ""
    names = sorted(f"{one.__qualname__}{list(map(str, hints[one].items()))}" for one in reached)
    return hashlib.blake2s(repr(names).encode(), digest_size=6).hexdigest()


def is_structure(cls):
    """Whether compiled code has instances of a class as structures, which are copied where passed."""
    if hasattr(cls, "__dataclass_fields__"):
        return instance_type(cls) is not None
    return plain_classes.is_plain(cls)


def _attributes_of(instance):
    """Give the attributes that an instance has, in the order of their names."""
    cls = type(instance)
    if hasattr(cls, "__dataclass_fields__"):
        return {field.name: getattr(instance, field.name) for field in dataclasses.fields(cls)}
    found = dict(getattr(instance, "__dict__", ()))
    for name in _slots_of(cls):
        if hasattr(instance, name):
            found[name] = getattr(instance, name)
    return dict(sorted(found.items()))


@cache
def _slots_of(cls):
    members = (one for base in cls.__mro__ for one in vars(base).items())
    return [name for name, member in members if isinstance(member, MemberDescriptorType)]


def _merged(one, other):
    """Give what two values together say of the type of a field."""
    if one == other or other is _NOTHING:
        return one
    if one is _NOTHING:
        return other
    if _Unknown in (one, other):
        return _Unknown
    nothing = type(None)
    if nothing in (one, other):
        held = other if one is nothing else one
        return held if isinstance(held, types.Optional) or _optional(held) else ("optional", held)
    if _optional(one) or _optional(other):
        inner = _merged(*(one[1] if _optional(one) else one, other[1] if _optional(other) else other))
        return _Unknown if inner is _Unknown else ("optional", inner)
    if isinstance(one, tuple) and isinstance(other, tuple) and one[0] is other[0]:
        parts = tuple(map(_merged, one[1:], other[1:]))
        return _Unknown if _Unknown in parts else (one[0], *parts)
    if {one, other} == {types.int64, types.float64}:
        return types.float64
    return _Unknown


def _optional(hint):
    return isinstance(hint, tuple) and hint[0] == "optional"


def _written(hint):
    """Give the type that was found, or the annotation of one of instances; None where there is none."""
    annotation = _annotation(hint)
    if annotation is None or _named_classes(annotation):
        return annotation
    try:
        return field_type(annotation)
    except (TypingError, TypeError, UnsupportedError):
        return None


def _annotation(hint):
    if hint is _Unknown or hint is _NOTHING:
        return None
    if not isinstance(hint, tuple):
        return types.none if hint is type(None) else hint
    kind, *parts = hint
    parts = tuple(map(_annotation, parts))
    if None in parts:
        return None
    return plain_classes.optional(parts[0]) if kind == "optional" else kind[parts]
