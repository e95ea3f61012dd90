"""Global objects of ``collections`` in compiled code: constants, as global lists and dicts are.

Their methods are those of the types of such objects, but for the ones that change something: these refuse
that. A ``defaultdict`` isn't among them, of which asking for a key may put it in.
"""

import collections

from pyopt import own_types
from pyopt.collection_types import CounterType, OrderedDictType, enter_class
from pyopt.containers import BODIES, changing
from pyopt.deques import DequeType, enter_shared
from pyopt.extending import overload_method
from pyopt.global_containers import ConstantModel, enter_kind


class GlobalOrderedDictType(OrderedDictType):
    """The type of a global ``OrderedDict``."""

    is_constant = True


class GlobalCounterType(CounterType):
    """The type of a global ``Counter``."""

    is_constant = True


class GlobalDequeType(DequeType):
    """The type of a global ``deque``."""

    is_constant = True


# What changes an object, where that is a method of its own or of a base.
_CHANGES = {
    GlobalOrderedDictType: ("move_to_end", "popitem"),
    GlobalCounterType: ("__delitem__", "subtract", "update"),
    GlobalDequeType: (
        "__delitem__",
        "__iadd__",
        "__setitem__",
        "append",
        "appendleft",
        "clear",
        "extend",
        "extendleft",
        "insert",
        "pop",
        "popleft",
        "remove",
        "reverse",
        "rotate",
    ),
}


def _refused(self, *operands):
    return changing(self)


for _kind, _names in _CHANGES.items():
    own_types.register_model(_kind)(ConstantModel)
    for _name in _names:
        BODIES[_kind, _name] = _refused
        if not _name.startswith("__"):
            overload_method(_kind, _name, strict=False)(lambda *operands, **keywords: _refused)
enter_class(GlobalOrderedDictType)
enter_class(GlobalCounterType)
enter_shared(GlobalDequeType)
enter_kind(collections.OrderedDict, GlobalOrderedDictType)
enter_kind(collections.Counter, GlobalCounterType)
enter_kind(collections.deque, GlobalDequeType)
