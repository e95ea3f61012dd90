"""What stands for views of dicts where Python makes texts of them: the dict, in a class for each kind."""

from collections import OrderedDict

from pyopt import _core

_VIEWS = {
    "dict_keys": lambda items: items[0].keys(),
    "dict_values": lambda items: items[0].values(),
    "dict_items": lambda items: items[0].items(),
    "odict_keys": lambda items: OrderedDict(items[0]).keys(),
    "odict_values": lambda items: OrderedDict(items[0]).values(),
    "odict_items": lambda items: OrderedDict(items[0]).items(),
}


def enter():
    """Make the classes known by their names, which the compiler writes."""
    for name, view in _VIEWS.items():
        scope = {"_fields": (".viewed",), "__slots__": (), "__pyopt_box__": staticmethod(view)}
        _core.named_tuple_slot(type(name, (tuple,), scope))
