# The bodies of methods are named as these, and say what they do.
# ruff: noqa: D103
"""What an ``OrderedDict`` has that other dicts haven't: an order that is changed, and views of its own."""

import re

from pyopt import types
from pyopt.collection_types import OrderedDictType
from pyopt.containers import held, kept, key_of, method
from pyopt.decorators import of_package
from pyopt.extending import intrinsic
from pyopt.intrinsics import InMlir


def pop_first(table):
    """Stand for what takes out the entry that was put in first, of a dict that has entries."""
    raise NotImplementedError("compiled code has it")


of_package(pop_first)


@method(OrderedDictType)
def popitem(self, last=True):
    found = held(self)
    if last or len(found) == 0:
        return found.popitem()
    return pop_first(found)


@method(OrderedDictType)
def move_to_end(self, key, last=True):
    found = held(self)
    value = found.pop(key)
    if last:
        found[key_of(self, key)] = kept(self, value)
    else:
        others = [item for item in found.items()]
        found.clear()
        found[key_of(self, key)] = kept(self, value)
        for other, one in others:
            found[other] = one


@intrinsic
def _ordered(typingctx, view):
    """Give the view of a dict as one of an ``OrderedDict``."""
    found = re.fullmatch(r'!typed\.dict_view<(.*), "(\w+)">', view.text)
    ordered = types.from_text(f'!typed.dict_view<{found[1]}, "ordered_{found[2]}">')
    lines = [
        f"%dict = typed.viewed_dict %arg0 : {view.text} -> {found[1]}",
        f"%view = typed.dict_view %dict : {found[1]} -> {ordered.text}",
        f"return %view : {ordered.text}",
    ]
    return ordered(view), InMlir(lines)


@method(OrderedDictType)
def keys(self):
    return _ordered(held(self).keys())


@method(OrderedDictType)
def values(self):
    return _ordered(held(self).values())


@method(OrderedDictType)
def items(self):
    return _ordered(held(self).items())
