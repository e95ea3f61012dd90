"""What enumerations have as ``__members__`` in compiled code: the members by all names, aliases included.

The type says all: of the mapping, and of its keys, values and items.
"""

import operator
from functools import cache

from pyopt import own_types, types
from pyopt.enums import item_of
from pyopt.extending import overload, overload_method

_METHODS = ("keys", "values", "items")


class _Mapping:
    """The members of an enumeration, or one of the views of them."""

    def __init__(self, instance_class, view):
        """Take the enumeration, and the method that gives the view, if it is one."""
        self.instance_class = instance_class
        self.view = view

    def object(self):
        """Give what Python has."""
        mapping = self.instance_class.__members__
        return getattr(mapping, self.view)() if self.view else mapping


class _MappingType(types.Type):
    """The type of the members of one enumeration, or of a view of them."""

    def __init__(self, mapping):
        self.mapping = mapping
        shown = f".{mapping.view}()" if mapping.view else ""
        super().__init__(f"{mapping.instance_class.__qualname__}.__members__{shown}")

    @property
    def key(self):
        """Tell enumerations of one name apart."""
        return self.mapping


@own_types.register_model(_MappingType)
class _Model(own_types.DirectModel):
    """The model of members by names: their type says all."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [])


own_types.unbox(_MappingType)(lambda mapping: None)
own_types.box(_MappingType)(lambda type, none: type.mapping.object())
_type_of = cache(_MappingType)
own_types.typeof_impl.register(_Mapping, lambda mapping, context: _type_of(mapping))


@cache
def mapping_body(instance_class, view=""):
    """Give the function that finds the members of an enumeration by name, or a view of them."""
    mapping = _Mapping(instance_class, view)
    return lambda self: mapping


def _enter_view(name):
    @overload_method(_MappingType, name)
    def _(self):
        is_mapping = not self.mapping.view
        return mapping_body(self.mapping.instance_class, name) if is_mapping else None


for _name in _METHODS:
    _enter_view(_name)


@overload(iter)
def _(self):
    if isinstance(self, _MappingType):
        items = tuple(self.mapping.object())
        return lambda self: items


@overload(len)
def _(obj):
    if isinstance(obj, _MappingType):
        count = len(obj.mapping.object())
        return lambda obj: count


@overload(bool)
def _(x):
    if isinstance(x, _MappingType):
        # An enumeration that has a type has members.
        return lambda x: True


@overload(operator.contains)
def _(container, item):
    if isinstance(container, _MappingType):
        items = tuple(container.mapping.object())
        return lambda container, item: item in items


@overload(operator.getitem, prefer_literal=True)
def _(a, b):
    is_mapping = isinstance(a, _MappingType) and not a.mapping.view
    return item_of(a.mapping.instance_class, b) if is_mapping else None


@overload_method(_MappingType, "get")
def _(self, key, default=None):
    if self.mapping.view:
        return None

    def find(self, key, default=None):
        return self[key] if key in self else default

    return find
