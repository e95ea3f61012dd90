# The bodies of methods are named as these, and say what they do.
# ruff: noqa: D103
"""``collections.deque`` in compiled code: a list, and how many of its first items were taken out.

Where it has a greatest length, that is kept with them.
"""

import collections
import operator

from pyopt import njit, own_types, types
from pyopt.containers import BODIES, Container, held, kept, maker_of, method
from pyopt.errors import TypingError
from pyopt.extending import intrinsic, overload, overload_attribute
from pyopt.intrinsics import InMlir
from pyopt.open_containers import (
    EMPTY,
    OpenContainer,
    class_of,
    close_by,
    holds_nothing,
    item_type,
    new_open,
    refuse_open,
    when_empty,
)
from pyopt.structures import SharedInstance, define_shared, memory_of


class DequeType(Container):
    """The type of ``collections.deque``."""

    shown, maker = "deque", "list_new"
    made_class = collections.deque
    #: Where the first item is in the list, and the greatest length plus one, or 0.
    extra = (types.int64, types.int64)

    def __init__(self, dtype):
        """Describe a deque of items of a type."""
        super().__init__(types.List(dtype), dtype)
        self.dtype = self.item_type = dtype


def _number(at):
    """Give the intrinsics that read and write a number in the memory of a deque."""

    def read(typingctx, self):
        memory, lines = memory_of("%arg0", self)
        text = types.int64.text
        lines.append(f"%number = typed.field_get {memory}[{at}] : {self.memory.text} -> {text}")
        lines.append(f"return %number : {text}")
        return types.int64(self), InMlir(lines)

    def write(typingctx, self, number):
        memory, lines = memory_of("%arg0", self)
        lines.append(f"typed.field_set %arg1, {memory}[{at}] : {types.int64.text}, {self.memory.text}")
        lines.append(f"%none = typed.singleton : {types.none.text}")
        lines.append(f"return %none : {types.none.text}")
        return types.none(self, types.int64), InMlir(lines)

    # Code that is kept on disk names them.
    read.__qualname__, write.__qualname__ = f"number_{at}", f"set_number_{at}"
    return intrinsic(read), intrinsic(write)


head, set_head = _number(1)
_bound, _set_bound = _number(2)


@njit
def set_bound(self, maxlen):
    """Say how many items a deque has at most; any number of them if that is negative."""
    _set_bound(self, maxlen + 1)


@njit
def set_bound_of(self, other):
    """Let a deque have as many items as another one may."""
    _set_bound(self, _bound(other))


@njit
def _is_full(self):
    bound = _bound(self)
    return bound > 0 and len(held(self)) - head(self) >= bound - 1


class _Shared(SharedInstance):
    __slots__ = ()


define_shared(DequeType, _Shared)


@njit
def _items(self):
    return held(self)[head(self) :]


@njit
def _size(self):
    return len(held(self)) - head(self)


@njit
def _read_bound(self):
    return _bound(self)


def _object_of(type, memory, items):
    bound = _read_bound(_Shared._numba_box_(type, memory))
    return collections.deque(items, bound - 1 if bound else None)


def enter_shared(kind):
    """Have values of a class of types become deques of Python's."""

    @own_types.box(kind)
    def _(type, memory):
        shared = _Shared._numba_box_(type, memory)
        return _object_of(type, memory, _items(shared) if _size(shared) else ())

    class_of(kind, collections.deque)
    EMPTY[kind] = lambda type, memory: _object_of(type, memory, ())


enter_shared(DequeType)


@own_types.give_back(DequeType)
def _(found, value):
    if found != value:
        value.clear()
        value.extend(found)


@method(DequeType)
def __len__(self):
    return len(held(self)) - head(self)


@method(DequeType)
def __bool__(self):
    return len(held(self)) > head(self)


@njit
def _check_unchanged(self, first, last):
    # What is put in and taken out again between two items isn't noticed.
    if head(self) != first or len(held(self)) != last:
        raise RuntimeError("deque mutated during iteration")


@method(DequeType)
def __iter__(self):
    items, first, last = held(self), head(self), len(held(self))
    for at in range(first, last):
        yield items[at]
        _check_unchanged(self, first, last)


@overload(reversed)
def _(sequence):
    if not isinstance(sequence, DequeType):
        return None

    def backwards(sequence):
        items, first, last = held(sequence), head(sequence), len(held(sequence))
        for at in range(last - 1, first - 1, -1):
            yield items[at]
            _check_unchanged(sequence, first, last)

    return backwards


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
    if _is_full(self):
        if _bound(self) == 1:
            return
        self.popleft()
    held(self).append(kept(self, item))


@method(DequeType)
def appendleft(self, item):
    if _is_full(self):
        if _bound(self) == 1:
            return
        held(self).pop()
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


def _not_itself(items):
    """Give items to go through while a deque changes, which may be the one that has them."""
    raise NotImplementedError("compiled code has it")


@overload(_not_itself)
def _(items):
    if isinstance(items, DequeType):
        return lambda items: held(items)[head(items) :]
    return lambda items: items


@method(DequeType)
def extend(self, items):
    for item in _not_itself(items):
        self.append(item)


@method(DequeType)
def __iadd__(self, items):
    self.extend(items)
    return self


@method(DequeType)
def extendleft(self, items):
    for item in _not_itself(items):
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
def index(self, item, start=0, stop=9223372036854775807):
    size = len(held(self)) - head(self)
    first = max(start + size, 0) if start < 0 else start
    last = stop + size if stop < 0 else min(stop, size)
    for at in range(first, last):
        if held(self)[head(self) + at] == item:
            return at
    raise ValueError(f"{item!r} is not in deque")


@method(DequeType)
def remove(self, item):
    for at in range(head(self), len(held(self))):
        if held(self)[at] == item:
            del held(self)[at]
            return
    raise ValueError(f"{item!r} is not in deque")


@method(DequeType)
def insert(self, i, x):
    if _is_full(self):
        raise IndexError("deque already at its maximum size")
    pack(self)
    held(self).insert(i, kept(self, x))


def _alike(self):
    """Make a deque of the same items' type and the same greatest length, without items."""
    raise NotImplementedError("compiled code has it")


@overload(_alike)
def _(self):
    make = maker_of(self.changeable)

    def alike(self):
        made = make()
        _set_bound(made, _bound(self))
        return made

    return alike


@method(DequeType)
def copy(self):
    made = _alike(self)
    held(made).extend(held(self)[head(self) :])
    return made


@overload(operator.add)
def _(left, right):
    if not (isinstance(left, DequeType) and isinstance(right, DequeType | OpenContainer)):
        return None

    def joined(left, right):
        made = left.copy()
        made.extend(right)
        return made

    return joined


def _times(left, right):
    made = _alike(left)
    for _ in range(right):
        made.extend(left)
    return made


@overload(operator.mul)
def _(left, right):
    if isinstance(left, DequeType) and isinstance(right, types.Integer):
        return _times
    if isinstance(left, types.Integer) and isinstance(right, DequeType):
        return lambda left, right: right * left
    return None


@overload(operator.imul)
def _(left, right):
    if not (isinstance(left, DequeType) and isinstance(right, types.Integer)):
        return None

    def repeat(left, right):
        items = held(left)[head(left) :]
        if right <= 0:
            left.clear()
        for _ in range(1, right):
            left.extend(items)
        return left

    return repeat


@njit
def pack(self):
    """Drop what was taken out at the front."""
    del held(self)[: head(self)]
    set_head(self, 0)


@overload(collections.deque, strict=False)
def _(iterable=None, maxlen=None):
    is_bounded = maxlen is not None and not isinstance(maxlen, types.NoneType)
    if holds_nothing(iterable):
        construct_open = new_open(DequeType)

        def construct_bounded(iterable=None, maxlen=None):
            made = construct_open()
            set_bound(made, _checked(maxlen))
            return made

        return construct_bounded if is_bounded else construct_open
    item = item_type(iterable)
    if item is None:
        raise TypingError(f"a deque has items of one type, not those of {iterable}")
    make = maker_of(DequeType(item))

    def construct(iterable, maxlen=None):
        made = make()
        for item in iterable:
            held(made).append(kept(made, item))
        return made

    def construct_bounded(iterable, maxlen=None):
        made = make()
        set_bound(made, _checked(maxlen))
        for item in iterable:
            made.append(item)
        return made

    return construct_bounded if is_bounded else construct


@njit
def _checked(maxlen):
    if maxlen < 0:
        raise ValueError("maxlen must be non-negative")
    return maxlen


@overload_attribute(DequeType, "maxlen")
def _(self):
    # What is None in Python is known only at run time.
    return lambda self: _bound(self) - 1 if _bound(self) > 0 else None


for _name in ("append", "appendleft"):
    close_by(DequeType, _name, lambda known, item: [item])
for _name in ("extend", "extendleft"):
    close_by(DequeType, _name, lambda known, items: [item_type(items)])


@when_empty(DequeType, "pop")
@when_empty(DequeType, "popleft")
def _(self):
    raise IndexError("pop from an empty deque")


@when_empty(DequeType, "reverse")
def _(self):
    return None


@when_empty(DequeType, "rotate")
def _(self, n=1):
    return None


@when_empty(DequeType, "count")
def _(self, item):
    return 0


@when_empty(DequeType, "index")
@when_empty(DequeType, "remove")
def _(self, item, start=0, stop=0):
    raise ValueError(f"{item!r} is not in deque")


refuse_open(*{name for kind, name in BODIES if kind is DequeType and not name.startswith("__")} - {"clear"})
