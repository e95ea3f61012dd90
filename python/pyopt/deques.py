# The bodies of methods are named as these, and say what they do.
# ruff: noqa: D103
"""``collections.deque`` in compiled code: a list, and how many of its first items were taken out."""

import collections

from pyopt import njit, own_types, types
from pyopt.containers import BODIES, Container, enter_operators, held, kept, maker_of, method
from pyopt.errors import TypingError
from pyopt.extending import intrinsic, overload
from pyopt.intrinsics import InMlir
from pyopt.open_containers import EMPTY, close_by, item_type, new_open, refuse_open
from pyopt.structures import SharedInstance, define_shared, memory_of
from pyopt.types.composite import List, Tuple


class DequeType(Container):
    """The type of ``collections.deque`` without a greatest length."""

    shown, maker = "deque", "list_new"

    def __init__(self, dtype):
        """Describe a deque of items of a type."""
        super().__init__(types.List(dtype), dtype)
        self.dtype = self.item_type = dtype

    @property
    def memory(self):
        """The type of the memory: the list, and where the first item is in it."""
        return List(Tuple([self.held, types.int64]))


@intrinsic
def head(typingctx, self):
    """Give the position of the first item in the list."""
    memory, lines = memory_of("%arg0", self)
    text = types.int64.text
    lines.append(f"%head = typed.field_get {memory}[1] : {self.memory.text} -> {text}")
    lines.append(f"return %head : {text}")
    return types.int64(self), InMlir(lines)


@intrinsic
def set_head(typingctx, self, position):
    """Say where the first item is."""
    memory, lines = memory_of("%arg0", self)
    lines.append(f"typed.field_set %arg1, {memory}[1] : {types.int64.text}, {self.memory.text}")
    lines.append(f"%none = typed.singleton : {types.none.text}")
    lines.append(f"return %none : {types.none.text}")
    return types.none(self, types.int64), InMlir(lines)


class _Shared(SharedInstance):
    __slots__ = ()


define_shared(DequeType, _Shared)
EMPTY[DequeType] = collections.deque


@njit
def _items(self):
    return held(self)[head(self) :]


@njit
def _size(self):
    return len(held(self)) - head(self)


@own_types.box(DequeType)
def _(type, memory):
    shared = _Shared._numba_box_(type, memory)
    return collections.deque(_items(shared) if _size(shared) else [])


@method(DequeType)
def __len__(self):
    return len(held(self)) - head(self)


@method(DequeType)
def __bool__(self):
    return len(held(self)) > head(self)


@method(DequeType)
def __iter__(self):
    return held(self)[head(self) :]


@method(DequeType)
def __contains__(self, item):
    return item in held(self)[head(self) :]


@njit
def _place_of(self, index):
    size = len(held(self)) - head(self)
    if index < -size or index >= size:
        raise IndexError("deque index out of range")
    return head(self) + (index if index >= 0 else index + size)


@method(DequeType)
def __getitem__(self, index):
    return held(self)[_place_of(self, index)]


@method(DequeType)
def __setitem__(self, index, item):
    held(self)[_place_of(self, index)] = kept(self, item)


@method(DequeType)
def __delitem__(self, index):
    del held(self)[_place_of(self, index)]


@method(DequeType)
def append(self, item):
    held(self).append(kept(self, item))


@method(DequeType)
def appendleft(self, item):
    first = head(self)
    if first == 0:
        # As much room as there are items: putting one in costs the same on average.
        first = max(len(held(self)), 4)
        held(self)[0:0] = [kept(self, item)] * first
    held(self)[first - 1] = kept(self, item)
    set_head(self, first - 1)


@method(DequeType)
def pop(self):
    if len(held(self)) == head(self):
        raise IndexError("pop from an empty deque")
    return held(self).pop()


@method(DequeType)
def popleft(self):
    first = head(self)
    if len(held(self)) == first:
        raise IndexError("pop from an empty deque")
    item = held(self)[first]
    set_head(self, first + 1)
    if first >= 16 and 2 * first >= len(held(self)):
        del held(self)[: first + 1]
        set_head(self, 0)
    return item


@method(DequeType)
def extend(self, items):
    for item in items:
        held(self).append(kept(self, item))


@method(DequeType)
def __iadd__(self, items):
    self.extend(items)
    return self


@method(DequeType)
def extendleft(self, items):
    for item in items:
        self.appendleft(item)


@method(DequeType)
def clear(self):
    held(self).clear()
    set_head(self, 0)


@method(DequeType)
def reverse(self):
    pack(self)
    held(self).reverse()


@method(DequeType)
def rotate(self, n=1):
    pack(self)
    size = len(held(self))
    if size > 0:
        last = held(self)[size - n % size :]
        del held(self)[size - n % size :]
        held(self)[0:0] = last


@method(DequeType)
def count(self, item):
    return held(self)[head(self) :].count(item)


@method(DequeType)
def index(self, item):
    for at in range(head(self), len(held(self))):
        if held(self)[at] == item:
            return at - head(self)
    raise ValueError("the value is not in deque")


@method(DequeType)
def remove(self, item):
    for at in range(head(self), len(held(self))):
        if held(self)[at] == item:
            del held(self)[at]
            return
    raise ValueError("deque.remove(x): x not in deque")


@method(DequeType)
def insert(self, i, x):
    pack(self)
    held(self).insert(i, kept(self, x))


@njit
def pack(self):
    """Drop what was taken out at the front."""
    del held(self)[: head(self)]
    set_head(self, 0)


@overload(collections.deque, strict=False)
def _(iterable=None, maxlen=None):
    if maxlen is not None and not isinstance(maxlen, types.NoneType):
        raise TypingError("a deque has no greatest length in compiled code")
    if iterable is None:
        return new_open(DequeType)
    enter_operators()
    item = item_type(iterable)
    if item is None:
        raise TypingError(f"a deque has items of one type, not those of {iterable}")
    make = maker_of(DequeType(item))

    def construct(iterable, maxlen=None):
        made = make()
        for item in iterable:
            held(made).append(kept(made, item))
        return made

    return construct


for _name in ("append", "appendleft"):
    close_by(DequeType, _name, lambda known, item: [item])
for _name in ("extend", "extendleft"):
    close_by(DequeType, _name, lambda known, items: [item_type(items)])
refuse_open(*{name for kind, name in BODIES if kind is DequeType and not name.startswith("__")} - {"clear"})
